"""Draw a flat board with its coordinates, as a panel."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from domain.names import UNNAMED, Names
from domain.scene import Arrow, Cell, Grid, Mark
from replay.drawing.arrows import arrows
from replay.drawing.board_geometry import WIDE, GridFrame, Shown, frame_of
from replay.drawing.descriptions import cell_phrase
from replay.drawing.svg_elements import Box, at, escape


def grid(
    panel: Grid,
    scene_marks: Sequence[Mark],
    scene_arrows: Sequence[Arrow],
    names: Names = UNNAMED,
    same: Collection[str] = (),
) -> Box:
    """Draw a board: title, coordinates, cells from the top row down, arrows over everything.

    A cell in `same` has not changed, and is drawn only as `<g data-same="c3">`.
    """
    frame = frame_of(panel, WIDE)
    shown = Shown(scene_marks)
    cells = "".join(
        left_out(cell.at) if cell.at in same else _cell(cell, frame, shown, names)
        for cell in panel.cells
    )
    return frame.around(cells, "".join(arrows(scene_arrows, frame.places())))


def left_out(place: str) -> str:
    """Write a placeholder for a place that the page already shows."""
    return f'<g class="pb-cell" data-same="{escape(place)}"></g>'


def _cell(cell: Cell, frame: GridFrame, shown: Shown, names: Names) -> str:
    tip = f"<title>{escape(cell_phrase(cell, names))}</title>" if cell.pieces else ""
    drawn = at(*frame.corner(cell), tip + frame.under(cell, shown) + frame.over(cell, shown))
    return f'<g class="pb-cell" data-at="{escape(cell.at)}">{drawn}</g>' if cell.at else drawn
