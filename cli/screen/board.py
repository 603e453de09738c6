"""Draw the boards of a scene with box lines, as large as a pane can hold.

The size of a square depends only on the board and the pane, so nothing moves from ply to ply.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from rich.style import Style
from rich.text import Text

from cli.screen.cells import Canvas, Scale, draw_cell
from cli.screen.palette import CHEQUER, FAINT, LINE, SQUARE, STRONG
from domain.scene import Grid, Mark, Scene
from replay.drawing import text
from replay.drawing.backgrounds import is_dark
from replay.drawing.marks import by_place
from replay.drawing.rows import LaidRow
from replay.drawing.svg_elements import printable

SCALES: Final = (
    *(Scale(7, 3), Scale(7, 2), Scale(5, 2), Scale(7, 1), Scale(5, 1), Scale(4, 1), Scale(3, 1)),
    *(Scale(7, 1, False), Scale(5, 1, False), Scale(3, 1, False), Scale(2, 1, False)),
)
"""The sizes of a square, the best first."""

STACK_SCALES: Final = (
    *(Scale(14, 3), Scale(11, 3), Scale(14, 2), Scale(11, 2), Scale(8, 3), Scale(8, 2)),
    *(Scale(14, 1), Scale(11, 1), Scale(8, 1), Scale(8, 1, False), Scale(5, 1, False)),
)
"""The sizes of a square that holds a stack."""

GAP: Final = 2
"""The columns between two boards."""

RULE: Final = Style(color=LINE, bgcolor=SQUARE)


class Placed(NamedTuple):
    """A board with the place of its upper left corner."""

    panel: Grid
    x: int
    y: int


def draw_boards(scene: Scene, columns: int, rows: int, *, colour: bool) -> Text:
    """Draw all boards of a scene; without enough `colour`, signs show the last move."""
    panels = list(text.boards(scene))
    if not panels:
        return Text("\n".join(line for drawn in text.sheet_lines(scene) for line in drawn))
    scale = fitting_scale(panels, columns, rows)
    placed = list(_arrange(panels, scale, columns))
    canvas = Canvas(*_extent(placed, scale))
    marks = by_place((*scene.marks, *_ends(scene)))
    for one in placed:
        _draw_frame(canvas, one, scale)
        for cell in one.panel.cells:
            x, y = _corner(one, scale, cell.column, cell.row)
            square = CHEQUER if is_dark(one.panel, cell) else SQUARE
            kinds = marks.get(cell.at, ())
            draw_cell(canvas, x, y, cell, kinds, scale, colour=colour, square=square)
    return canvas.text()


def _ends(scene: Scene) -> Iterator[Mark]:
    """Yield marks for the ends of the arrows of moves."""
    for arrow in scene.arrows:
        if arrow.kind in ("move", "push"):
            yield Mark(arrow.start, "from")
            yield Mark(arrow.end, "to")


def fitting_scale(panels: Sequence[Grid], columns: int, rows: int) -> Scale:
    """Return the best scale at which the boards fit, or else the smallest."""
    scales = STACK_SCALES if any(panel.stacks for panel in panels) else SCALES
    for scale in scales:
        width, height = _extent(list(_arrange(panels, scale, columns)), scale)
        if width <= columns and height <= rows:
            return scale
    return scales[-1]


def _arrange(panels: Sequence[Grid], scale: Scale, columns: int) -> Iterator[Placed]:
    """Place boards next to each other as far as they fit, aligned at the bottom."""
    top, row = 0, list[Grid]()
    for panel in panels:
        if row and _row_width([*row, panel], scale) > columns:
            yield from _place_row(row, scale, top)
            top += max(_height(one, scale) for one in row)
            row = []
        row.append(panel)
    yield from _place_row(row, scale, top)


def _place_row(row: Sequence[Grid], scale: Scale, top: int) -> Iterator[Placed]:
    bottom = top + max((_height(one, scale) for one in row), default=0)
    x = 0
    for panel in row:
        yield Placed(panel, x, bottom - _height(panel, scale))
        x += _width(panel, scale) + GAP


def _row_width(row: Sequence[Grid], scale: Scale) -> int:
    return sum(_width(panel, scale) + GAP for panel in row) - GAP


def _extent(placed: Sequence[Placed], scale: Scale) -> tuple[int, int]:
    width = max((one.x + _width(one.panel, scale) for one in placed), default=0)
    return width, max((one.y + _height(one.panel, scale) for one in placed), default=0)


def _margin(panel: Grid) -> int:
    """Return the columns of the row labels."""
    longest = max(map(len, panel.rows), default=0)
    return longest + 1 if longest else 0


def _step(scale: Scale) -> int:
    """Return the lines from a row to the next."""
    return scale.height + scale.ruled


def _width(panel: Grid, scale: Scale) -> int:
    squares = len(panel.columns) * (scale.width + 1) + 1
    title = len(panel.title) if isinstance(panel, LaidRow) else 0
    return max(title, _margin(panel) + squares + _shift(panel, scale, len(panel.rows) > 1))


def _shift(panel: Grid, scale: Scale, row: int) -> int:
    """Return the columns by which a row is shifted: half a hex for an odd row."""
    return (scale.width + 1) // 2 if panel.lines == "hexes" and row % 2 else 0


def _height(panel: Grid, scale: Scale) -> int:
    squares = len(panel.rows) * _step(scale) + 2 - scale.ruled
    return bool(panel.title) + squares + any(panel.columns)


def _corner(one: Placed, scale: Scale, column: int, row: int) -> tuple[int, int]:
    """Return the upper left character of a square; rows count from the bottom."""
    down = len(one.panel.rows) - 1 - row
    x = one.x + _margin(one.panel) + 1 + column * (scale.width + 1)
    x += _shift(one.panel, scale, row)
    return x, one.y + bool(one.panel.title) + 1 + down * _step(scale)


def _draw_frame(canvas: Canvas, one: Placed, scale: Scale) -> None:
    """Draw the title, the lines and the labels of a board."""
    panel, x = one.panel, one.x + _margin(one.panel)
    top = one.y + bool(panel.title)
    canvas.put(one.x, one.y, printable(panel.title)[: _width(panel, scale)], STRONG)
    for offset, line in enumerate(_rules(panel, scale) if panel.lines != "hexes" else ()):
        canvas.put(x, top + offset, line, RULE)
    for row, label in enumerate(panel.rows):
        y = _corner(one, scale, 0, row)[1] + scale.height // 2
        canvas.put(one.x, y, printable(label).rjust(_margin(panel) - 1), FAINT)
    for column, label in enumerate(panel.columns):
        left = _corner(one, scale, column, 0)[0]
        shown = printable(label)[: scale.width]
        below = top + len(panel.rows) * _step(scale) + 2 - scale.ruled
        if shown:
            canvas.put(left + (scale.width - len(shown)) // 2, below, shown, FAINT)


def _rules(panel: Grid, scale: Scale) -> Iterator[str]:
    """Yield the lines of an empty board."""
    rows = len(panel.rows)
    yield _rule("┌┬┐", panel, scale)
    for row in range(rows):
        for _ in range(scale.height):
            yield _rule("│││", panel, scale, " ")
        if scale.ruled and row + 1 < rows:
            yield _rule("├┼┤", panel, scale)
    yield _rule("└┴┘", panel, scale)


def _rule(corners: str, panel: Grid, scale: Scale, fill: str = "─") -> str:
    """Return a line with its left, middle and right corners."""
    squares = corners[1].join([fill * scale.width] * len(panel.columns))
    return f"{corners[0]}{squares}{corners[2]}"
