"""Free board: any abstract game, without a referee. Clauses: seeds/free-board/rules-1.md."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

from domain.effects import Effect
from domain.game import Game, OptionError, Options
from domain.games.free_board.effects import Flipped, PutDown, Removed, Shifted
from domain.games.free_board.moves import End, Flip, Pass, Put, Remove, Shift, Stack
from domain.games.free_board.pieces import COLOURS, Set, codes, drawn, usual
from domain.games.free_board.position import Layout, Lines, Turns, places
from domain.names import Names
from domain.scene import Arrow, Cell, Grid, Mark, Row, Scene, Tray


class BoardOptions(Options, frozen=True):
    """FRB-1.1 to FRB-1.4."""

    board: Lines = "squares"
    size: Literal[3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 19] = 8
    pieces: Set = "stones"
    start: Literal["empty", "usual"] = "empty"
    turns: Turns = "one"


def start(options: BoardOptions, seats: int) -> Layout:
    """Set up the free board."""
    begun = {}
    if options.start == "usual":
        found = usual(options.pieces, options.size)
        if found is None or options.board != "squares":
            raise OptionError(
                "start=usual needs board=squares, and pieces=chess with size=8, or"
                " pieces=draughts with size=8 or 10",
                "start",
            )
        begun = found
    stacks = tuple((begun[name],) if name in begun else () for name in places(options.size))
    return Layout(options.board, options.size, options.pieces, stacks, turns=options.turns)


def draw(layout: Layout, effects: Sequence[Effect], names: Names) -> Scene:
    """Draw the board and the pieces to put on it."""
    size, pieces = layout.size, layout.pieces
    cells = tuple(
        Cell(at, n % size, n // size, tuple(drawn(code, pieces) for code in layout.stacks[n]))
        for n, at in enumerate(places(size))
    )
    lines: Final = {"squares": "cells", "points": "points", "hexes": "hexes"}
    columns = tuple(chr(97 + x) for x in range(size))
    rows = tuple(str(y + 1) for y in range(size))
    chequered = layout.lines == "squares" and pieces in ("chess", "draughts")
    tall = any(len(stack) > 1 for stack in layout.stacks)
    board = Grid(
        columns,
        rows,
        cells,
        stacks=tall,
        lines=lines[layout.lines],  # type: ignore[arg-type]
        chequered=chequered,
    )
    bank = Row(tuple(drawn(code, pieces, code) for code in codes(pieces)), "To put down")
    marks, arrows = [], []
    for each in effects:
        if isinstance(each, Shifted):
            arrows.append(Arrow(each.from_, each.to, seat=each.seat))
        elif isinstance(each, PutDown | Flipped):
            marks.append(Mark(each.at, "to"))
        elif isinstance(each, Removed) and not arrows:
            marks.append(Mark(each.at, "removed"))
    own = COLOURS.values() if pieces != "letters" else ()
    trays = tuple(
        Tray(names.title(seat), seat, colours=(colour,)) for seat, colour in enumerate(own, 1)
    )
    return Scene((board, bank), trays, arrows=tuple(arrows), marks=tuple(marks))


GAME: Final = Game(
    "free-board",
    "Free board",
    options=BoardOptions,
    moves=(Put, Shift, Stack, Remove, Flip, Pass, End),
    start=start,
    scene=draw,
)
