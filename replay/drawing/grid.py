"""Draw a flat board with its coordinates, as a panel."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Final, NamedTuple

from domain.names import UNNAMED, Names
from domain.scene import Arrow, Cell, Grid, Mark
from replay.drawing import marks as marking
from replay.drawing.backgrounds import ground, look
from replay.drawing.descriptions import cell_phrase
from replay.drawing.marks import NOTES, arrows, by_place, noted, notes
from replay.drawing.pieces import CELL
from replay.drawing.stacks import pieces
from replay.drawing.svg_elements import Box, at, escape, rectangle, words

TITLE: Final = 24.0


class Rim(NamedTuple):
    """The margins of a board: left and below, with labels, and on the other sides."""

    left: float
    below: float
    edge: float
    label: float
    """The font size of the labels."""


WIDE: Final = Rim(22.0, 20.0, 4.0, 16.0)

STACKED: Final = (74.0, 106.0)
"""Width and height of a cell of a board with stacks."""


def grid(
    panel: Grid,
    scene_marks: Sequence[Mark],
    scene_arrows: Sequence[Arrow],
    names: Names = UNNAMED,
    same: Collection[str] = (),
) -> Box:
    """Draw a board: title, coordinates, cells from the top row down, arrows over everything.

    A cell in `same` has not changed, and is drawn as `<g data-same="c3">` alone.
    """
    frame = GridFrame(panel, WIDE)
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
    return f'<g class="pb-cell" data-at="{escape(cell.at)}">{drawn}</g>'


class Shown:
    """The marks of a scene by place: their kinds, and the marks of annotations."""

    def __init__(self, marks: Sequence[Mark]) -> None:
        self._kinds = by_place(mark for mark in marks if mark.kind not in NOTES)
        self._notes = noted(marks)

    def kinds(self, place: str) -> Sequence[str]:
        """Return the kinds of marks on a place."""
        return self._kinds.get(place, ())

    def notes(self, place: str) -> Sequence[Mark]:
        """Return the annotation marks on a place."""
        return self._notes.get(place, ())


class GridFrame:
    """The geometry of one board."""

    def __init__(self, panel: Grid, rim: Rim) -> None:
        self.panel = panel
        self.rim = rim
        self.width, self.height = STACKED if panel.stacks else (CELL, CELL)
        self.left = rim.left if any(panel.rows) else rim.edge
        self.top = rim.edge + (TITLE if panel.title else 0.0)
        self.foot = self.top + len(panel.rows) * self.height

    def around(self, cells: str, ways: str) -> Box:
        """Return the whole board: its labels, the drawn cells, and the arrows over them."""
        panel, rim = self.panel, self.rim
        width = self.left + len(panel.columns) * self.width + rim.edge
        height = self.foot + (rim.below if any(panel.columns) else rim.edge)
        labels = f'<g aria-hidden="true">{"".join(self._labels())}</g>'
        return Box(width, height, labels + cells + ways)

    def corner(self, cell: Cell) -> tuple[float, float]:
        """Return the upper left corner of a cell."""
        return self.left + cell.column * self.width, self.foot - (cell.row + 1) * self.height

    def places(self) -> dict[str, tuple[float, float]]:
        """Return the middle of every cell."""
        corners = ((cell.at, self.corner(cell)) for cell in self.panel.cells)
        return {name: (x + self.width / 2, y + self.height / 2) for name, (x, y) in corners}

    def _labels(self) -> Iterator[str]:
        panel, size = self.panel, self.rim.label
        if panel.title:
            yield words("pb-title", self.left, self.rim.edge + 9, 16, panel.title)
        for index, label in enumerate(panel.columns):
            x = self.left + (index + 0.5) * self.width
            yield words("pb-label", x, self.foot + self.rim.below / 2 + 1, size, label)
        for index, label in enumerate(panel.rows):
            y = self.foot - (index + 0.5) * self.height
            yield words("pb-label", self.left / 2, y, size, label)

    def under(self, cell: Cell, shown: Shown) -> str:
        """Draw the square of a cell, its background and frames, with its corner at the origin."""
        width, height = self.width, self.height
        kinds = shown.kinds(cell.at)
        body = rectangle("pb-square", 0, 0, width, height)
        body += "".join(marking.glow(kind, width, height) for kind in kinds)
        body += ground(look(cell), width, height)
        return body + "".join(marking.frame(kind, width, height) for kind in kinds)

    def over(self, cell: Cell, shown: Shown) -> str:
        """Draw the pieces on a cell, and the marks over them."""
        width, height = self.width, self.height
        body = pieces(cell, width, height)
        if cell.note:
            body += words("pb-note pb-end", width - 9, 14, 10, cell.note)
        point_out = marking.beside if cell.pieces else marking.over
        body += "".join(point_out(kind, width, height) for kind in shown.kinds(cell.at))
        return body + notes(shown.notes(cell.at), width, height)
