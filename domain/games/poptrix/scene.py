"""The scene of a position of Poptrix."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, Literal

from domain.board import OFF
from domain.effects import Effect
from domain.games.poptrix.board import BOARD, HOME, SIDES
from domain.games.poptrix.effects import Fought, Launched, Placed, Removed
from domain.games.poptrix.position import Table
from domain.names import Names, count
from domain.scene import Cell, Grid, Mark, Piece, Scene, Score, Supply, Tray

COLOUR: Final[tuple[Literal["black", "seat1", "seat2"], ...]] = ("black", "seat1", "seat2")
GROUND: Final = tuple(
    "home1" if at in HOME[1] else "home2" if at in HOME[2] else "" for at in BOARD.squares
)


def draw(table: Table, effects: Sequence[Effect], names: Names) -> Scene:
    """Draw the board, both stashes and the caps in them."""
    cells = [
        Cell(name, at % 5, at // 5, _pieces(table, at), ground=GROUND[at])
        for at, name in enumerate(BOARD.names)
    ]
    marks = tuple(mark for effect in effects for mark in _marks(effect))
    grid = Grid(BOARD.files, BOARD.ranks, tuple(cells))
    return Scene((grid,), (_tray(table, 1, names), _tray(table, 2, names)), marks=marks)


def _pieces(table: Table, at: int) -> tuple[Piece, ...]:
    code = table.board[at]
    if not code:
        return ()
    seat, pips = code >> 2, code & 3
    badges = ("cap",) if table.caps[seat - 1] == at else ()
    return (Piece("pyramid", COLOUR[seat], pips, badges),)


def _tray(table: Table, seat: int, names: Names) -> Tray:
    supplies = tuple(
        Supply(Piece("pyramid", COLOUR[seat], pips), table.stash[seat * 4 + pips])
        for pips in (1, 2, 3)
    )
    lines = ("cap in the stash",) if table.caps[seat - 1] == OFF else ()
    return Tray(
        names.title(seat), seat, supplies, lines, _score(table, seat), (COLOUR[seat],), seat == 2
    )


def _score(table: Table, seat: int) -> Score:
    """Count the pyramids on the board, which decide in the end (POP-6.1, POP-6.3)."""
    there = table.board.translate(SIDES).count(seat)
    words = f"{count(there, 'pyramid')} on the board"
    return Score.of(there, "pyramid", f"{there} ▲", words)


def _marks(effect: Effect) -> Iterator[Mark]:
    match effect:
        case Placed() | Launched():
            yield Mark(effect.at, "to")
        case Fought():
            yield Mark(effect.from_, "from")
            yield Mark(effect.ground, "to")
        case Removed():
            yield Mark(effect.at, "removed")
