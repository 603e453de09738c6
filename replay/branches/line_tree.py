"""A match as a tree of lines: what stands, and the variations that leave it, for a spectator."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from domain.events import State, awaited_words, outcome_words, result_words
from domain.names import UNNAMED, Names
from domain.scene import Scene
from replay.annotations import Remark, annotated, by_ply
from replay.book import Book
from replay.branches.analysis import AnalysisLine, analyse
from replay.branches.forks import name_of
from replay.match_record import MatchRecord
from replay.reading.timeline import LinePoint, TimelineEntry, entries, point


class Stop(Struct, frozen=True):
    """A ply of a line: the point it led to, what happened (nothing at the start), what is said.

    The marks of annotations are in the point's scene. `standing` tells in words who is awaited
    there, or how the match ended.
    """

    point: LinePoint
    entry: TimelineEntry | None
    remarks: tuple[Remark, ...]
    standing: str

    @property
    def steps(self) -> tuple[Scene, ...]:
        """The pictures on the way here; what lies beside the board is as it is afterwards."""
        scene = self.point.scene
        return tuple(
            step if step.trays else replace(step, trays=scene.trays) for step in scene.frames
        )


class TreeLine(Struct, frozen=True):
    """A line: all stops of the main line, those of a variation after it has left its parent's.

    `leaves` is the ply of the parent line after which it goes its own way; the main line has none.
    """

    recorded: MatchRecord
    name: str
    leaves: int | None
    stops: tuple[Stop, ...]
    variations: tuple[TreeLine, ...] = ()

    def walk(self) -> Iterator[TreeLine]:
        """Give this line, and then those that leave it, each followed by those that leave that."""
        yield self
        for variation in self.variations:
            yield from variation.walk()


def line_tree(book: Book, recorded: MatchRecord, names: Names = UNNAMED) -> TreeLine:
    """Return a match with its variations that are not hidden, as a spectator may know them.

    `names` are those of the players, in every sentence and picture.
    """
    analysis = analyse(book, recorded)
    leaving: dict[int, list[AnalysisLine]] = {}
    for branch in analysis.branches.values():
        leaving.setdefault(branch.host, []).append(branch)
    return _line(book, analysis.main, None, leaving, names)


def describe_standing(state: State, names: Names = UNNAMED) -> str:
    """Say who is awaited and what was offered, or how the match ended."""
    if state.outcome is not None:
        return outcome_words(state.outcome, names)
    offer = f"; {names[state.offered]} offers a draw" if state.offered else ""
    return awaited_words(state, names) + offer


def standing_briefly(state: State, names: Names = UNNAMED) -> str:
    """Say the same, but not by which clause a match ended."""
    return result_words(state.outcome, names) if state.outcome else describe_standing(state, names)


def stops(book: Book, recorded: MatchRecord, names: Names = UNNAMED) -> Iterator[Stop]:
    """Tell a match ply by ply, from the start, with what is said about it."""
    said = by_ply(book, recorded)
    for ply, entry in enumerate([None, *entries(recorded)]):
        remarks = tuple(said.get(ply, ()))
        at = point(recorded, ply, names=names)
        marked = replace(at, scene=annotated(at.scene, remarks))
        yield Stop(marked, entry, remarks, describe_standing(recorded.match.at(ply), names))


def _line(
    book: Book,
    recorded: MatchRecord,
    leaves: int | None,
    leaving: Mapping[int, Sequence[AnalysisLine]],
    names: Names,
) -> TreeLine:
    told = tuple(stops(book, recorded, names))
    own = told if leaves is None else told[leaves + 1 :]
    variations = tuple(
        _line(book, branch.recorded, branch.after, leaving, names)
        for branch in leaving.get(recorded.stream.id, ())
    )
    return TreeLine(recorded, name_of(book, recorded.stream), leaves, own, variations)
