"""The symmetry of Power Play with two seats: the diagonal from a1 to h8."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from domain.games.power_play.board import BOARD
from domain.games.power_play.position import Jumper, Table
from domain.symmetry import Squares, Symmetry, board_squares, goes


def _turn(table: Table, squares: Squares) -> Table:
    jumper = table.jumper
    if jumper is not None:
        start, at = (goes(BOARD, square, squares) for square in (jumper.start, jumper.at))
        jumper = Jumper(start, at, jumper.struck)
    board = b"".join([table.board[column::8] for column in range(8)])  # the columns become rows
    return replace(table, board=board, jumper=jumper)


# With more seats the mirror would exchange corners, and thus the order of play.
OF_TWO: Final = (
    Symmetry("the diagonal a1-h8", board_squares(BOARD, lambda column, row: (row, column)), _turn),
)


def symmetries(table: Table) -> tuple[Symmetry, ...]:
    """Return the symmetry of Power Play: with two seats, the diagonal through both corners."""
    return OF_TWO if len(table.lost) == 2 else ()
