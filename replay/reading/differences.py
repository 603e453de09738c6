"""Compare two positions: cells, trays, turn, awaited seats."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from domain.names import UNNAMED, Names
from domain.scene import Pile, Scene, Tray
from replay.drawing.descriptions import block_phrase, cell_phrase, tray_items
from replay.reading.timeline import point
from replay.record.match_record import MatchRecord
from replay.record.match_summary import describe_standing


class PlaceChange(Struct, frozen=True):
    """A place whose description changed."""

    at: str
    before: str
    after: str

    def words(self) -> str:
        """Describe the change in a line."""
        return f"{self.at}: {self.before} -> {self.after}"


class Difference(Struct, frozen=True):
    """The differences between two points for a spectator: places, trays, turn, awaited seats.

    `turn` and `standing` are pairs of before and after, even if these are equal.
    """

    cells: tuple[PlaceChange, ...]
    trays: tuple[PlaceChange, ...]
    turn: tuple[int, int]
    standing: tuple[str, str]

    def words(self) -> Iterator[str]:
        """Describe the differences line by line."""
        yield from (change.words() for change in (*self.cells, *self.trays))
        if self.turn[0] != self.turn[1]:
            yield PlaceChange("turn", *map(str, self.turn)).words()
        if self.standing[0] != self.standing[1]:
            yield PlaceChange("to act", *self.standing).words()


def difference(
    before: tuple[MatchRecord, int], after: tuple[MatchRecord, int], names: Names = UNNAMED
) -> Difference:
    """Compare two points, each a match and a ply, as a spectator sees them."""
    one, other = (point(*each, names=names) for each in (before, after))
    states = [record.match.at(ply) for record, ply in (before, after)]
    return Difference(
        tuple(_changes(_places(one.scene, names), _places(other.scene, names))),
        tuple(_tray_changes(one.scene.trays, other.scene.trays, names)),
        (one.turn, other.turn),
        (describe_standing(states[0], names), describe_standing(states[1], names)),
    )


def _places(scene: Scene, names: Names) -> dict[str, str]:
    """Describe every place; if a place is drawn twice, the flat board counts."""
    described: dict[str, str] = {}
    for panel in sorted(scene.panels, key=lambda panel: not isinstance(panel, Pile)):
        phrases = (
            ((block.at, block_phrase(block)) for block in panel.blocks)
            if isinstance(panel, Pile)
            else ((cell.at, cell_phrase(cell, names)) for cell in panel.cells if cell.at)
        )
        described |= {at: phrase.removeprefix(at).strip() for at, phrase in phrases}
    return described


def _changes(before: dict[str, str], after: dict[str, str]) -> Iterator[PlaceChange]:
    for at in dict.fromkeys((*before, *after)):
        change = PlaceChange(at, before.get(at, "nothing"), after.get(at, "nothing"))
        if change.before != change.after:
            yield change


def _tray_changes(
    before: Iterable[Tray], after: Iterable[Tray], names: Names
) -> Iterator[PlaceChange]:
    """Yield the changed items of each tray."""
    old, new = (
        {tray.title: tray_items(tray, names) for tray in trays} for trays in (before, after)
    )
    for title in dict.fromkeys((*old, *new)):
        removed = [item for item in old.get(title, ()) if item not in new.get(title, ())]
        come = [item for item in new.get(title, ()) if item not in old.get(title, ())]
        if removed or come:
            yield PlaceChange(title, ", ".join(removed) or "nothing", ", ".join(come) or "nothing")
