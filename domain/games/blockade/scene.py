"""The scene of a position of Blockade."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from domain.effects import Effect
from domain.games.blockade.board import (
    BLACK,
    BOARD,
    COLOUR_WORD,
    is_blockade,
    is_tower,
    towers,
)
from domain.games.blockade.effects import Landed, TowerLost
from domain.games.blockade.position import TO_WIN, Table
from domain.names import Names
from domain.scene import Arrow, Cell, Grid, Mark, Piece, Scene, Score, Supply, Tray


def draw(table: Table, effects: Sequence[Effect], names: Names) -> Scene:
    """Draw the stacks, the supply of blacks, and each seat's roll, points and towers."""
    cells = tuple(_cell(table, at, name) for at, name in enumerate(BOARD.names))
    grid = Grid(BOARD.files, BOARD.ranks, cells, stacks=True)
    return Scene(
        (grid,),
        (_seat_tray(table, 1, names), _seat_tray(table, 2, names), _black_tray(table)),
        tuple(_arrows(effects)),
        tuple(_marks(effects)),
    )


def _cell(table: Table, at: int, name: str) -> Cell:
    stack = table.stacks[at]
    blockade = is_blockade(stack)
    owner = table.cool if stack[0] >> 2 in (1, 2) else 3 - table.cool
    return Cell(
        name,
        at % BOARD.columns,
        at // BOARD.columns,
        tuple(map(piece, stack)),
        ground=f"blockade{owner}" if blockade else "",
        note="tower" if is_tower(stack) else "",
        look="wall" if blockade else "",
        ground_word="blockade" if blockade else "",
    )


def piece(code: int) -> Piece:
    """Draw a pyramid, or a black on a tower."""
    colour = "black" if code & BLACK else COLOUR_WORD[code >> 2]
    return Piece("pyramid", colour, code & 3)


def _seat_tray(table: Table, seat: int, names: Names) -> Tray:
    lines = []
    for which, colour in enumerate(table.colours(seat)):
        line = f"{COLOUR_WORD[colour]}: towers {towers(table.stacks, colour)} of 5"
        if table.dice is not None and seat == table.seat:
            line += f", rolled {table.dice[which]}, points left {table.left()[which]}"
        lines.append(line)
    colours = tuple(COLOUR_WORD[colour] for colour in table.colours(seat))
    return Tray(
        names.title(seat), seat, lines=tuple(lines), score=_score(table, seat), colours=colours
    )


def _score(table: Table, seat: int) -> Score:
    """Count the towers of the seat's better colour (BLK-6.1)."""
    built = [(towers(table.stacks, colour), colour) for colour in table.colours(seat)]
    most, colour = max(built, key=lambda each: each[0])
    words = f"{most} of {TO_WIN} towers" + (f" in {COLOUR_WORD[colour]}" if most else "")
    return Score.of(most, "tower", f"{most}/{TO_WIN} ▲", words)


def _black_tray(table: Table) -> Tray:
    supplies = tuple(
        Supply(Piece("pyramid", "black", size), table.supply[size]) for size in (1, 2, 3)
    )
    return Tray("Black", supplies=supplies)


def _arrows(effects: Sequence[Effect]) -> Iterator[Arrow]:
    for effect in effects:
        if isinstance(effect, Landed):
            yield Arrow(effect.from_, effect.to, seat=effect.seat)


def _marks(effects: Sequence[Effect]) -> Iterator[Mark]:
    for effect in effects:
        match effect:
            case Landed():
                yield Mark(effect.from_, "from")
                yield Mark(effect.to, "to")
            case TowerLost():
                yield Mark(effect.at, "removed")
