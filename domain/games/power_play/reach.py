"""Destinations of pieces: steps, hops and put-backs (PWR-3.3, PWR-4, PWR-5).

`check`, `legal` and the referee's own questions (skipped seats, the end of a jump, put-backs that
are due) all use these functions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import compress

from domain.games.power_play.board import BOARD, HOPS, NEIGHBOURS
from domain.games.power_play.pieces import LANDING, LIFTED, MINE, NESTED, SEAT_SHIFT

Cells = bytes | bytearray
"""The 64 codes of a board."""


def pieces(board: Cells, seat: int) -> Iterator[int]:
    """Yield the squares with a piece of a seat."""
    return compress(BOARD.squares, board.translate(MINE[seat]))


def steps(board: Cells, at: int) -> Iterator[int]:
    """Yield the squares that the piece on a square can step to (PWR-3.3)."""
    return (to for to in NEIGHBOURS[at] if not board[to])


def hops(board: Cells, at: int) -> Iterator[int]:
    """Yield the squares that the piece on a square can hop to (PWR-4.1, PWR-4.2)."""
    landing = LANDING[LIFTED[board[at]][0]]
    return (to for over, to in HOPS[at] if board[over] and landing[board[to]])


def can_hop(board: Cells, at: int) -> bool:
    """Return whether the piece on a square has a hop (PWR-4.6)."""
    return any(True for _ in hops(board, at))


def can_move(board: Cells, seat: int) -> bool:
    """Return whether a seat has a step or a jump (PWR-3.2)."""
    return any(
        any(True for _ in steps(board, at)) or can_hop(board, at) for at in pieces(board, seat)
    )


def has_pieces(board: Cells, seat: int) -> bool:
    """Return whether a seat has any pyramid on the board (PWR-6.3)."""
    return any(True for _ in pieces(board, seat))


def places(board: Cells, starting: Sequence[int], seat: int, pips: int) -> list[int]:
    """Return the squares for a put-back: nests first, or else empty squares (PWR-5.2)."""
    nests = [at for at in starting if board[at] >> SEAT_SHIFT == seat and NESTED[board[at]][pips]]
    return nests or [at for at in starting if not board[at]]


def returns(
    board: Cells, hands: bytes, starting: Sequence[int], seat: int
) -> Iterator[tuple[int, int]]:
    """Yield the pips and squares of every put-back of a seat (PWR-5)."""
    for pips in (1, 2, 3):
        if hands[seat * 4 + pips]:
            for at in places(board, starting, seat, pips):
                yield pips, at
