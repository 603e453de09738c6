"""The board of Power Play: squares, corners, and the paths of steps and hops (PWR-1, PWR-4.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

from domain.board import ALL_EIGHT, OFF, Board

BOARD: Final = Board(8, 8)
"""PWR-1.1."""

if TYPE_CHECKING:
    Square = str
else:
    Square = Literal[BOARD.names]

CENTRE: Final = tuple(BOARD.index[name] for name in ("d4", "e4", "d5", "e5"))
"""The squares of the black larges (PWR-1.3)."""

NEIGHBOURS: Final = tuple(
    tuple(to for to in (BOARD.step(at, way) for way in ALL_EIGHT) if to != OFF)
    for at in BOARD.squares
)
"""For each square the squares a step away (PWR-3.3)."""

HOPS: Final = tuple(
    tuple(
        (BOARD.step(at, way), BOARD.step(at, way, 2))
        for way in ALL_EIGHT
        if BOARD.step(at, way, 2) != OFF
    )
    for at in BOARD.squares
)
"""For each square the pairs of a neighbour and the square directly behind it (PWR-4.1)."""

BETWEEN: Final = tuple({to: over for over, to in pairs} for pairs in HOPS)
"""For each square the possible ends of a hop, with the square hopped over."""


def _corner(names: str) -> tuple[int, ...]:
    return tuple(BOARD.index[name] for name in names.split())


A1: Final = _corner("a1 b1 c1 a2 a3")
A8: Final = _corner("a8 b8 c8 a7 a6")
H8: Final = _corner("h8 g8 f8 h7 h6")
H1: Final = _corner("h1 g1 f1 h2 h3")

STARTING: Final = {
    2: ((), A1, H8),
    3: ((), A1, A8, H8),
    4: ((), A1, A8, H8, H1),
}
"""The starting squares by number of seats, then by seat (PWR-1.2, PWR-1.4)."""
