"""The sets of pieces of a free board, and where they usually begin."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

from domain.scene import Colour, Piece

Set = Literal["stones", "chess", "draughts", "pyramids", "letters"]

LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
KINDS: Final[dict[Set, str]] = {"chess": "KQRBNP", "draughts": "MK", "pyramids": "SML"}
WORDS: Final = {
    "K": "king", "Q": "queen", "R": "rook", "B": "bishop", "N": "knight", "P": "pawn",
    "S": "small", "M": "medium", "L": "large", "": "stone",
}  # fmt: skip
MEN: Final = {"M": "man", "K": "king"}
FIGURES: Final = {"K": "♚", "Q": "♛", "R": "♜", "B": "♝", "N": "♞", "P": "♟"}
COLOURS: Final[dict[str, Colour]] = {"w": "light", "b": "dark"}
BACK: Final = "RNBQKBNR"


def codes(pieces: Set) -> tuple[str, ...]:
    """Return the pieces of a set as move texts write them: `wK`, `b`, `A`."""
    if pieces == "letters":
        return tuple(LETTERS)
    kinds = KINDS.get(pieces)
    return tuple(f"{colour}{kind}" for colour in "wb" for kind in kinds or ("",))


def said(code: str, words: Mapping[str, str] = WORDS) -> str:
    """Return a piece in words: "dark knight", "letter A"."""
    return f"{COLOURS[code[0]]} {words[code[1:]]}" if code[0] in COLOURS else f"letter {code}"


def flipped(code: str) -> str:
    """Return the piece in the other colour; a letter has no other colour."""
    return f"{'b' if code[0] == 'w' else 'w'}{code[1:]}" if code[0] in "wb" else code


def drawn(code: str, pieces: Set, at: str = "") -> Piece:
    """Draw a piece of a set."""
    if pieces == "letters":
        return Piece("letter", "clear", text=code, at=at)
    colour, kind = COLOURS[code[0]], code[1:]
    if pieces == "pyramids":
        return Piece("pyramid", colour, 1 + "SML".index(kind), at=at)
    if pieces == "stones":
        return Piece("disc", colour, at=at)
    if pieces == "chess":
        symbol = f"seeds/free-board/{WORDS[kind]}"
        return Piece("symbol", colour, text=FIGURES[kind], symbol=symbol, at=at)
    return Piece("disc", colour, text="♚" if kind == "K" else "", at=at)


def usual(pieces: Set, size: int) -> dict[str, str] | None:
    """Return the usual start of a set on a board, by square; `None` if it has none."""
    if pieces == "chess" and size == 8:
        rows = {1: [f"w{each}" for each in BACK], 2: ["wP"] * 8}
        rows |= {8: [f"b{each}" for each in BACK], 7: ["bP"] * 8}
        return {
            f"{chr(97 + column)}{row}": code
            for row, line in rows.items()
            for column, code in enumerate(line)
        }
    if pieces == "draughts" and size in (8, 10):
        men = {**dict.fromkeys(range(1, size // 2), "wM")}
        men |= dict.fromkeys(range(size // 2 + 2, size + 1), "bM")
        return {
            f"{chr(97 + column)}{row}": code
            for row, code in men.items()
            for column in range(size)
            if (column + row) % 2
        }
    return None
