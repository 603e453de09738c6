"""The orders of programs: commands, passes, and the target square of each command (BAL-3)."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Annotated, Final, Literal

from msgspec import Meta, Struct

from domain.games.pyramid_ball.board import BOARD
from domain.pyramids import Size

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
    """A pass in a row of the program, to the own pyramid of that size (BAL-3.2)."""

    row: Literal[1, 2, 3]
    to: Size


Way = tuple[int, ...]
"""Maps each square to the target (or `OFF`) of a command."""

STAND: Final[Way] = tuple(BOARD.squares)
"""The way of a pyramid that stands still. Compare with `is`."""

UP: Final = {"F": (0, 1), "B": (0, -1), "L": (-1, 0), "R": (1, 0)}
"""The directions for the row-1 side; those of the row-8 side are opposite (BAL-3.1)."""


def _way(letter: str, side: int) -> Way:
    if letter not in UP:
        return STAND
    columns, rows = UP[letter]
    return tuple(BOARD.step(square, (columns * side, rows * side)) for square in BOARD.squares)


WAY: Final = {side: {letter: _way(letter, side) for letter in LETTERS} for side in (1, -1)}
"""The way of each command, for the row-1 side (1) and the row-8 side (-1)."""

# The rows of a turn in their order (BAL-4.1, BAL-11.3, BAL-11.5).
ROWS: Final = ("row 1", "first blitz row", "second blitz row", "row 2", "row 3", "dash row")
PROGRAM_ROW: Final = (1, 0, 0, 2, 3, 0)
"""For each row of a turn its program row, in which a pass can be thrown, or 0."""

Ways = tuple[Way, Way, Way, Way, Way, Way]
"""The target maps of one pyramid, one for each row of a turn."""

HALTED: Final[Ways] = (STAND,) * 6


def _plain(commands: str, way: dict[str, Way]) -> Ways:
    first, second, third = (way[letter] for letter in commands)
    return first, STAND, STAND, second, third, STAND


def _blitz(commands: str, way: dict[str, Way]) -> Ways:
    first, second, third = (way[letter] for letter in commands)
    return first, second, third, STAND, STAND, STAND


PLAIN: Final = {side: {three: _plain(three, WAY[side]) for three in TRIPLES} for side in WAY}
"""The ways of a pyramid by its three commands."""

BLITZ: Final = {side: {three: _blitz(three, WAY[side]) for three in TRIPLES} for side in WAY}
"""The ways of a blitzing large: in rows 2 and 3 it stands still (BAL-11.5)."""

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
