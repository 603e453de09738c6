"""The data of the program pad on the page that records a match."""

from __future__ import annotations

from typing import Final, Literal

from msgspec import Struct

from domain.entry.completion import entry
from domain.events import State
from domain.games.pyramid_ball.position import Play

STILL: Final = "S=...,M=...,L=..."
"""The program from which every other is an edit."""


class Pad(Struct, frozen=True):
    """The pad of a seat.

    `side` is the row where its player sits: from row 8, forward is down the board (BAL-3.1).
    `extras` are the possible suffixes: `,pass=2S`, `,dash=F`, `,quick`, `,blitz`.
    """

    side: Literal[1, 8]
    extras: tuple[str, ...]


def controls(state: State, seat: int) -> Pad | None:
    """Return the pad of a seat; `None` while it need not program."""
    position = state.position
    assert isinstance(position, Play)
    if not any(one.seat == seat and "program" in one.moves for one in state.awaiting()):
        return None
    front = f"{seat}:{STILL}"
    onward = entry(state.game, state, seat, front).continuations
    extras = tuple(longer.removeprefix(front) for longer in onward)
    return Pad(1 if position.table.low == seat else 8, extras)
