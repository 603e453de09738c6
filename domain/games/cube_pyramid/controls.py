"""The controls of a seat of Cube Pyramid: the supply that its cube comes from."""

from __future__ import annotations

from domain.controls import MoveControls
from domain.events import State
from domain.games.cube_pyramid.position import Table


def controls(state: State, seat: int) -> MoveControls:
    """Return the seat that gives the next cube: of a bonus, the opponent (CUB-3.1)."""
    assert isinstance(state.position, Table)
    return MoveControls(supplier=state.position.giver(seat))
