"""The controls of a seat of Cube Pyramid: the supply that its cube comes from."""

from __future__ import annotations

from typing import Final

from domain.controls import MoveControls
from domain.events import State
from domain.games.cube_pyramid.position import Table

THEIRS: Final = "The opponent gives the cube."


def controls(state: State, seat: int) -> MoveControls:
    """Return the seat that gives the next cube: for a bonus, the opponent (CUB-3.1)."""
    assert isinstance(state.position, Table)
    note = THEIRS if state.position.due else ""
    return MoveControls(supplier=state.position.giver(seat), note=note)
