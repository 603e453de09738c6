"""The controls of a seat of Poptrix: an attack may begin with the piece that is attacked."""

from __future__ import annotations

from domain.controls import MoveControls
from domain.events import State
from domain.games.poptrix.position import Table


def controls(state: State, seat: int) -> MoveControls:
    """Return whether the seat must attack (POP-2.3)."""
    assert isinstance(state.position, Table)
    return MoveControls(backward=state.position.forced)
