"""The plies of a line as a reader sees them, with their annotations."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from msgspec import Struct
from msgspec.structs import replace

from domain.names import UNNAMED, Names
from domain.scene import Scene
from replay.annotations import Remark, annotated, by_ply
from replay.book import Book
from replay.reading.adjusted_scene import marked_scene
from replay.reading.timeline import LineEntry, LinePoint, entries, point
from replay.record.match_record import MatchRecord
from replay.record.match_summary import describe_standing


class Stop(Struct, frozen=True):
    """A ply of a line: its point, its event (`None` at the start), its annotations.

    The scene of the point includes the marks of annotations. `standing` says in words who is
    awaited there, or how the match ended.
    """

    point: LinePoint
    entry: LineEntry | None
    remarks: tuple[Remark, ...]
    standing: str

    @property
    def steps(self) -> tuple[Scene, ...]:
        """The scenes of the steps of an event; their trays are those of the last one."""
        scene = self.point.scene
        return tuple(
            step if step.trays else replace(step, trays=scene.trays) for step in scene.frames
        )


def stops(
    book: Book, record: MatchRecord, names: Names = UNNAMED, first: int = 0
) -> Iterator[Stop]:
    """Yield the stops of a match from ply `first` on, with their annotations."""
    said = by_ply(book, record)
    for ply, entry in islice(enumerate([None, *entries(record)]), first, None):
        remarks = tuple(said.get(ply, ()))
        at = point(record, ply, names=names)
        marked = replace(at, scene=annotated(marked_scene(record, at, names), remarks))
        yield Stop(marked, entry, remarks, describe_standing(record.match.at(ply), names))
