"""Break rows of pieces into lines, as boards without squares."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from domain.scene import Grid, Panel, Pile, Row, Scene

LINE: Final = 7
"""The pieces in a line: on a narrow phone each of them is as wide as a finger."""

CLOSE: Final = 1.5
"""The pieces of a close row in the width of a square: a second line would shrink its board."""


LARGE: Final = 1.75
"""The scale of a row of tiles, so that their lines can be read on a phone."""


class LaidRow(Grid, frozen=True):
    """A row that was broken into lines, as a board without squares."""

    is_close: bool = False
    """Whether its pieces lie closer than those in squares."""
    has_tiles: bool = False
    """Whether its pieces are larger than those in squares."""


def laid_out(panels: tuple[Panel, ...], line: int = LINE) -> list[Grid | Pile]:
    """Return the boards, and the rows as boards no narrower than the widest; no tables."""
    line = max([line, *(len(panel.columns) for panel in panels if isinstance(panel, Grid))])
    rows = (_lines(panel, line, panels) if isinstance(panel, Row) else panel for panel in panels)
    return [panel for panel in rows if isinstance(panel, (Grid, Pile))]


def _lines(row: Row, line: int, beside: tuple[Panel, ...]) -> LaidRow:
    cells = row.cells
    squares = (isinstance(panel, Grid) and panel.lines != "hexes" for panel in beside)
    close = len(cells) > line and any(squares)
    tiles = any(piece.shape == "tile" for piece in row.pieces)
    line = int(line / LARGE if tiles else line * CLOSE if close else line)
    across, count = max(1, min(line, len(cells))), max(1, -(-len(cells) // line))
    placed = (
        replace(cell, column=place % line, row=count - 1 - place // line)
        for place, cell in enumerate(cells)
    )
    return LaidRow(
        ("",) * across,
        ("",) * count,
        tuple(placed),
        row.title,
        is_close=close and not tiles,
        has_tiles=tiles,
    )


def layers(scene: Scene) -> list[Grid]:
    """Return the boards that show a pile of the scene again, layer by layer; usually none."""
    boards = [panel for panel in scene.panels if isinstance(panel, Grid)]
    flat = {cell.at for board in boards for cell in board.cells}
    piles = (panel for panel in scene.panels if isinstance(panel, Pile))
    return boards if any(flat >= {block.at for block in pile.blocks} for pile in piles) else []
