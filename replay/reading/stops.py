"""The plies of a match that readers stop at, and the words that lead to them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from domain.events import Adjusted, Moved, Stood
from domain.names import UNNAMED, Names
from domain.position import tag_of
from domain.scene import Mark, Pile, Scene
from replay.annotations.current import Remark, annotated, by_ply
from replay.annotations.events import Bookmarked, Commented, Glyphed
from replay.book import Book
from replay.errors import UnknownAddress, Usage
from replay.reading.curve import AUTHOR, curve_of, swings
from replay.reading.timeline import LineEntry, LinePoint, entries, point
from replay.record.match_record import MatchRecord
from replay.record.match_summary import describe_standing


def is_notable(stop: Stop) -> bool:
    """Return whether a stop is a highlight.

    Highlights are captures, constructions, scores, annotations, the largest swings of an analysis,
    rulings, adjustments, and the end of the match.
    """
    entry = stop.entry
    if entry is None:
        return False
    if entry.amended or entry.type != MOVED or stop.point.outcome is not None:
        return True
    if stop.swing or any(
        isinstance(remark.said, Bookmarked | Commented | Glyphed) and remark.author != AUTHOR
        for remark in stop.remarks
    ):
        return True
    return any(effect.notable for effect in entry.effects)


MOVED: Final = Moved.__struct_config__.tag


def marked_scene(record: MatchRecord, here: LinePoint, names: Names = UNNAMED) -> Scene:
    """Return the scene of a point; the changes are marked if the position was set there."""
    scene = here.scene
    if not here.ply or not isinstance(record.match.line[here.ply - 1].event, Adjusted | Stood):
        return scene
    before = point(record, here.ply - 1, names=names).scene
    return replace(scene, marks=(*scene.marks, *_changes(before, scene)))


def _changes(before: Scene, after: Scene) -> Iterator[Mark]:
    """Yield a mark for each changed place: `to` if it holds something now, else `from`."""
    old = _contents(before)
    for at, things in _contents(after).items():
        if things != old.get(at):
            yield Mark(at, "to" if things else "from")


def _contents(scene: Scene) -> dict[str, object]:
    """Return the pieces of each cell, or the colour of each block."""
    contents: dict[str, object] = {}
    for panel in scene.panels:
        if isinstance(panel, Pile):
            contents |= {block.at: block.colour for block in panel.blocks}
        else:
            contents |= {cell.at: cell.pieces for cell in panel.cells if cell.at}
    return contents


class Stop(Struct, frozen=True):
    """A ply of a line: its point, its event (`None` at the start), its annotations.

    The scene of the point includes the marks of annotations. `standing` names the awaited seats, or
    says how the match ended. `swing` is whether the event is one of the largest swings of an
    analysis.
    """

    point: LinePoint
    entry: LineEntry | None
    remarks: tuple[Remark, ...]
    standing: str
    swing: bool = False

    @property
    def steps(self) -> tuple[Scene, ...]:
        """The scenes of the steps of an event, each with the trays of the last step."""
        scene = self.point.scene
        return tuple(
            step if step.trays else replace(step, trays=scene.trays) for step in scene.frames
        )


def stops(
    book: Book,
    record: MatchRecord,
    names: Names = UNNAMED,
    first: int = 0,
    *,
    whole: bool = False,
) -> Iterator[Stop]:
    """Yield the stops of a match from ply `first` on, with their annotations.

    `whole` includes the annotations that the match holds back.
    """
    said = by_ply(book, record, whole=whole)
    swung = swings(curve_of(said))
    for ply, entry in islice(enumerate([None, *entries(record)]), first, None):
        remarks = tuple(said.get(ply, ()))
        at = point(record, ply, names=names)
        marked = replace(at, scene=annotated(marked_scene(record, at, names), remarks))
        yield Stop(
            marked, entry, remarks, describe_standing(record.match.at(ply), names), ply in swung
        )


def scene_after(book: Book, record: MatchRecord, ply: int, names: Names = UNNAMED) -> Scene:
    """Return the position after a ply with its annotations, as spectators see it."""
    at = point(record, ply, names=names)
    return annotated(marked_scene(record, at, names), by_ply(book, record).get(ply, ()))


FORWARD: Final = "next"
BACK: Final = "previous"

AIMS: Final = tuple(f"{way}-{aim}" for aim in ("turn", "effect", "note") for way in (FORWARD, BACK))
"""The targets of a jump."""


def jump(book: Book, record: MatchRecord, ply: int | None, aim: str, kind: str = "") -> int:
    """Return the ply that a jump from a ply leads to; `kind` is the kind of an effect.

    Without a ply, a search for the next starts at the start of the match, a search for the previous
    at its end. Raises `Usage` for an unknown aim, and `UnknownAddress` if nothing is found.
    """
    if aim not in AIMS:
        raise Usage(f"{aim!r} is not a jump; use one of {', '.join(AIMS)}")
    way, _, target = aim.partition("-")
    if bool(kind) != (target == "effect"):
        raise Usage(
            "next-effect and previous-effect need a kind, like capture; other jumps take none"
        )
    plies = _plies(book, record, target, kind)
    last = len(record.match.line)
    start = ply if ply is not None else 0 if way == FORWARD else last
    found = following(plies, start) if way == FORWARD else preceding(plies, start)
    if found is None:
        side = "after" if way == FORWARD else "before"
        what = " ".join(filter(None, (target, kind)))
        raise UnknownAddress(f"there is no {what} {side} {record.id}@{start}")
    return found


def turns(record: MatchRecord) -> list[int]:
    """Return the plies at which turns begin, starting with 0."""
    numbers = [record.match.at(ply).position.turn for ply in range(len(record.match.line) + 1)]
    return [0, *(ply for ply in range(1, len(numbers)) if numbers[ply] > numbers[ply - 1])]


def effects(record: MatchRecord, kind: str) -> list[int]:
    """Return the plies with an effect whose name begins with `kind`.

    Raises `Usage`, with the kinds in this match, if it has no such effect.
    """
    names = [[tag_of(type(effect)) for effect in ply.effects] for ply in record.match.line]
    found = [ply for ply, kinds in enumerate(names, 1) if any(map(_begins(kind), kinds))]
    if not found:
        known = ", ".join(sorted({name for kinds in names for name in kinds})) or "none at all"
        raise Usage(f"{record.id} has no effect {kind!r}; it has {known}")
    return found


def following(plies: Iterable[int], ply: int) -> int | None:
    """Return the first of the plies after a ply."""
    return next((each for each in plies if each > ply), None)


def preceding(plies: Sequence[int], ply: int) -> int | None:
    """Return the last of the plies before a ply."""
    return next((each for each in reversed(plies) if each < ply), None)


def _plies(book: Book, record: MatchRecord, target: str, kind: str) -> list[int]:
    if target == "turn":
        return turns(record)
    if target == "effect":
        return effects(record, kind)
    return sorted(by_ply(book, record))


def _begins(kind: str) -> Callable[[str], bool]:
    return lambda name: name.startswith(kind.strip().lower())
