"""The points of a board by number, its chains of stones, and its areas.

A board is a text with a letter for each point, row by row from the lower left: `X` and `O` are
stones, `x` and `o` stones that are marked as dead, `.` is an empty point.
"""

from __future__ import annotations

import functools
from random import Random
from typing import Final

SIZES: Final = (5, 7, 9, 11, 13, 15, 17, 19)
LETTERS: Final = "ABCDEFGHJKLMNOPQRST"
"""The columns; Go leaves out the I."""
POINTS: Final = tuple(f"{letter}{row}" for row in range(1, 20) for letter in LETTERS)
EMPTY: Final = "."
COLOURS: Final = "XO"
KEYS: Final = {
    stone: [rng.getrandbits(128) for _ in POINTS] for stone in COLOURS for rng in [Random(stone)]
}
"""A fixed number for each stone on each point; a board has the exclusive or of its stones."""


@functools.cache
def names(size: int) -> tuple[str, ...]:
    """Return the names of the points of a board."""
    return tuple(f"{letter}{row}" for row in range(1, size + 1) for letter in LETTERS[:size])


@functools.cache
def numbers(size: int) -> dict[str, int]:
    """Return the points of a board by name."""
    return {name: point for point, name in enumerate(names(size))}


@functools.cache
def around(size: int) -> tuple[tuple[int, ...], ...]:
    """Return the neighbours of each point."""
    inside = range(size)
    steps = ((0, -1), (0, 1), (-1, 0), (1, 0))
    return tuple(
        tuple(
            (row + y) * size + column + x
            for y, x in steps
            if row + y in inside and column + x in inside
        )
        for row in inside
        for column in inside
    )


@functools.cache
def stars(size: int) -> tuple[int, ...]:
    """Return the nine dotted points, in the order in which they get handicap stones (GO-1.4)."""
    low = 3 if size > 11 else 2 if size > 5 else 1
    high, middle = size - 1 - low, size // 2
    places = ((high, high), (low, low), (high, low), (low, high), (low, middle), (high, middle))
    more = ((middle, low), (middle, high), (middle, middle))
    return tuple(row * size + column for column, row in (*places, *more))


def with_handicap(size: int, stones: int) -> str:
    """Return a board with handicap stones (GO-1.4)."""
    points = stars(size)[:stones]
    if stones in (5, 7):
        points = (*points[:-1], stars(size)[-1])
    return "".join("X" if p in points else EMPTY for p in range(size * size))


def joined(board: str, size: int, start: int) -> tuple[set[int], set[int]]:
    """Return the points of the kind of `start` that are joined with it, and all points around."""
    inside, beside, left, near = {start}, set[int](), [start], around(size)
    while left:
        for point in near[left.pop()]:
            if board[point] != board[start]:
                beside.add(point)
            elif point not in inside:
                inside.add(point)
                left.append(point)
    return inside, beside


def key(board: str) -> int:
    """Return the number of a board, by which boards are compared."""
    found = 0
    for point, stone in enumerate(board):
        if stone != EMPTY:
            found ^= KEYS[stone.upper()][point]
    return found


def chains(board: str, size: int) -> dict[int, tuple[set[int], set[int]]]:
    """Return for each stone the points of its chain, and the liberties of the chain."""
    found: dict[int, tuple[set[int], set[int]]] = {}
    for point, stone in enumerate(board):
        if stone != EMPTY and point not in found:
            chain, beside = joined(board, size, point)
            liberties = {p for p in beside if board[p] == EMPTY}
            found |= dict.fromkeys(chain, (chain, liberties))
    return found


def areas(board: str, size: int) -> tuple[int, int]:
    """Return the points of Black and of White, without komi (GO-6.1, GO-6.2)."""
    bare = board.replace("x", EMPTY).replace("o", EMPTY)
    counts, seen = [bare.count(colour) for colour in COLOURS], set[int]()
    for point, stone in enumerate(bare):
        if stone == EMPTY and point not in seen:
            area, beside = joined(bare, size, point)
            seen |= area
            owners = {bare[p] for p in beside}
            if len(owners) == 1:
                counts[COLOURS.index(owners.pop())] += len(area)
    return counts[0], counts[1]
