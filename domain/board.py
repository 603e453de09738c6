"""Rectangular boards: squares as small ints, their names and steps; pyramids of three sizes."""

from __future__ import annotations

from string import ascii_lowercase
from typing import Final, Literal

Direction = tuple[int, int]
"""Columns to the right and rows up."""

ORTHOGONAL: Final[tuple[Direction, ...]] = ((0, 1), (1, 0), (0, -1), (-1, 0))
DIAGONAL: Final[tuple[Direction, ...]] = ((1, 1), (1, -1), (-1, -1), (-1, 1))
ALL_EIGHT: Final = ORTHOGONAL + DIAGONAL

OFF: Final = -1
"""The square that a step off the board leads to."""


class Board:
    """A board of `columns` × `rows`; square 0 is a1, and numbers run along the rows upwards."""

    def __init__(self, columns: int, rows: int) -> None:
        self.columns = columns
        self.rows = rows
        self.files = tuple(ascii_lowercase[:columns])
        self.ranks = tuple(str(row + 1) for row in range(rows))
        self.names = tuple(file + rank for rank in self.ranks for file in self.files)
        self.index = {name: square for square, name in enumerate(self.names)}
        self.squares = range(columns * rows)

    def step(self, square: int, direction: Direction, distance: int = 1) -> int:
        """Return the square at a distance in a direction, or `OFF`."""
        column = square % self.columns + direction[0] * distance
        row = square // self.columns + direction[1] * distance
        if 0 <= column < self.columns and 0 <= row < self.rows:
            return row * self.columns + column
        return OFF

    def beyond(self) -> tuple[dict[int, int], ...]:
        """Return for each square its neighbours, each with the square, or `OFF`, beyond it."""
        return tuple(
            {
                self.step(square, direction): self.step(square, direction, 2)
                for direction in ORTHOGONAL
                if self.step(square, direction) != OFF
            }
            for square in self.squares
        )

    def offset(self, start: int, end: int) -> Direction:
        """Return the columns and rows from `start` to `end`."""
        rows = end // self.columns - start // self.columns
        return end % self.columns - start % self.columns, rows


Size = Literal["S", "M", "L"]

PIPS: Final[dict[str, int]] = {"S": 1, "M": 2, "L": 3}
SIZES: Final[tuple[Size, ...]] = ("S", "M", "L")
"""The sizes, indexed by pips less one."""

SIZE_WORD: Final = ("", "small", "medium", "large")
"""The words for the sizes in sentences, indexed by pips."""
