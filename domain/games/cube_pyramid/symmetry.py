"""The symmetries of Cube Pyramid: its three faces can be permuted."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import permutations
from typing import Final

from msgspec.structs import replace

from domain.games.cube_pyramid.board import LAYERS, NAMES, SIDE, SPOTS, Spot, cells
from domain.games.cube_pyramid.position import Table
from domain.symmetry import Squares, Symmetry


def _distances(spot: Spot) -> tuple[int, int, int]:
    """Return the distances of a cell from faces 1, 2 and 3; a layer has all permutations."""
    return spot.row, spot.column, SIDE - 1 - spot.layer - spot.row - spot.column


def _exchange(faces: tuple[int, ...]) -> dict[str, str]:
    squares = {}
    for spot in SPOTS:
        distances = _distances(spot)
        row, column, _ = (distances[face] for face in faces)
        squares[spot.name] = f"{LAYERS[spot.layer]}{row + 1}{column + 1}"
    return squares


def _turn(squares: Squares) -> Callable[[Table, Squares], Table]:
    """Return a function that maps the cells of a position, twelve at a time."""

    @lru_cache(4096)
    def part(first: int, some: int) -> int:
        return cells(squares[name] for n, name in enumerate(NAMES[first:]) if some >> n & 1)

    def image(some: int) -> int:
        return part(0, some & 4095) | part(12, some >> 12 & 4095) | part(24, some >> 24)

    return lambda table, _: replace(
        table,
        light=image(table.light),
        dark=image(table.dark),
        open=image(table.open),
        due=table.due and image(table.due),
    )


def _symmetry(a: int, b: int, c: int) -> Symmetry:
    squares = _exchange((a, b, c))
    name = f"face {a + 1} for 1, {b + 1} for 2, {c + 1} for 3"
    return Symmetry(name, squares, _turn(squares))


SYMMETRIES: Final = tuple(
    _symmetry(*faces) for faces in permutations(range(3)) if faces != (0, 1, 2)
)


def symmetries(table: Table) -> tuple[Symmetry, ...]:
    """Return the symmetries of Cube Pyramid, the same in every position."""
    return SYMMETRIES
