"""Backgammon with the doubling cube and match points. Clauses: seeds/backgammon/rules-1.md."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from backgammon.board import BAR, OFF
from backgammon.moves import MOVES, Went, place
from backgammon.position import Backgammon, BackgammonOptions
from plybook.drawing import Cell, Colour, Grid, Mark, Piece, Row, Scene, Score, Tray
from plybook.game import Effect, Game, Names

COLOURS: Final[tuple[Colour, Colour]] = ("light", "dark")


def draw(position: Backgammon, effects: Sequence[Effect], names: Names) -> Scene:
    """Draw the board as seat 1 sees it; its points have the numbers of the seat in turn."""
    cells = [_cell(position, point) for point in range(1, 25)]
    bars = (Cell(place(seat, BAR), 6, 2 - seat, _men(position, seat, BAR)) for seat in (1, 2))
    board = Grid(("",) * 13, ("", ""), (*cells, *bars), lines="spikes")
    went = [effect for effect in effects if isinstance(effect, Went)]
    ends = {"from": [effect.start for effect in went], "to": [effect.end for effect in went]}
    marks = tuple(Mark(at, kind) for kind, places in ends.items() for at in places if at)
    trays = (_tray(position, 1, names), _tray(position, 2, names))
    return Scene((board, _dice(position, names)), trays, marks=marks)


def _cell(position: Backgammon, point: int) -> Cell:
    """Draw a point of seat 1: the first twelve below from the right, the others above."""
    across = 12 - point if point <= 12 else point - 13
    number = 25 - point if position.seat == 2 else point
    pieces = _men(position, 1, point) or _men(position, 2, 25 - point)
    column = across + (across > 5)
    return Cell(place(1, point), column, int(point > 12), pieces, note=str(number))


def _men(position: Backgammon, seat: int, point: int) -> tuple[Piece, ...]:
    return (Piece("disc", COLOURS[seat - 1]),) * position.men[seat - 1][point]


def _dice(position: Backgammon, names: Names) -> Row:
    """Draw the dice to play, and the cube."""
    dice = tuple(Piece("letter", "clear", text=str(die)) for die in position.dice)
    owner = f" of {names.title(position.owner)}" if position.owner else ""
    title = f"Dice and cube{owner}" if dice else f"Cube{owner}"
    return Row((*dice, Piece("letter", "black", text=str(position.cube))), title)


def _tray(position: Backgammon, seat: int, names: Names) -> Tray:
    own, colours = position.men[seat - 1], (COLOURS[seat - 1],)
    score = Score.of(position.score[seat - 1], "point")
    lines = (f"{sum(at * men for at, men in enumerate(own))} pips to go", f"{own[OFF]} of 15 off")
    return Tray(names.title(seat), seat, (), lines, score, colours, far=seat == 2)


def spellings(position: Backgammon, text: str) -> tuple[str, ...]:
    """Read the bar as 25, off as 0, a dash as a stroke, and a star for a hit."""
    plain = re.sub("[ *]", "", text.lower()).replace("-", "/")
    plain = re.sub("/0$", "/off", re.sub("^(25|b)/", "bar/", plain))
    return () if GAME.parse(plain) is None else (plain,)


GAME = Game(
    "backgammon",
    "Backgammon",
    options=BackgammonOptions,
    moves=MOVES,
    start=lambda options, seats: Backgammon(options),
    scene=draw,
    spellings=spellings,
    seeds="backgammon.seeds",
)
