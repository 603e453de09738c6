"""A flat board with its coordinates, as a panel."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from domain.scene import Arrow, Cell, Grid, Mark
from replay.drawing import marks as marking
from replay.drawing.arrangements import pieces
from replay.drawing.arrows import arrows
from replay.drawing.elements import Box, at, escape, rectangle, words
from replay.drawing.grounds import ground
from replay.drawing.marks import by_place
from replay.drawing.notes import NOTES, noted, notes
from replay.drawing.phrases import cell_phrase
from replay.drawing.pieces import CELL

LEFT: Final = 22.0
BOTTOM: Final = 20.0
TITLE: Final = 24.0
EDGE: Final = 4.0

STACKED: Final = (74.0, 106.0)
"""Width and height of a cell of a board with stacks."""


def grid(panel: Grid, scene_marks: Sequence[Mark], scene_arrows: Sequence[Arrow]) -> Box:
    """Draw a board: title, coordinates, cells from the top row down, arrows over all."""
    return _Frame(panel).draw(scene_marks, scene_arrows)


class _Frame:
    """Where things lie on one board."""

    def __init__(self, panel: Grid) -> None:
        self.panel = panel
        self.cell_width, self.cell_height = STACKED if panel.stacks else (CELL, CELL)
        self.left = LEFT if any(panel.rows) else EDGE
        self.top = EDGE + (TITLE if panel.title else 0.0)
        self.below = self.top + len(panel.rows) * self.cell_height

    def draw(self, scene_marks: Sequence[Mark], scene_arrows: Sequence[Arrow]) -> Box:
        marks = by_place(mark for mark in scene_marks if mark.kind not in NOTES)
        pointed = noted(scene_marks)
        cells = "".join(
            self._cell(cell, marks.get(cell.at, ()), pointed.get(cell.at, ()))
            for cell in self.panel.cells
        )
        half = (self.cell_width / 2, self.cell_height / 2)
        places = {cell.at: self._middle(cell, half) for cell in self.panel.cells}
        body = "".join(self._labels()) + cells + "".join(arrows(scene_arrows, places))
        width = self.left + len(self.panel.columns) * self.cell_width + EDGE
        height = self.below + (BOTTOM if any(self.panel.columns) else EDGE)
        return Box(width, height, body)

    def _corner(self, cell: Cell) -> tuple[float, float]:
        x = self.left + cell.column * self.cell_width
        return x, self.below - (cell.row + 1) * self.cell_height

    def _middle(self, cell: Cell, half: tuple[float, float]) -> tuple[float, float]:
        x, y = self._corner(cell)
        return x + half[0], y + half[1]

    def _labels(self) -> Iterator[str]:
        panel = self.panel
        if panel.title:
            yield words("pb-title", self.left, EDGE + 9, 16, panel.title)
        for index, label in enumerate(panel.columns):
            x = self.left + (index + 0.5) * self.cell_width
            yield words("pb-label", x, self.below + 11, 16, label)
        for index, label in enumerate(panel.rows):
            y = self.below - (index + 0.5) * self.cell_height
            yield words("pb-label", self.left / 2, y, 16, label)

    def _cell(self, cell: Cell, kinds: Sequence[str], pointed: Sequence[Mark]) -> str:
        width, height = self.cell_width, self.cell_height
        body = rectangle("pb-square", 0, 0, width, height)
        body += "".join(marking.glow(kind, width, height) for kind in kinds)
        body += ground(cell.ground, width, height)
        body += "".join(marking.frame(kind, width, height) for kind in kinds)
        body += pieces(cell, width, height)
        if cell.note:
            body += words("pb-note pb-end", width - 9, 14, 10, cell.note)
        point_out = marking.beside if cell.pieces else marking.over
        body += "".join(point_out(kind, width, height) for kind in kinds)
        body += notes(pointed, width, height)
        x, y = self._corner(cell)
        name = escape(cell.at)
        tip = f"<title>{escape(cell_phrase(cell))}</title>" if cell.pieces else ""
        return f'<g class="pb-cell" data-at="{name}">{at(x, y, tip + body)}</g>'
