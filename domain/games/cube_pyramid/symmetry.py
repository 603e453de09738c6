"""The symmetries of Cube Pyramid: its three faces can be permuted."""

from __future__ import annotations

from itertools import permutations
from typing import Final

from msgspec.structs import replace

from domain.games.cube_pyramid.board import LAYERS, SIDE, SPOTS, Spot, cells, names
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


def _turn(table: Table, squares: Squares) -> Table:
    light, dark, open_, due = (
        cells(squares[name] for name in names(some))
        for some in (table.light, table.dark, table.open, table.due)
    )
    return replace(table, light=light, dark=dark, open=open_, due=due)


SYMMETRIES: Final = tuple(
    Symmetry(f"face {a + 1} for 1, {b + 1} for 2, {c + 1} for 3", _exchange((a, b, c)), _turn)
    for a, b, c in permutations(range(3))
    if (a, b, c) != (0, 1, 2)
)


def symmetries(table: Table) -> tuple[Symmetry, ...]:
    """Return the symmetries, the same in every position."""
    return SYMMETRIES
