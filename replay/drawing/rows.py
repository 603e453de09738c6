"""Break rows of pieces into lines, as boards without squares."""

from __future__ import annotations

from typing import Final

from domain.scene import Cell, Grid, Panel, Pile, Row, Scene

LINE: Final = 7
"""The pieces in a line: on a narrow phone each of them is as wide as a finger."""

SLOT: Final = "slot"
"""The kind of place on which a piece of a row lies."""


def laid_out(panels: tuple[Panel, ...], line: int = LINE) -> list[Grid | Pile]:
    """Return the boards, and the rows as boards no narrower than the widest; no tables."""
    line = max([line, *(len(panel.columns) for panel in panels if isinstance(panel, Grid))])
    rows = (_lines(panel, line) if isinstance(panel, Row) else panel for panel in panels)
    return [panel for panel in rows if isinstance(panel, (Grid, Pile))]


def _lines(row: Row, line: int) -> Grid:
    count = max(1, -(-len(row.pieces) // line))
    cells = (
        Cell(each.at, place % line, count - 1 - place // line, each.pieces, look=SLOT)
        for place, each in enumerate(row.cells)
    )
    across = max(1, min(line, len(row.pieces)))
    return Grid(("",) * across, ("",) * count, tuple(cells), row.title)


def is_row(board: Grid) -> bool:
    """Return whether a board is a row that was laid out."""
    return all(cell.look == SLOT for cell in board.cells[:1])


def layers(scene: Scene) -> list[Grid]:
    """Return the boards that show a pile of the scene again, layer by layer; often none."""
    boards = [panel for panel in scene.panels if isinstance(panel, Grid)]
    flat = {cell.at for board in boards for cell in board.cells}
    piles = (panel for panel in scene.panels if isinstance(panel, Pile))
    return boards if any(flat >= {block.at for block in pile.blocks} for pile in piles) else []
