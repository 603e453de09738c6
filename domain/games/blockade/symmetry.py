"""The symmetry of Blockade: a half turn that exchanges the two colours of each seat (BLK-1.2)."""

from __future__ import annotations

from typing import Any, Final

from msgspec.structs import replace

from domain.games.blockade.board import BLUE, BOARD, CLEAR, GREEN, RED, YELLOW
from domain.games.blockade.moves import Roll
from domain.games.blockade.position import Table
from domain.position import Move
from domain.symmetry import Squares, Symmetry, board_squares, turn_squares

OTHER: Final = {CLEAR: CLEAR, BLUE: GREEN, GREEN: BLUE, RED: YELLOW, YELLOW: RED, 5: 5, 6: 6, 7: 7}
"""The image of each colour."""

RECOLOURED: Final = bytes(code & ~28 | OTHER[code >> 2 & 7] << 2 for code in range(256))
"""The image of each pyramid; the code of a black includes the colour of its tower."""


def _turn(table: Table, squares: Squares) -> Table:
    # Half a turn reverses the order of the squares; a set has a byte for each.
    walls = table.walls.to_bytes(len(BOARD.squares), "little")
    return replace(
        table,
        stacks=tuple([stack.translate(RECOLOURED) for stack in reversed(table.stacks)]),
        walls=int.from_bytes(walls, "big"),
        dice=None if table.dice is None else (table.dice[1], table.dice[0]),
        spent=(table.spent[1], table.spent[0]),
    )


def _turn_move(move: Move[Any], squares: Squares) -> Move[Any]:
    if isinstance(move, Roll):
        return Roll((move.dice[1], move.dice[0]))
    return turn_squares(move, squares)


SYMMETRIES: Final = (
    Symmetry(
        "half a turn, blue for green and red for yellow",
        board_squares(BOARD, lambda column, row: (4 - column, 4 - row)),
        _turn,
        _turn_move,
    ),
)


def symmetries(table: Table) -> tuple[Symmetry, ...]:
    """Return the symmetries of Blockade, the same in every position."""
    return SYMMETRIES
