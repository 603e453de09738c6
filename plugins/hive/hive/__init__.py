"""Hive with its three expansions. The clauses are in seeds/hive/rules-1.md."""

from __future__ import annotations

from collections.abc import Sequence

from hive.board import around
from hive.moves import MOVES, TEXT, Put
from hive.position import Hive, HiveOptions
from hive.uhp import UHP, spellings
from plybook.drawing import Cell, Grid, Mark, Piece, Row, Scene, Tray
from plybook.game import Effect, Game, Names


def draw(position: Hive, effects: Sequence[Effect], names: Names) -> Scene:
    """Draw the hive with the spaces around it, and the pieces in hand."""
    near = {to for cell in position.board for to in around(cell)} | position.board.keys()
    placed = {(q + (r - r % 2) // 2, -r): (q, r) for q, r in near or {(0, 0)}}
    left, low = (min(axis) for axis in zip(*placed, strict=True))
    low -= low % 2
    cells = tuple(
        Cell(position.name("", cell) or "start", column - left, row - low, stack(position, cell))
        for (column, row), cell in sorted(placed.items())
    )
    columns = ("",) * (1 + max(cell.column for cell in cells))
    rows = ("",) * (1 + max(cell.row for cell in cells))
    hands = []
    for seat, colour in ((1, "w"), (2, "b")):
        hand = [one for one in position.pieces if one[0] == colour and one not in position.cells]
        title = f"{names.title(seat)}’s pieces"
        hands += [Row(tuple(tile(piece, piece) for piece in hand), title)] if hand else []
    moved = {effect.piece for effect in effects if isinstance(effect, Put)}
    marks = tuple(Mark(cell.at, "to") for cell in cells if cell.at in moved)
    trays = (
        Tray(names.title(1), 1, colours=("light",)),
        Tray(names.title(2), 2, colours=("dark",)),
    )
    return Scene((Grid(columns, rows, cells, lines="hexes"), *hands), trays, marks=marks)


def stack(position: Hive, cell: tuple[int, int]) -> tuple[Piece, ...]:
    """Draw the pieces of a cell from the bottom up."""
    return tuple(tile(piece) for piece in position.board.get(cell, ()))


def tile(piece: str, at: str = "") -> Piece:
    """Draw a piece as its insect, with a dot for each piece of its kind up to it."""
    colour, text = "light" if piece[0] == "w" else "dark", piece[1:]
    return Piece("symbol", colour, text=text, symbol=f"hive.seeds/hive/{text.lower()}", at=at)


GAME = Game(
    "hive",
    "Hive",
    options=HiveOptions,
    moves=MOVES,
    start=lambda options, seats: Hive(options),
    scene=draw,
    text=TEXT,
    spellings=spellings,
    formats=(UHP,),
    seeds="hive.seeds",
)
