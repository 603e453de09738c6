"""Mark what changed on the board when a position was set, as a move's own scene marks it."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from domain.events import Adjusted, Stood
from domain.names import UNNAMED, Names
from domain.scene import Grid, Mark, Scene
from replay.reading.timeline import LinePoint, point
from replay.record.match_record import MatchRecord


def marked_scene(record: MatchRecord, here: LinePoint, names: Names = UNNAMED) -> Scene:
    """Return the scene of a point; the changes are marked if the position was set there."""
    scene = here.scene
    if not here.ply or not isinstance(record.match.line[here.ply - 1].event, Adjusted | Stood):
        return scene
    before = point(record, here.ply - 1, names=names).scene
    return replace(scene, marks=(*scene.marks, *_changes(before, scene)))


def _changes(before: Scene, after: Scene) -> Iterator[Mark]:
    """Yield a mark for each changed place: `to` where something is now, else `from`."""
    old = _contents(before)
    for at, things in _contents(after).items():
        if things != old.get(at):
            yield Mark(at, "to" if things else "from")


def _contents(scene: Scene) -> dict[str, object]:
    """Return the pieces of each cell, or the colour of each block."""
    contents: dict[str, object] = {}
    for panel in scene.panels:
        if isinstance(panel, Grid):
            contents |= {cell.at: cell.pieces for cell in panel.cells}
        else:
            contents |= {block.at: block.colour for block in panel.blocks}
    return contents
