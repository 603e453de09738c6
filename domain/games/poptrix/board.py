"""Poptrix's board: squares, pyramids as numbers, possible launches and attacks.

A board is 30 bytes: 0 for an empty square, else seat * 4 + pips. The stash is indexed by the same
code.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from itertools import compress
from typing import TYPE_CHECKING, Final, Literal

from domain.board import OFF, Board

BOARD: Final = Board(5, 6)
"""POP-1.1."""

if TYPE_CHECKING:
    Square = str
else:
    Square = Literal[BOARD.names]

HOME: Final = {1: range(5), 2: range(25, 30)}
"""The home row of each seat (POP-1.1)."""

HOME_ROW: Final = {1: 1, 2: 6}
"""The numbers of these rows."""

LARGE: Final = 3

BEHIND: Final = BOARD.beyond()
"""For each square its neighbours, each with the square directly behind it (POP-4.0, POP-4.3)."""

DIAGONALS: Final = tuple(
    frozenset(
        to
        for to in BOARD.squares
        if abs(BOARD.offset(from_, to)[0]) == abs(BOARD.offset(from_, to)[1]) != 0
    )
    for from_ in BOARD.squares
)
"""For each square the squares on its diagonals, at any distance (POP-1.4)."""

REACH: Final = tuple(
    tuple(to for pair in behind.items() for to in pair if to != OFF) for behind in BEHIND
)
"""For each square the squares one or two away in a straight line (POP-3.3)."""

EMPTY: Final = 0
STASH: Final = bytes((0, 0, 0, 0, 0, 5, 5, 5, 0, 5, 5, 5))
"""The stashes at the start (POP-1.2)."""

CODES: Final = range(256)
"""The domain of a table for `bytes.translate`."""

OF_SEAT: Final = tuple(bytes(code >> 2 == seat for code in CODES) for seat in range(3))
"""By seat, a table that translates a board to 1 on squares of its pyramids, 0 elsewhere."""

SIDES: Final = bytes(code >> 2 for code in CODES)
OPPONENTS: Final = bytes((0, 2, 1)[code >> 2] if code < 12 else 0 for code in CODES)
"""Tables that translate a board to the seats of its pyramids, and to their opponents."""

FILE, RANK = 8, 8 * BOARD.columns
"""The bits by which a board as a number is shifted for one square right, or one up."""

# A shift to the right also moves the last square of a row to the first of the next.
NOT_FIRST_FILE: Final = int.from_bytes(bytes((0, 255, 255, 255, 255)) * BOARD.rows)

as_number: Final = int.from_bytes


def pyramids(board: bytes, seat: int) -> Iterator[int]:
    """Yield the squares of a seat's pyramids."""
    return compress(BOARD.squares, board.translate(OF_SEAT[seat]))


def launchable(stash: bytes, launcher: int) -> tuple[int, ...]:
    """Return the sizes that a pyramid can launch: all in the stash except its own (POP-3.2)."""
    seat = launcher & ~3
    return _sizes(stash[seat + 1 : seat + 4], launcher & 3)


@functools.cache
def _sizes(left: bytes, other: int) -> tuple[int, ...]:
    return tuple(pips for pips, number in enumerate(left, 1) if number and pips != other)


def launches(board: bytes, stash: bytes, seat: int) -> Iterator[tuple[int, int, int]]:
    """Yield every launch of a seat: from, pips and to (POP-3)."""
    for from_ in pyramids(board, seat):
        for pips in launchable(stash, board[from_]):
            for to in REACH[from_]:
                if not board[to]:
                    yield from_, pips, to


def can_fight(board: bytes, from_: int, to: int) -> bool:
    """Return whether a piece can fight an adjacent enemy: a large needs room behind (POP-4.3)."""
    if board[from_] & 3 != LARGE:
        return True
    landing = BEHIND[from_][to]
    return landing != OFF and not board[landing]


def can_attack(board: bytes, seat: int) -> bool:
    """Return whether a seat has any attack, and so must attack (POP-2.3)."""
    return in_contact(board) and any(attacks(board, seat))


def attacks(board: bytes, seat: int) -> Iterator[tuple[int, int]]:
    """Yield every attack of a seat: from and to (POP-4)."""
    enemies = board.translate(OF_SEAT[3 - seat])
    for from_ in pyramids(board, seat):
        for to in BEHIND[from_]:
            if enemies[to] and can_fight(board, from_, to):
                yield from_, to


def in_contact(board: bytes) -> bool:
    """Return whether enemies are adjacent anywhere; usually they are not, so none can attack.

    The whole board is compared with itself, shifted by a square.
    """
    sides = as_number(board.translate(SIDES))
    opponents = as_number(board.translate(OPPONENTS))
    return sides & (opponents >> FILE & NOT_FIRST_FILE | opponents >> RANK) != 0
