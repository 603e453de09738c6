"""The pieces of Power Play, and the squares that they reach.

A code is `seat * 32 + kind`, 0 for an empty square. The kinds 1 to 3 are single pyramids by their
pips, then come the nests and the power pieces. Tables are indexed by codes, so that the result of a
hop is looked up and not computed.

`check`, `legal` and the referee's own questions (skipped seats, the end of a jump, put-backs that
are due) all use these functions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, combinations_with_replacement, compress
from typing import Final

from domain.games.power_play.board import BOARD, HOPS, NEIGHBOURS

SEAT_SHIFT: Final = 5
EMPTY: Final = 0
BLACK: Final = 3
"""A large of no seat (PWR-1.3)."""

PILES: Final = ((), (1,), (2,), (3,))
NESTS: Final = tuple(
    tuple(sorted(sizes, reverse=True))
    for count in (2, 3)
    for sizes in combinations((1, 2, 3), count)
)
"""Loose pyramids of different sizes, outermost first (PWR-2.2)."""
POWERS: Final = tuple(
    tuple(sorted(sizes, reverse=True))
    for count in (2, 3)
    for sizes in combinations_with_replacement((1, 2, 3), count)
)
"""Bound pyramids, from the bottom up: each stacked on an equal or larger one (PWR-4.3)."""

KINDS: Final = PILES + NESTS + POWERS
FIRST_NEST: Final = len(PILES)
FIRST_POWER: Final = FIRST_NEST + len(NESTS)

CODES: Final = range(5 << SEAT_SHIFT)
OF_A_SEAT: Final = tuple(
    seat << SEAT_SHIFT | kind for seat in (1, 2, 3, 4) for kind in range(1, len(KINDS))
)

FULL_NEST: Final = KINDS.index((3, 2, 1))
"""The kind of the nests at the start (PWR-1.5)."""

POWER_OF_EACH_SIZE: Final = KINDS.index((3, 2, 1), FIRST_POWER)
"""The kind that knocks out a seat if it is built on that seat's starting square (PWR-6.2)."""


def kind(code: int) -> int:
    """Return the kind of a piece: its code without the seat."""
    return code & 31


def single(seat: int, pips: int) -> int:
    """Return the code of one pyramid."""
    return seat << SEAT_SHIFT | pips


def is_nest(code: int) -> bool:
    """Return whether a piece is a nest of more than one pyramid (PWR-2.2)."""
    return FIRST_NEST <= kind(code) < FIRST_POWER


def is_power(code: int) -> bool:
    """Return whether a piece is a power piece (PWR-2.3)."""
    return kind(code) >= FIRST_POWER


PYRAMIDS: Final = tuple(KINDS[kind(code)] if kind(code) < len(KINDS) else () for code in CODES)
"""The pips of each pyramid of a piece, largest first."""

STRENGTH: Final = bytes(map(sum, PYRAMIDS))
"""All the pips of a piece (PWR-2.1)."""


def bound(seat: int, pyramids: Iterable[int]) -> int:
    """Return the power piece of these sizes: a single pyramid for one size, 0 for none."""
    sizes = tuple(sorted(pyramids, reverse=True))
    if not sizes:
        return EMPTY
    return seat << SEAT_SHIFT | KINDS.index(sizes, FIRST_POWER if len(sizes) > 1 else 0)


def loose(seat: int, pyramids: Iterable[int]) -> int:
    """Return the nest of these pips; with equal sizes the power piece, because no nest has two."""
    sizes = tuple(sorted(pyramids, reverse=True))
    if sizes in NESTS:
        return seat << SEAT_SHIFT | KINDS.index(sizes)
    return bound(seat, sizes)


def _lift(code: int) -> tuple[int, int]:
    if not is_nest(code):
        return code, EMPTY
    seat, (outermost, *inside) = code >> SEAT_SHIFT, PYRAMIDS[code]
    return single(seat, outermost), seat << SEAT_SHIFT | KINDS.index(tuple(inside))


LIFTED: Final = tuple(map(_lift, CODES))
"""The moving part of a piece and the part that stays: a nest moves only its outermost."""


def _with(code: int, pips: int) -> int:
    if is_power(code) or not PYRAMIDS[code] or pips in (0, *PYRAMIDS[code]):
        return EMPTY
    return code & ~31 | KINDS.index(tuple(sorted((*PYRAMIDS[code], pips), reverse=True)))


NESTED: Final = tuple(tuple(_with(code, pips) for pips in range(4)) for code in CODES)
"""The nest made of a piece with another pyramid inside; 0 if it cannot be made (PWR-5.2)."""


def stacked(mover: int, target: int) -> int:
    """Return the power piece that a mover makes on its seat's piece, or 0 if it does not fit.

    A power piece can be stacked on, or stack itself, only while it has two pyramids, and these are
    ordered by size; so its bottom is its largest and its top its smallest. The top of a nest is its
    outermost, the largest (PWR-4.3).
    """
    upper, lower = PYRAMIDS[mover], PYRAMIDS[target]
    top = lower[0] if is_nest(target) else lower[-1]
    if upper[0] > top or len(upper) + len(lower) > 3:
        return EMPTY
    together = tuple(sorted(upper + lower, reverse=True))
    return mover & ~31 | KINDS.index(together, FIRST_POWER)


REFUSED: Final = 0
FREE: Final = 1
CAPTURE: Final = 2
KICKBACK: Final = 3
STACK: Final = 4


def _landing(mover: int, target: int) -> int:
    if target == EMPTY:
        return FREE
    if target == BLACK or (STRENGTH[target] > STRENGTH[mover] and _enemies(mover, target)):
        return REFUSED
    if not _enemies(mover, target):
        return STACK if stacked(mover, target) else REFUSED
    return KICKBACK if STRENGTH[target] == STRENGTH[mover] else CAPTURE


def _enemies(one: int, other: int) -> bool:
    return one >> SEAT_SHIFT != other >> SEAT_SHIFT


def _landings(mover: int) -> bytes:
    if mover not in OF_A_SEAT:
        return b""
    known = {EMPTY, BLACK, *OF_A_SEAT}
    return bytes(_landing(mover, target) if target in known else REFUSED for target in CODES)


LANDING: Final = tuple(map(_landings, CODES))
"""The result of a mover's landing on a target: `FREE` … `STACK`, or 0 if it is illegal (PWR-4.2).
"""

MINE: Final = tuple(
    bytes(code >> SEAT_SHIFT == seat and code in OF_A_SEAT for code in range(256))
    for seat in range(5)
)
"""For `bytes.translate`: the codes of each seat."""

KNOCKOUT: Final = 18
"""The lost pips at which a seat can be declared knocked out (PWR-6.1)."""


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
