"""Symmetries of the rules."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from operator import itemgetter
from typing import Any, NamedTuple, TypeVar

from msgspec import structs

from domain.board import OFF, Board
from domain.position import Move, Position

T = TypeVar("T")

Squares = Mapping[str, str]
"""Maps each square to its image."""


def turn_squares(move: Move[Any], squares: Squares) -> Move[Any]:
    """Return a move with its squares mapped, for games in which only squares change."""
    fields = structs.asdict(move)
    moved = {
        name: squares[value] for name, value in fields.items() if squares.get(value, value) != value
    }
    return structs.replace(move, **moved) if moved else move


class Symmetry(NamedTuple):
    """A symmetry under which the rules of a game are invariant.

    `squares` maps each square to its image; `turn_position` and `turn_move` apply such a map.
    Applied with the inverse map, they lead back.
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
        """Return the image of a move: legal in the image of the position, with an equal result."""
        image: Move[Any] = self.turn_move(move, self.squares)
        return image

    def undo(self, move: Move[Any]) -> Move[Any]:
        """Return the move of which a move is the image."""
        back = {to: from_ for from_, to in self.squares.items()}
        origin: Move[Any] = self.turn_move(move, back)
        return origin


def board_squares(board: Board, turn: Callable[[int, int], tuple[int, int]]) -> dict[str, str]:
    """Return a symmetry's map of squares, given one of columns and rows, counted from 0."""
    squares = {}
    for name, square in board.index.items():
        column, row = turn(square % board.columns, square // board.columns)
        squares[name] = board.names[row * board.columns + column]
    return squares


def mirror(board: Board) -> dict[str, str]:
    """Return the map that exchanges left and right.

    >>> mirror(Board(3, 1))
    {'a1': 'c1', 'b1': 'b1', 'c1': 'a1'}
    """
    return board_squares(board, lambda column, row: (board.columns - 1 - column, row))


def turned(board: Board, cells: Sequence[T], squares: Squares) -> list[T]:
    """Return the content of each square of a board after mapping."""
    return list(_before(board, tuple(map(squares.__getitem__, board.names)))(cells))


@functools.lru_cache(64)
def _before(board: Board, images: tuple[str, ...]) -> Callable[[Sequence[Any]], tuple[Any, ...]]:
    """Return a getter that maps the contents of all squares."""
    return itemgetter(*(images.index(name) for name in board.names))


def goes(board: Board, square: int, squares: Squares) -> int:
    """Return the image of a square under a symmetry; `OFF` stays `OFF`."""
    return OFF if square == OFF else board.index[squares[board.names[square]]]
