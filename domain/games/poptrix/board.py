"""Poptrix's board: squares, pyramids as numbers, who can launch and who can attack.

A board is 30 bytes: 0 for an empty square, else seat * 4 + pips. The stash is indexed by the
same code.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, Literal

from domain.board import OFF, ORTHOGONAL, Board

BOARD: Final = Board(5, 6)
"""POP-1.1."""

if TYPE_CHECKING:
    Square = str
else:
    Square = Literal[BOARD.names]

HOME: Final = {1: range(5), 2: range(25, 30)}
"""The home row of each seat (POP-1.1)."""

LARGE: Final = 3

ADJACENT: Final = tuple(
    tuple(
        (BOARD.step(square, direction), BOARD.step(square, direction, 2))
        for direction in ORTHOGONAL
        if BOARD.step(square, direction) != OFF
    )
    for square in BOARD.squares
)
"""For each square its neighbours, each with the square straight behind it (POP-4.0, POP-4.3)."""

BEHIND: Final = tuple(dict(pairs) for pairs in ADJACENT)

REACH: Final = tuple(tuple(to for pair in pairs for to in pair if to != OFF) for pairs in ADJACENT)
"""For each square those one or two away in a straight line (POP-3.3)."""

EMPTY: Final = 0
STASH: Final = bytes((0, 0, 0, 0, 0, 5, 5, 5, 0, 5, 5, 5))
"""What the seats start with (POP-1.2)."""


def launchable(stash: bytes, launcher: int, pips: int) -> bool:
    """Tell whether the stash has this size and the launcher is of another (POP-3.2)."""
    return pips != launcher & 3 and stash[(launcher & ~3) + pips] > 0


def can_fight(board: bytes, from_: int, to: int) -> bool:
    """Tell whether a piece can fight an adjacent enemy: a large needs room behind (POP-4.3)."""
    if board[from_] & 3 != LARGE:
        return True
    landing = BEHIND[from_][to]
    return landing != OFF and not board[landing]


def attacks(board: bytes, seat: int) -> Iterator[tuple[int, int]]:
    """List every attack of a seat, from and to (POP-4)."""
    for from_, code in enumerate(board):
        if code >> 2 == seat:
            for to, _ in ADJACENT[from_]:
                target = board[to]
                if target and target >> 2 != seat and can_fight(board, from_, to):
                    yield from_, to


def can_launch(board: bytes, stash: bytes, seat: int) -> bool:
    """Tell whether a seat has any launch (POP-3)."""
    return any(
        code >> 2 == seat
        and any(launchable(stash, code, pips) for pips in (1, 2, 3))
        and not all(board[to] for to in REACH[from_])
        for from_, code in enumerate(board)
    )
