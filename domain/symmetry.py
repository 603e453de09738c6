"""Symmetries of the rules: positions that are the same but for how one looks at the board."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from msgspec import structs

from domain.board import OFF, Board
from domain.position import Move, Position

T = TypeVar("T")

Squares = Mapping[str, str]
"""Where each square goes."""


def turn_squares(move: Move[Any], squares: Squares) -> Move[Any]:
    """Return a move with its squares turned, for games in which nothing else turns."""
    fields = structs.asdict(move)
    moved = {
        name: squares[value] for name, value in fields.items() if squares.get(value, value) != value
    }
    return structs.replace(move, **moved) if moved else move


class Symmetry(NamedTuple):
    """A way to turn a game that leaves its rules as they are.

    `squares` tells where each square goes; `turn_position` and `turn_move` do the turning, and
    turn moves back when given the squares the other way round.
    """

    name: str
    squares: Squares
    turn_position: Callable[[Any, Squares], Any]
    turn_move: Callable[[Any, Squares], Any] = turn_squares

    def position(self, position: Position) -> Position:
        """Return the image of a position."""
        image: Position = self.turn_position(position, self.squares)
        return image

    def move(self, move: Move[Any]) -> Move[Any]:
        """Return the image of a move: legal where the move is, and with the image as result."""
        image: Move[Any] = self.turn_move(move, self.squares)
        return image

    def undo(self, move: Move[Any]) -> Move[Any]:
        """Return the move that a move is the image of."""
        back = {to: from_ for from_, to in self.squares.items()}
        origin: Move[Any] = self.turn_move(move, back)
        return origin


def board_squares(board: Board, turn: Callable[[int, int], tuple[int, int]]) -> dict[str, str]:
    """Return where squares go by where columns and rows, from 0, go."""
    squares = {}
    for name, square in board.index.items():
        column, row = turn(square % board.columns, square // board.columns)
        squares[name] = board.names[row * board.columns + column]
    return squares


def mirror(board: Board) -> dict[str, str]:
    """Return where squares go when left and right are exchanged."""
    return board_squares(board, lambda column, row: (board.columns - 1 - column, row))


def turned(board: Board, cells: Sequence[T], squares: Squares) -> list[T]:
    """Return what lies on each square of a board after the turn."""
    after = list(cells)
    for square, cell in enumerate(cells):
        after[goes(board, square, squares)] = cell
    return after


def goes(board: Board, square: int, squares: Squares) -> int:
    """Return where a square goes; `OFF` stays `OFF`."""
    return OFF if square == OFF else board.index[squares[board.names[square]]]
