"""The controls of a seat of Blockade: its dice, or their remaining points."""

from __future__ import annotations

from domain.controls import MoveControls
from domain.events import State
from domain.games.blockade.board import COLOUR_WORD
from domain.games.blockade.position import Table


def controls(state: State, seat: int) -> MoveControls:
    """Return the colours of the dice to roll, or the points that are left (BLK-2.1 to BLK-2.3)."""
    table = state.position
    assert isinstance(table, Table)
    colours = tuple(COLOUR_WORD[colour] for colour in table.colours(seat))
    if table.dice is None:
        return MoveControls(dice=colours)
    left = zip(colours, table.left(), strict=True)
    return MoveControls(note=f"Left: {', '.join(f'{colour} {points}' for colour, points in left)}.")
