"""Blockade's board: pyramids as numbers, the set-up, the reach and the landings of a leg.

A pyramid is colour * 4 + size; a black on a tower is `BLACK` more than the tower's colour and its
own size, because both decide which pyramids may land on it. A square holds a stack: bytes, bottom
to top, never empty. A *set of squares* is an int with one byte per square, 0 or 1.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, Literal

from domain.board import ALL_EIGHT, OFF, Board

BOARD: Final = Board(5, 5)
"""BLK-1.1."""

if TYPE_CHECKING:
    Square = str
else:
    Square = Literal[BOARD.names]

Stacks = tuple[bytes, ...]
"""A stack for every square, from a1 on."""

CLEAR, BLUE, GREEN, RED, YELLOW = range(5)
SMALL, MEDIUM, LARGE = 1, 2, 3
BLACK: Final = 32

Colour = Literal["clear", "blue", "green", "red", "yellow"]
COLOUR_WORD: Final[tuple[Colour, ...]] = ("clear", "blue", "green", "red", "yellow")
COOL: Final = (BLUE, GREEN)
WARM: Final = (RED, YELLOW)
"""The two colours of a seat, in the order of its dice (BLK-1.1, BLK-2.1)."""

CLEAR_LARGE: Final = CLEAR * 4 + LARGE
MOVABLE: Final = tuple((colour * 4 + SMALL, colour * 4 + MEDIUM) for colour in range(5))
"""By colour, the pyramids that move (BLK-3.1). No seat owns clear."""

TOWER: Final = tuple(
    bytes(colour * 4 + size for size in (LARGE, MEDIUM, SMALL)) for colour in range(5)
)
"""By colour, the stack that forms a tower (BLK-5.1)."""

TOWERS: Final = frozenset(TOWER)

BOTTOM_LAYER: Final = """
C B B B C
R R R B Y
R G C B Y
R G Y Y Y
C G G G C
"""
"""BLK-1.2, row 5 first."""

MEDIUMS: Final = {"a5": GREEN, "e5": RED, "a1": YELLOW, "e1": BLUE}
"""The corners and the colour of the five mediums on them (BLK-1.3)."""

BLACKS: Final = bytes((0, 5, 5, 5))
"""The supply by size (BLK-1.4)."""


def set_up() -> Stacks:
    """Return the stacks of the starting position (BLK-1.2, BLK-1.3)."""
    rows = [line.split() for line in BOTTOM_LAYER.split("\n")[-2:0:-1]]
    letters = [letter for row in rows for letter in row]
    return tuple(map(_first_stack, BOARD.names, letters))


def _first_stack(name: str, letter: str) -> bytes:
    colour = "CBGRY".index(letter)
    if colour != CLEAR:
        return bytes((colour * 4 + LARGE, colour * 4 + SMALL))
    mediums = bytes((MEDIUMS[name] * 4 + MEDIUM,)) * 5 if name in MEDIUMS else b""
    return bytes((CLEAR_LARGE,)) + mediums


SQUARES_OF: Final = tuple(
    tuple(at for at, stack in enumerate(set_up()) if stack[0] >> 2 == colour) for colour in range(5)
)
"""By colour, the squares of its larges, which never move and carry its towers (BLK-3.1)."""

SQUARE: Final = tuple(1 << 8 * at for at in BOARD.squares)
"""Each square as a set."""

BESIDE: Final = tuple(
    sum(
        SQUARE[BOARD.step(at, direction)]
        for direction in ALL_EIGHT
        if BOARD.step(at, direction) != OFF
    )
    for at in BOARD.squares
)
"""Each square's neighbours in the 8 directions, as a set (BLK-3.3)."""

MAX_COST: Final = 8
"""The highest cost of a leg: whichever coloured squares are blockades, the rest stays connected."""


def members(squares: int) -> Iterator[int]:
    """Yield the squares of a set, which is a number with a bit for each square."""
    return (at for at in BOARD.squares if squares & SQUARE[at])


@functools.lru_cache(maxsize=4096)
def reach(walls: int, start: int) -> tuple[int, ...]:
    """Return the squares that a leg from `start` reaches with 0, 1, 2 … points, as sets.

    `walls`, the opponent's blockades, can be reached but not passed (BLK-3.4); a leg cannot end on
    `start` (BLK-3.5).
    """
    within = [SQUARE[start]]
    for _ in range(MAX_COST):
        beyond = within[-1]
        for at in members(within[-1] & ~walls):
            beyond |= BESIDE[at]
        within.append(beyond)
    return tuple(squares & ~SQUARE[start] for squares in within)


@functools.lru_cache(maxsize=4096)
def ends(walls: int, start: int) -> tuple[tuple[int, ...], ...]:
    """Return the result of `reach` with sets as tuples of squares."""
    return tuple(tuple(members(squares)) for squares in reach(walls, start))


@functools.lru_cache(maxsize=16384)
def cost(walls: int, start: int, end: int) -> int:
    """Return the points a leg costs: the steps of its shortest route (BLK-3.5)."""
    wanted = SQUARE[end]
    return next(points for points, squares in enumerate(reach(walls, start)) if squares & wanted)


def can_land(pyramid: int, top: int) -> bool:
    """Return whether a pyramid may land on the top pyramid of a square (BLK-4)."""
    if top == CLEAR_LARGE:
        return True
    if top >> 2 & 7 != pyramid >> 2:
        return False
    return top & 3 > pyramid & 3 if top & BLACK else top & 3 >= pyramid & 3


ACCEPTS: Final = {
    pyramid: bytes(can_land(pyramid, top) for top in range(256))
    for pair in MOVABLE
    for pyramid in pair
}
"""`can_land` for all tops, as a table."""


def largest(supply: bytes) -> int:
    """Return the size of the largest remaining black, or 0 (BLK-5.1)."""
    return next((size for size in (LARGE, MEDIUM, SMALL) if supply[size]), 0)


def is_blockade(stack: bytes) -> bool:
    """Return whether a square is a blockade: its fourth pyramid is a black (BLK-5.1, BLK-5.2)."""
    return len(stack) > 3 and stack[3] >= BLACK


def blockades(stacks: Stacks, colours: tuple[int, int]) -> int:
    """Return the set of squares that are blockades in these colours."""
    return sum(
        [SQUARE[at] for colour in colours for at in SQUARES_OF[colour] if is_blockade(stacks[at])]
    )


def is_tower(stack: bytes) -> bool:
    """Return whether a square counts as a tower: exactly one, or a blockade (BLK-5.1, 5.3)."""
    height = len(stack)
    return height > 2 and (stack[3] >= BLACK if height > 3 else stack in TOWERS)


def towers(stacks: Stacks, colour: int) -> int:
    """Count the towers of a colour (BLK-6.1)."""
    return sum([is_tower(stacks[at]) for at in SQUARES_OF[colour]])


def after_leg(stacks: Stacks, supply: bytes, start: int, end: int) -> tuple[Stacks, bytes, int]:
    """Move the top pyramid of a square; a new tower gets the largest black left (BLK-5.1).

    Returns the stacks, the supply, and the size of that black, or 0.
    """
    cells = list(stacks)
    cells[start], pyramid = stacks[start][:-1], stacks[start][-1]
    cells[end] += stacks[start][-1:]
    black = largest(supply) if cells[end] == TOWER[pyramid >> 2] else 0
    if black:
        cells[end] += bytes((BLACK + (pyramid & ~3) + black,))
        supply = supply[:black] + bytes((supply[black] - 1,)) + supply[black + 1 :]
    return tuple(cells), supply, black
