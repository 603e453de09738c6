"""Pieces as short codes that do not rely on colour, and their ANSI colours.

A code is size letter and seat number, or colour letter and size letter: `L1`, `RM`. Cubes are `l`
and `d`, a ball is `*`. Badges follow: `^` cap, `*` ball, `!` halted.
"""

from __future__ import annotations

import re
from typing import Final

from domain.scene import Cell, Colour, Piece
from replay.drawing.backgrounds import look
from replay.drawing.colours import PAINTS, SIZE_LETTER
from replay.drawing.svg_elements import printable

BADGE: Final = {"cap": "^", "ball": "*", "halted": "!"}
MARK: Final = {
    "to": ">", "from": "<", "removed": "x", "due": "?", "failed": "/", "ball": "@",
    "circle": "+", "label": "=",
}  # fmt: skip
"""Signs before a cell; an unknown mark is a `~`."""

ESCAPE: Final = re.compile(r"\x1b\[[0-9;]*m")


def piece_code(thing: Piece) -> str:
    """Return the code of a piece with its badges: `L1^`."""
    return bare_code(thing) + "".join(map(_badge, thing.badges))


def _badge(name: str) -> str:
    return BADGE.get(name, printable(name[:1]))


def bare_code(thing: Piece) -> str:
    """Return the code of a piece without its badges: `L1`."""
    letter = PAINTS[thing.colour].letter
    if thing.shape == "ball":
        return "*"
    if thing.shape == "cube":
        return letter
    size = SIZE_LETTER[thing.size]
    return size + letter if thing.colour.startswith("seat") else letter + size


def ansi(colour: Colour | None, text: str) -> str:
    """Wrap text in the escape sequence of a colour."""
    return text if colour is None else f"\x1b[1;38;5;{PAINTS[colour].ansi}m{text}\x1b[0m"


def dim(text: str) -> str:
    """Wrap text in the escape sequence for faint."""
    return f"\x1b[2m{text}\x1b[0m"


def plain(text: str) -> str:
    """Remove escape sequences."""
    return ESCAPE.sub("", text)


def width(text: str) -> int:
    """Return the number of visible characters."""
    return len(plain(text))


def items(cell: Cell) -> list[str]:
    """Return the coloured parts of a cell, which may be on separate lines."""
    parts = _pieces(cell)
    kind, seat = look(cell)
    if kind == "wall":
        parts.insert(0, f"#{seat}")
    if cell.note:
        parts.append(printable(cell.note))
    return parts or [dim(_empty(kind, seat))]


def _pieces(cell: Cell) -> list[str]:
    things = cell.pieces
    if len(things) > 1 and cell.arrangement != "stack":
        return [_group(cell)]
    return [ansi(_shown(thing), piece_code(thing)) for thing in things]


def _shown(thing: Piece) -> Colour | None:
    return None if thing.shape == "ball" else thing.colour


def _group(cell: Cell) -> str:
    """Write nested pieces as `(LMS)1` and bound ones as `[LM]1`."""
    left, right = "()" if cell.arrangement == "nest" else "[]"
    sizes = "".join(SIZE_LETTER[thing.size] for thing in cell.pieces)
    first = cell.pieces[0]
    worn = "".join(_badge(badge) for thing in cell.pieces for badge in thing.badges)
    letter = PAINTS[first.colour].letter
    return ansi(first.colour, f"{left}{sizes}{right}{letter}{worn}")


def _empty(kind: str, seat: int) -> str:
    if kind in ("open", "due"):
        return "o"
    if kind == "closed":
        return "-"
    return f"_{seat or ''}" if kind else "."


def token_letter(thing: Piece) -> str:
    """Return what a token says for a piece out of a supply: its size, or the letter of a cube."""
    return SIZE_LETTER[thing.size] if thing.shape == "pyramid" else PAINTS[thing.colour].letter
