"""Draw a corner pile of cubes along its diagonal, so that all three faces are visible.

A cube of layer k, row r and column c (from 0) is the cube (r, c, side - 1 - k - r - c) of a corner
whose tip points at the eye. It rests on the three cubes one step further along the axes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from domain.scene import Arrow, Block, Mark, Pile
from replay.drawing import marks as marking
from replay.drawing.arrows import Reach, arrows
from replay.drawing.board_geometry import Shown
from replay.drawing.marks import notes
from replay.drawing.pieces import cube
from replay.drawing.svg_elements import Box, at, escape, path, polygon, words

EDGE: Final = 36.0
"""The edge of a cube."""

HALF: Final = EDGE * math.sqrt(3) / 2
HEXAGON: Final = (
    (0.0, -EDGE), (HALF, -EDGE / 2), (HALF, EDGE / 2),
    (0.0, EDGE), (-HALF, EDGE / 2), (-HALF, -EDGE / 2),
)  # fmt: skip
MARGIN: Final = 8.0
TITLE: Final = 24.0
FACE: Final = 20.0
"""The space for the name of the upper face."""


def pile(panel: Pile, scene_marks: Sequence[Mark], scene_arrows: Sequence[Arrow]) -> Box:
    """Draw the pile from its lowest layer up, then its open spaces, marks and arrows."""
    return Corner(panel).draw(_place, scene_marks, scene_arrows)


def _place(block: Block, x: float, y: float, drawn: str) -> str:
    return f'<g class="pb-cell" data-at="{escape(block.at)}">{at(x, y, drawn)}</g>'


class Corner:
    """The geometry of one pile, whose upper edge is at `top`."""

    def __init__(self, panel: Pile, top: float = 0.0) -> None:
        self.panel = panel
        self.top = top
        self.middle = panel.side * HALF + MARGIN
        above = top + MARGIN + FACE + (TITLE if panel.title else 0)
        self.tip = above + (panel.side + 1) / 2 * EDGE

    def draw(
        self,
        place: Callable[[Block, float, float, str], str],
        scene_marks: Sequence[Mark],
        scene_arrows: Sequence[Arrow],
    ) -> Box:
        """Draw the pile in a corner; `place` wraps a block with its coordinates into a place."""
        blocks = sorted(self.panel.blocks, key=lambda block: block.layer)
        shown = Shown(scene_marks)
        labels = f'<g aria-hidden="true">{"".join(self._labels())}</g>'
        body = labels + "".join(self._floor())
        for open_ in (False, True):
            layer = [one for one in blocks if one.open == open_]
            body += "".join(place(one, *self._centre(one), _block(one)) for one in layer)
            body += "".join(self._marks(one, shown) for one in layer)
        body += "".join(self._notes(one, shown) for one in blocks)
        body += "".join(arrows(scene_arrows, {one.at: Reach(*self._centre(one)) for one in blocks}))
        height = self.tip + self.panel.side * EDGE + MARGIN
        return Box(2 * self.middle, height, body)

    def _labels(self) -> Iterator[str]:
        if self.panel.title:
            yield words("pb-title", 4, self.top + 13, 16, self.panel.title)
        low = self.tip + (self.panel.side + 1) / 2 * EDGE
        yield words("pb-label", MARGIN + 2 * HALF, low, 14, "face 1")
        yield words("pb-label", 2 * self.middle - MARGIN - 2 * HALF, low, 14, "face 2")
        top = self.tip - (self.panel.side + 1) / 2 * EDGE - FACE / 2
        yield words("pb-label", self.middle, top, 14, "face 3")

    def _floor(self) -> Iterator[str]:
        """Draw the floor under the lowest layer."""
        for row in range(self.panel.side):
            for column in range(self.panel.side - row):
                place = self._centre(Block("", 0, row, column))
                yield at(*place, polygon("pb-square", *HEXAGON))

    def _centre(self, block: Block) -> tuple[float, float]:
        """Return the centre of a cube: rows go up to the right, columns to the left, layers up."""
        x, y = block.row, block.column
        z = self.panel.side - 1 - block.layer - x - y
        return self.middle + (x - y) * HALF, self.tip + (z - (x + y) / 2) * EDGE

    def _marks(self, block: Block, shown: Shown) -> str:
        shape = tuple((x * 0.94, y * 0.94) for x, y in HEXAGON)
        drawn = "".join(marking.around(kind, shape) for kind in shown.kinds(block.at))
        return at(*self._centre(block), drawn) if drawn else ""

    def _notes(self, block: Block, shown: Shown) -> str:
        x, y = self._centre(block)
        drawn = notes(shown.notes(block.at), 2 * HALF, 2 * HALF)
        return at(x - HALF, y - HALF, drawn) if drawn else ""


def _block(block: Block) -> str:
    """Draw a cube or an open space around the origin."""
    return _space(block) if block.colour is None else cube(block.colour, EDGE)


def _space(block: Block) -> str:
    small = tuple((x * 0.82, y * 0.82) for x, y in HEXAGON)
    spokes = "".join(f"M0 0L{x:.1f} {y:.1f}" for x, y in small[1::2])
    outline = polygon("pb-open pb-space", *small) + path("pb-space-spoke", spokes)
    return outline + words("pb-note", 0, 0, 13, block.at)
