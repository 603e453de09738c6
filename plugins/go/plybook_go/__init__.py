"""Go on boards of 5 to 19 lines. The clauses are in seeds/go/rules-1.md."""

from __future__ import annotations

from collections.abc import Sequence

from plybook.drawing import Cell, Colour, Grid, Mark, Piece, Scene, Score, Tray
from plybook.game import Effect, Game, Names
from plybook_go.board import COLOURS, EMPTY, LETTERS, names, stars
from plybook_go.moves import MOVES, TEXT, Placed, symmetries
from plybook_go.position import Go, GoOptions, start
from plybook_go.sgf import SGF

STONES: tuple[Colour, ...] = ("black", "clear")


def draw(position: Go, effects: Sequence[Effect], players: Names) -> Scene:
    """Draw the board; crosses are on stones that are marked as dead."""
    size = position.options.size
    cells, marks = [], []
    for point, (at, stone) in enumerate(zip(names(size), position.board, strict=True)):
        row, column = divmod(point, size)
        on = () if stone == EMPTY else (Piece("disc", STONES[COLOURS.index(stone.upper())]),)
        cells.append(Cell(at, column, row, on, ground="star" if point in stars(size) else ""))
        marks += [Mark(at, "removed")] if stone.islower() else []
    marks += [Mark(one.at, "to") for one in effects if isinstance(one, Placed)]
    rows = tuple(str(row + 1) for row in range(size))
    trays = (_tray(1, position, players), _tray(2, position, players))
    grid = Grid(tuple(LETTERS[:size]), rows, tuple(cells), lines="points")
    return Scene((grid,), trays, marks=tuple(marks))


def _tray(seat: int, position: Go, players: Names) -> Tray:
    """Draw a seat, with its points once stones are no longer played."""
    points = position.points[seat - 1]
    known = Score(points, f"{points:g}", f"{points:g} points", "point")
    score = None if position.in_play else known
    return Tray(players.title(seat), seat, score=score, colours=(STONES[seat - 1],))


GAME = Game(
    "go",
    "Go",
    options=GoOptions,
    moves=MOVES,
    start=start,
    scene=draw,
    text=TEXT,
    symmetries=symmetries,
    formats=(SGF,),
    seeds="plybook_go.seeds",
)
