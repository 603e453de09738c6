"""The symmetry of Poptrix: left and right."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from domain.games.poptrix.board import BOARD
from domain.games.poptrix.position import Table
from domain.symmetry import Squares, Symmetry, goes, mirror, turned


def _turn(table: Table, squares: Squares) -> Table:
    first, second = (goes(BOARD, cap, squares) for cap in table.caps)
    return replace(table, board=bytes(turned(BOARD, table.board, squares)), caps=(first, second))


SYMMETRIES: Final = (Symmetry("left and right", mirror(BOARD), _turn),)


def symmetries(table: Table) -> tuple[Symmetry, ...]:
    """Return the symmetries of Poptrix, the same in every position."""
    return SYMMETRIES
