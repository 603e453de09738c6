"""The board, the six pyramids on it, and the lines of passes (BAL-1, BAL-5.2)."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Final, Literal

from domain.board import SIZES, Board, Size

BOARD: Final = Board(7, 8)
"""BAL-1.1."""

if TYPE_CHECKING:
    Square = str
else:
    Square = Literal[BOARD.names]

ROW: Final = tuple(square // 7 for square in BOARD.squares)
"""The row of each square, from 0."""

# The pyramids are numbered 0 to 5: S, M and L of seat 1, then of seat 2.
SEAT: Final = (1, 1, 1, 2, 2, 2)
"""The seat of each pyramid."""
SIZE: Final[tuple[Size, ...]] = (*SIZES, *SIZES)
"""The size of each pyramid."""
PYRAMIDS: Final = ("1S", "1M", "1L", "2S", "2M", "2L")
"""A short name of each pyramid: its seat and size."""

NOBODY: Final = -1
"""The value for the carrier while the ball is loose."""

LOW_START: Final = tuple(BOARD.index[at] for at in ("f3", "d4", "b3"))
HIGH_START: Final = tuple(BOARD.index[at] for at in ("f6", "d5", "b6"))
"""The starting squares of S, M and L, on the row-1 side and on the row-8 side (BAL-1.2)."""

BEYOND: Final = BOARD.beyond()
"""For each square its neighbours, each with the square (or `OFF`) directly beyond it."""


def pyramid(seat: int, size: Size) -> int:
    """Return the number of a seat's pyramid."""
    return PYRAMIDS.index(f"{seat}{size}")


@functools.cache
def line(start: int, end: int) -> tuple[int, ...]:
    """Return the squares that the line between two centres enters, in order.

    Both ends are omitted. A square of which only a corner is touched is not entered (BAL-5.2).
    """
    columns, rows = BOARD.offset(start, end)
    left, low = min(start % 7, end % 7), min(ROW[start], ROW[end])
    between = (
        (row * 7 + column, abs(column - start % 7) + abs(row - ROW[start]))
        for column in range(left, left + abs(columns) + 1)
        for row in range(low, low + abs(rows) + 1)
    )
    entered = [
        (distance, square)
        for square, distance in between
        if square not in (start, end) and _enters(start, columns, rows, square)
    ]
    return tuple(square for _, square in sorted(entered))


def _enters(start: int, columns: int, rows: int, square: int) -> bool:
    """Return whether a straight line enters a square, so that corners are on both its sides."""
    column, row = BOARD.offset(start, square)
    sides = [
        columns * (2 * row + up) - rows * (2 * column + right)
        for up in (-1, 1)
        for right in (-1, 1)
    ]
    return min(sides) < 0 < max(sides)
