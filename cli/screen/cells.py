"""Draw a square: its background, its pieces in three sizes, and signs."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Final, NamedTuple

from rich.style import Style
from rich.text import Text

from cli.screen.palette import EMBER, FAINT, GLOW, MARK, PAPER, STRONG, body, chip, tint
from domain.scene import Cell, Colour, Piece
from replay.drawing.backgrounds import look
from replay.drawing.colours import PAINTS, SIZE_LETTER, seat_colour
from replay.drawing.descriptions import BADGE, codes
from replay.drawing.descriptions import MARK as SIGN
from replay.drawing.svg_elements import printable

MOVED: Final = {"to": Style(bgcolor=GLOW), "from": Style(bgcolor=EMBER)}
"""The backgrounds of the last move."""
BASE: Final = 7
"""The width of the base of a large pyramid."""
BALL: Final = "●"
BARE: Final = str.maketrans("", "", "()[]")


class Scale(NamedTuple):
    """The size of a square in characters, and whether lines are drawn between the rows."""

    width: int
    height: int
    ruled: bool = True


def draw_cell(
    canvas: Canvas,
    x: int,
    y: int,
    cell: Cell,
    kinds: Collection[str],
    scale: Scale,
    *,
    colour: bool,
    square: str,
) -> None:
    """Draw a square, its upper left corner at x and y, with marks of these kinds."""
    canvas.fill(x, y, scale.width, scale.height, _ground(cell, kinds, square))
    things = [piece for piece in cell.pieces if piece.shape != "ball"]
    if not cell.pieces:
        _draw_empty(canvas, x, y, cell, scale)
    elif _is_pyramid(cell, things) and scale.width >= BASE:
        _draw_pyramid(canvas, x, y, things, scale)
    elif [piece.shape for piece in cell.pieces] == ["cube"]:
        moved = not MOVED.keys().isdisjoint(kinds)
        _draw_cube(canvas, x, y, things[0], scale, inset=moved or scale.width >= 5)
    elif things:
        _draw_codes(canvas, x, y, cell, scale)
    else:
        canvas.put(x + scale.width // 2, y + scale.height // 2, BALL, STRONG)
    _draw_badges(canvas, x, y, things, cell, scale)
    signs = _signs(kinds, colour=colour)[: scale.width]
    canvas.put(x, y, signs, Style(color=MARK, bold=True))


def _ground(cell: Cell, kinds: Collection[str], square: str) -> Style:
    """Return the background: the colour of the last move, or else of the square or its owner."""
    for kind, style in MOVED.items():
        if kind in kinds:
            return style
    kind, seat = look(cell)
    if kind == "closed":
        return Style(bgcolor=PAPER)
    owner = seat_colour(seat)
    return tint(owner) if owner else Style(bgcolor=square)


def _draw_empty(canvas: Canvas, x: int, y: int, cell: Cell, scale: Scale) -> None:
    kind, seat = look(cell)
    sign = {"open": "○", "due": "○", "closed": " "}.get(kind, str(seat or "·"))
    shown = printable(cell.note)[: scale.width] or sign
    middle = x + (scale.width - len(shown)) // 2
    canvas.put(middle, y + scale.height // 2, shown, FAINT)


def _is_pyramid(cell: Cell, things: Sequence[Piece]) -> bool:
    """Return whether the pieces are a single pyramid or a nest."""
    if not things or any(piece.shape != "pyramid" for piece in things):
        return False
    return len(things) == 1 or cell.arrangement == "nest"


def _draw_pyramid(canvas: Canvas, x: int, y: int, things: Sequence[Piece], scale: Scale) -> None:
    """Draw the outermost pyramid as a triangle; its base names its colour, and a nest's sizes."""
    outer = things[0]
    letter = PAINTS[outer.colour].letter
    name = "".join(SIZE_LETTER[piece.size] for piece in things) if len(things) > 1 else ""
    for up in range(min(outer.size, scale.height)):
        inner = 2 * (outer.size - up) - 1
        left = x + (scale.width - inner) // 2 - 1
        line = y + scale.height - 1 - up
        label = f"{name}{letter}"[:inner] if up == 0 else ""
        canvas.put(left, line, f"▟{'█' * inner}▙", body(outer.colour))
        canvas.put(left + 1 + (inner - len(label)) // 2, line, label, chip(outer.colour))


def _draw_cube(canvas: Canvas, x: int, y: int, cube: Piece, scale: Scale, *, inset: bool) -> None:
    """Fill a square with a cube; an `inset` leaves the background at its sides."""
    canvas.fill(x + inset, y, scale.width - 2 * inset, scale.height, chip(cube.colour))
    middle = x + scale.width // 2
    canvas.put(middle, y + scale.height // 2, PAINTS[cube.colour].letter, chip(cube.colour))


def _draw_codes(canvas: Canvas, x: int, y: int, cell: Cell, scale: Scale) -> None:
    """Write the codes of the pieces in lines; `+2` counts the pieces without room."""
    lines = list(_folded(list(_parts(cell, scale.width)), scale.width))
    hidden = sum(map(len, lines[scale.height :]))
    for row, line in enumerate(lines[: scale.height]):
        left = x + max(0, scale.width - _length(line)) // 2
        for colour, code in line:
            canvas.put(left, y + row, code[: scale.width], chip(colour))
            left += len(code) + 1
    if hidden:
        more = f"+{hidden}"
        canvas.put(x + scale.width - len(more), y + scale.height - 1, more, STRONG)
    elif len(lines) < scale.height and cell.note:
        note = printable(cell.note)[: scale.width]
        middle = x + (scale.width - len(note)) // 2
        canvas.put(middle, y + scale.height - 1, note, FAINT)


Code = tuple[Colour | None, str]


def _parts(cell: Cell, width: int) -> Iterator[Code]:
    """Yield the sign of a wall, then the codes of the pieces, without brackets if too long."""
    kind, seat = look(cell)
    if kind == "wall":
        yield None, f"#{seat}"
    for colour, code in codes(cell):
        yield colour, code if len(code) <= width else code.translate(BARE)


def _length(line: Sequence[Code]) -> int:
    return sum(len(code) + 1 for _, code in line) - 1


def _folded(parts: Sequence[Code], width: int) -> Iterator[list[Code]]:
    """Break codes into lines of a width, with a space between two codes."""
    line: list[Code] = []
    for part in parts:
        if line and _length([*line, part]) > width:
            yield line
            line = []
        line.append(part)
    yield line


def _draw_badges(
    canvas: Canvas, x: int, y: int, things: Sequence[Piece], cell: Cell, scale: Scale
) -> None:
    """Draw the badges of a single piece, and its ball, in the upper right corner."""
    if len(things) != 1:
        return
    worn = [BALL if badge == "ball" else BADGE.get(badge, badge[:1]) for badge in things[0].badges]
    shown = (BALL * (len(cell.pieces) - 1) + "".join(worn))[: scale.width]
    canvas.put(x + scale.width - len(shown), y, shown, STRONG)


def _signs(kinds: Collection[str], *, colour: bool) -> str:
    """Return the signs of marks; colours show the last move."""
    return "".join(SIGN.get(one, "~") for one in kinds if not (colour and one in MOVED))


class Canvas:
    """Characters with styles, by row and column from the upper left."""

    def __init__(self, width: int, height: int) -> None:
        self._rows = [[(" ", Style.null())] * width for _ in range(height)]

    def put(self, x: int, y: int, text: str, style: Style) -> None:
        """Write a text over the canvas; a style without background keeps the one below."""
        row = self._rows[y]
        for column, character in enumerate(text, x):
            row[column] = character, row[column][1] + style

    def fill(self, x: int, y: int, width: int, height: int, style: Style) -> None:
        """Paint a rectangle."""
        for row in range(y, y + height):
            self.put(x, row, " " * width, style)

    def text(self) -> Text:
        """Return the drawing as lines of text."""
        return Text("\n", no_wrap=True).join(map(_line, self._rows))


def _line(row: list[tuple[str, Style]]) -> Text:
    runs = groupby(row, key=itemgetter(1))
    return Text.assemble(*(("".join(one for one, _ in run), style) for style, run in runs))
