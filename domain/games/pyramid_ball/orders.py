"""The orders of programs: their notation, and the target square of each command (BAL-3)."""

from __future__ import annotations

import functools
import itertools
from typing import TYPE_CHECKING, Annotated, Final, Literal

from msgspec import Meta, Struct

from domain.board import Size
from domain.games.pyramid_ball.board import BOARD
from domain.notation import Lexeme, template

LETTERS: Final = ("F", "B", "L", "R", ".", "x")
"""Forward, back, left, right, stand still; a diagonal `x` counts as standing still (BAL-3.1)."""

TRIPLES: Final = tuple("".join(three) for three in itertools.product(LETTERS, repeat=3))

if TYPE_CHECKING:
    Command = str
    Commands = str
else:
    Command = Literal[LETTERS]
    Commands = Annotated[
        Literal[TRIPLES], Meta(extra_json_schema={"type": "string", "pattern": "^[FBLR.x]{3}$"})
    ]


class Pass(Struct, frozen=True, forbid_unknown_fields=True):
    """A pass in a row of the program, to the seat's pyramid of that size (BAL-3.2)."""

    row: Annotated[Literal[1, 2, 3], Meta(description="The row of the program, from 1.")]
    to: Annotated[Size, Meta(description="The size of the seat's pyramid that gets the ball.")]


def _read_pass(text: str) -> Pass | None:
    if not text:
        return None
    row: Literal[1, 2, 3] = 1 if text[6] == "1" else 2 if text[6] == "2" else 3
    size: Size = "S" if text[7] == "S" else "M" if text[7] == "M" else "L"
    return Pass(row, size)


def _write_pass(order: Pass | None) -> str:
    return "" if order is None else f",pass={order.row}{order.to}"


def _flag(word: str) -> Lexeme:
    return Lexeme(f",{word}|", bool, lambda there: f",{word}" if there else "")


COMMANDS: Final = Lexeme("[FBLR.x]{3}")

PROGRAM: Final = template(
    "S={S},M={M},L={L}{pass_}{dash}{quick}{blitz}",
    S=COMMANDS,
    M=COMMANDS,
    L=COMMANDS,
    pass_=Lexeme(",pass=[123][SML]|", _read_pass, _write_pass),
    dash=Lexeme(
        ",dash=[FBLR.x]|",
        lambda text: text[-1:] or None,
        lambda letter: f",dash={letter}" if letter else "",
    ),
    quick=_flag("quick"),
    blitz=_flag("blitz"),
)
"""The notation of a program: `S=FR.,M=..F,L=LLF,pass=2L,dash=F,quick,blitz`."""


Way = tuple[int, ...]
"""Maps each square to the target (or `OFF`) of a command."""

UP: Final = {"F": (0, 1), "B": (0, -1), "L": (-1, 0), "R": (1, 0)}
"""The directions for the row-1 side; the row-8 side has the opposite ones (BAL-3.1)."""

WAY: Final[dict[int, dict[str, Way]]] = {
    side: {
        letter: tuple(BOARD.step(square, (columns * side, rows * side)) for square in BOARD.squares)
        for letter, (columns, rows) in UP.items()
    }
    for side in (1, -1)
}
"""The way of each direction, for the row-1 side (1) and the row-8 side (-1)."""

# The rows of a turn in their order (BAL-4.1, BAL-11.3, BAL-11.5).
ROWS: Final = ("row 1", "first blitz row", "second blitz row", "row 2", "row 3", "dash row")
PROGRAM_ROW: Final = (1, 0, 0, 2, 3, 0)
"""For each row of a turn its program row, in which a pass can be thrown, or 0."""

Movers = tuple[tuple[int, Way], ...]
"""The pyramids that have a direction in a row, each with its sense."""


@functools.lru_cache(4096)
def movers_of(
    first: int, side: int, small: str, medium: str, large: str, dash: str | None, blitz: bool
) -> tuple[Movers, ...]:
    """Return the moving pyramids of a seat in each row of a turn; its S is number `first`.

    A blitzing large stays in rows 2 and 3 (BAL-11.5).
    """
    way = WAY[side]
    rows = zip(
        f"{small[0]}..{small[1:]}{dash or '.'}",
        f"{medium[0]}..{medium[1:]}.",
        f"{large}..." if blitz else f"{large[0]}..{large[1:]}.",
        strict=True,
    )
    return tuple(
        tuple((one, way[each]) for one, each in enumerate(row, first) if each in way)
        for row in rows
    )


RUN: Final = {
    (blitz, dash): tuple(
        row
        for row in range(6)
        if (row not in (1, 2) or blitz) and (row != 5 or dash)  # the extra rows
    )
    for blitz in (False, True)
    for dash in (False, True)
}
"""The rows that are played, by whether any program has a blitz and any has a dash."""
