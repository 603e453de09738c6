"""The geometry of flat boards: the places, their outlines and their marks."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from msgspec.structs import replace

from domain.names import cut
from domain.scene import Cell, Grid, Mark
from replay.drawing import marks as marking
from replay.drawing.arrows import Reach
from replay.drawing.backgrounds import TINTED, ground, is_dark, look
from replay.drawing.marks import NOTES, by_place, noted, notes
from replay.drawing.pieces import CELL, piece
from replay.drawing.rows import CLOSE, LARGE, LINE, LaidRow
from replay.drawing.stacks import count_pill, pieces, reach
from replay.drawing.svg_elements import Box, at, path, polygon, rectangle, words

TITLE: Final = 24.0


class Rim(NamedTuple):
    """The margins of a board: left and below, with labels, and on the other sides.

    Without room in the margins, the labels are inside the first squares.
    """

    left: float
    below: float
    edge: float
    label: float
    """The font size of the labels."""

    @property
    def is_bare(self) -> bool:
        """Whether the labels are inside the squares."""
        return self.left == self.edge


WIDE: Final = Rim(22.0, 20.0, 4.0, 16.0)

CLEAR: Final = 6.0
"""The space that the pieces of a cell leave free above and below them."""

GAP: Final = 9.0
"""The space beside a card in its cell."""

STACKED: Final = (74.0, 88.0)
"""The width and height of a cell of a board with stacks: five cells are as wide as a phone."""


CLOSELY: Final = (CELL / CLOSE, CELL - 2 * CLEAR)
"""The width and height of the place of a piece in a close row."""


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


def frame_of(panel: Grid, rim: Rim, top: float = 0.0) -> GridFrame:
    """Return the geometry of a board whose upper edge is at `top`."""
    kinds: dict[str, type[GridFrame]] = {
        "cells": GridFrame,
        "points": PointFrame,
        "hexes": HexFrame,
        "spikes": SpikeFrame,
    }
    kind = RowFrame if isinstance(panel, LaidRow) else kinds[panel.lines]
    return kind(panel, rim, top)


class GridFrame:
    """The geometry of one board of squares; `cell` has the width and height of one."""

    def __init__(
        self, panel: Grid, rim: Rim, top: float, cell: tuple[float, float] = (CELL, CELL)
    ) -> None:
        self.panel = panel
        self.rim = rim
        self.width, self.height = STACKED if panel.stacks else cell
        self.left = rim.left if any(panel.rows) else rim.edge
        self.top = top + rim.edge + (TITLE if panel.title else 0.0)
        self.foot = self.top + len(panel.rows) * self.height

    def around(self, cells: str, ways: str) -> Box:
        """Return the whole board: its labels, the drawn cells, and the arrows over them."""
        panel, rim = self.panel, self.rim
        width = self.left + self.across() + rim.edge
        height = self.foot + (rim.below if any(panel.columns) else rim.edge)
        drawn = self._labels_inside() if rim.is_bare else self._labels()
        labels = f'<g aria-hidden="true">{"".join([*self._title(), *drawn])}</g>'
        return Box(width, height, (cells + labels if rim.is_bare else labels + cells) + ways)

    def across(self) -> float:
        """Return the width of all cells of the grid."""
        return len(self.panel.columns) * self.width

    def spot(self, column: int, row: int) -> tuple[float, float]:
        """Return the upper left corner of a place on the grid."""
        return self.left + column * self.width, self.foot - (row + 1) * self.height

    def corner(self, cell: Cell) -> tuple[float, float]:
        """Return the upper left corner of a cell of the grid."""
        return self.spot(cell.column, cell.row)

    def places(self) -> dict[str, Reach]:
        """Return the middle of every cell, and how far its pieces reach from there."""
        return {cell.at: self._place(cell) for cell in self.panel.cells}

    def _place(self, cell: Cell) -> Reach:
        x, y = self.corner(cell)
        wide = reach(cell.pieces) * self.width / CELL
        high = self.height / 2 - CLEAR if wide else 0.0
        return Reach(x + self.width / 2, y + self.height / 2, wide, high)

    def _title(self) -> Iterator[str]:
        if self.panel.title:
            yield words("pb-title", self.left, self.top - TITLE + 9, 16, self.panel.title)

    def _labels(self) -> Iterator[str]:
        panel, size = self.panel, self.rim.label
        for index, label in enumerate(panel.columns if any(panel.columns) else ()):
            x = self.spot(index, 0)[0] + self.width / 2
            yield words("pb-label", x, self.foot + self.rim.below / 2 + 1, size, label)
        for index, label in enumerate(panel.rows if any(panel.rows) else ()):
            y = self.spot(0, index)[1] + self.height / 2
            yield words("pb-label", self.left / 2, y, size, label)

    def _labels_inside(self) -> Iterator[str]:
        """Label the first squares in their lower corners, which pieces leave free."""
        panel, size = self.panel, self.rim.label
        for index, label in enumerate(panel.columns if any(panel.columns) else ()):
            x = self.spot(index + 1, 0)[0] - 1.8
            yield words("pb-label pb-inside pb-end", x, self.foot - size / 2, size, label)
        for index, label in enumerate(panel.rows if any(panel.rows) else ()):
            y = self.spot(0, index)[1] + self.height - size / 2
            yield words("pb-label pb-inside pb-begin", self.left + 1.8, y, size, label)

    def outline(self, css: str, inset: float, round_: float = 0) -> str:
        """Draw the outline of a cell at a distance inside of it, with its corner at the origin."""
        width, height = self.width - 2 * inset, self.height - 2 * inset
        return rectangle(css, inset, inset, width, height, round_=round_)

    def bare(self, cell: Cell) -> str:
        """Draw an empty cell of the grid."""
        dark = is_dark(self.panel, cell)
        return self.outline("pb-square pb-chequer" if dark else "pb-square", 0)

    def ground(self, cell: Cell) -> str:
        """Draw the background of a cell of the grid."""
        return ground(look(cell), self.width, self.height)

    def under(self, cell: Cell, shown: Shown) -> str:
        """Draw the square of a cell, its background and frames, with its corner at the origin."""
        kinds = shown.kinds(cell.at)
        glow = "".join(marking.glow(kind, self.outline) for kind in kinds)
        drawn = (
            (self.ground(cell), glow) if look(cell).kind in TINTED else (glow, self.ground(cell))
        )
        body = self.bare(cell) + "".join(drawn)
        return body + "".join(marking.frame(kind, self.outline) for kind in kinds)

    def over(self, cell: Cell, shown: Shown) -> str:
        """Draw the pieces on a cell, and the marks over them."""
        width, height = self.width, self.height
        body = pieces(cell, width, height)
        if cell.note:
            body += words("pb-note pb-end", width - 9, 14, 10, cell.note)
        point_out = marking.beside if cell.pieces else marking.over
        body += "".join(point_out(kind, width, height) for kind in shown.kinds(cell.at))
        return body + notes(shown.notes(cell.at), width, height)


class RowFrame(GridFrame):
    """The geometry of a row in lines, which has no squares, and room for its title."""

    LETTER: Final = 9.5
    """A generous average of the width of a letter of the title."""

    def __init__(self, panel: Grid, rim: Rim, top: float) -> None:
        close = isinstance(panel, LaidRow) and panel.is_close
        self.scale = LARGE if isinstance(panel, LaidRow) and panel.has_tiles else 1.0
        side = CELL * self.scale
        super().__init__(panel, rim, top, CLOSELY if close else (side, side))
        most = max(super().across(), LINE * CELL)
        self.title = cut(panel.title, max(1, int(most / self.LETTER)))
        self.beside = max(0.0, self.LETTER * len(self.title) - super().across()) / 2
        self.left += self.beside

    def across(self) -> float:
        """Return the width of the longest line, and of the room beside it for the title."""
        return super().across() + self.beside

    def _title(self) -> Iterator[str]:
        """Name one line over its middle, and several where their pieces begin."""
        x, css = self.left + GAP, "pb-title"
        if len(self.panel.rows) == 1:
            x, css = self.left + super().across() / 2, "pb-title pb-middle"
        if self.title:
            yield words(css, x, self.top - TITLE + 9, 16, self.title)

    def over(self, cell: Cell, shown: Shown) -> str:
        """Draw the piece, a tile larger, and the marks over it."""
        if self.scale == 1:
            return super().over(cell, shown)
        drawn = GridFrame(self.panel, self.rim, 0).over(cell, shown)
        return f'<g transform="scale({self.scale:g})">{drawn}</g>'

    def bare(self, cell: Cell) -> str:
        """Draw an invisible cell that can be tapped."""
        return self.outline("pb-slot", 0)


class PointFrame(GridFrame):
    """The geometry of a board whose pieces lie where its lines meet."""

    def bare(self, cell: Cell) -> str:
        """Draw the lines through a point, which end at the edges of the board."""
        if self.panel.ways:
            return self.outline("pb-slot", 0) + path("pb-rule", "".join(self._ways(cell)))
        middle, far = self.width / 2, (len(self.panel.columns) - 1, len(self.panel.rows) - 1)
        left, right = middle * (cell.column == 0), self.width - middle * (cell.column == far[0])
        top, foot = middle * (cell.row == far[1]), self.height - middle * (cell.row == 0)
        lines = f"M{left:g} {middle:g}H{right:g}M{middle:g} {top:g}V{foot:g}"
        return self.outline("pb-square pb-bare", 0) + path("pb-rule", lines)

    def _ways(self, cell: Cell) -> Iterator[str]:
        """Yield the halves, from a point, of the lines that the game names."""
        middle, others = self.width / 2, {each.at: each for each in self.panel.cells}
        for pair in self.panel.ways:
            for end in pair if cell.at in pair else ():
                x, y = others[end].column - cell.column, cell.row - others[end].row
                if x or y:
                    yield f"M{middle:g} {middle:g}l{x * middle:g} {y * middle:g}"


class HexFrame(GridFrame):
    """The geometry of a board of hexes with a corner at the top; odd rows begin half a hex later.

    The content of a hex is drawn in a square in its middle.
    """

    INNER: Final = 46.0
    """The side of the square of a hex's background."""

    def __init__(self, panel: Grid, rim: Rim, top: float) -> None:
        super().__init__(replace(panel, stacks=False), rim, top)
        self.height = CELL * 2 / math.sqrt(3)
        self.step = self.height * 0.75
        self.foot = self.top + max(0, len(panel.rows) - 1) * self.step + self.height
        self.square = GridFrame(self.panel, rim, top)

    def across(self) -> float:
        """Return the width of all hexes, and half of one where a row is shifted."""
        return super().across() + self.width / 2 * (len(self.panel.rows) > 1)

    def spot(self, column: int, row: int) -> tuple[float, float]:
        """Return the upper left corner of a hex."""
        x = self.left + (column + row % 2 / 2) * self.width
        return x, self.foot - row * self.step - self.height

    def outline(self, css: str, inset: float, round_: float = 0) -> str:
        """Draw the outline of a hex at a distance inside of it."""
        return _hexagon(css, self.width / 2, self.height / 2, inset)

    def ground(self, cell: Cell) -> str:
        """Draw the background in the middle of a hex."""
        drawn = ground(look(cell), self.INNER, self.INNER)
        x, y = (self.width - self.INNER) / 2, (self.height - self.INNER) / 2
        return at(x, y, drawn) if drawn else ""

    def over(self, cell: Cell, shown: Shown) -> str:
        """Draw the pieces on a hex, and the marks over them."""
        return at(0, (self.height - CELL) / 2, self.square.over(cell, shown))


class SpikeFrame(GridFrame):
    """The geometry of a board of spikes; its pieces lie in lines from the edges."""

    EDGE: Final = 28.0
    """The room of a number between the edge and the first piece."""
    DISC: Final = 54.0
    FULL: Final = 5
    """The pieces in a line that do not cover each other."""

    def __init__(self, panel: Grid, rim: Rim, top: float) -> None:
        super().__init__(panel, rim, top)
        self.height = self.EDGE + self.FULL * self.DISC + GAP
        self.foot = self.top + len(panel.rows) * self.height

    def _down(self, cell: Cell, far: float) -> float:
        """Return how far below its upper edge a cell has what is `far` from the board's edge."""
        return far if cell.row else self.height - far

    def _spots(self, cell: Cell) -> list[float]:
        """Return the middle of each piece, from the edge of the board on."""
        count = len(cell.shown)
        step = min(self.DISC, (self.FULL - 1) * self.DISC / max(1, count - 1))
        first = self.EDGE + self.DISC / 2
        return [self._down(cell, first + step * number) for number in range(count)]

    def _place(self, cell: Cell) -> Reach:
        x, y = self.corner(cell)
        *_, last = [self._down(cell, self.EDGE + self.DISC / 2), *self._spots(cell)]
        half = self.DISC / 2 if cell.pieces else 0.0
        return Reach(x + self.width / 2, y + last, half, half)

    def bare(self, cell: Cell) -> str:
        """Draw a spike; every second one is dark."""
        square = self.outline("pb-square pb-bare", 0)
        if not cell.note:
            return square
        wide, low = self.width, self._down(cell, self.EDGE)
        tip = self._down(cell, self.height - GAP)
        css = "pb-spike pb-chequer" if (cell.column + cell.row) % 2 else "pb-spike"
        return square + polygon(css, (1, low), (wide / 2, tip), (wide - 1, low))

    def over(self, cell: Cell, shown: Shown) -> str:
        """Draw the pieces of a line, their number if they cover each other, and the marks."""
        middle, spots = self.width / 2, self._spots(cell)
        discs = zip(spots, map(piece, cell.shown), strict=True)
        drawn = [at(middle, y + CELL / 2 - 6, disc) for y, disc in discs]
        if len(spots) > self.FULL:
            number = f'<g class="pb-turn">{count_pill(len(cell.pieces), 0, 0)}</g>'
            drawn.append(at(middle, spots[-1], number))
        drawn.append(words("pb-label", middle, self._down(cell, self.EDGE / 2), 21, cell.note))
        point_out = marking.beside if cell.pieces else marking.over
        drawn += (point_out(kind, self.width, self.height) for kind in shown.kinds(cell.at))
        return "".join(drawn) + notes(shown.notes(cell.at), self.width, self.height)


@functools.lru_cache(maxsize=64)
def _hexagon(css: str, x: float, y: float, inset: float) -> str:
    """Draw a hexagon around (x, y) with a corner at the top; its side is `y`, less an inset."""
    side = y - inset * 2 / math.sqrt(3)
    turns = (math.tau * corner / 6 for corner in range(6))
    return polygon(css, *((x + side * math.sin(turn), y - side * math.cos(turn)) for turn in turns))
