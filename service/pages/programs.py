"""What a seat may put into a program of Pyramid Ball, for the pad that it is written on."""

from __future__ import annotations

from typing import Final, Literal

from msgspec import Struct

from domain.entry.completion import entry
from domain.games.pyramid_ball.position import Play
from replay.match_record import MatchRecord

STILL: Final = "S=...,M=...,L=..."
"""The program that any other is a change of."""


class Programming(Struct, frozen=True):
    """How the pad of a seat looks.

    `side` is the row its player sits at: from row 8 forward is down the board (BAL-3.1).
    `extras` are what may follow the commands: `,pass=2S`, `,dash=F`, `,quick`, `,blitz`.
    """

    side: Literal[1, 8]
    extras: tuple[str, ...]


def programming(recorded: MatchRecord, seat: int) -> Programming | None:
    """Tell what a seat may program; `None` for positions of another game."""
    position = recorded.state.position
    if not isinstance(position, Play):
        return None
    front = f"{seat}:{STILL}"
    onward = entry(recorded.game, recorded.state, seat, front).continuations
    extras = tuple(longer.removeprefix(front) for longer in onward)
    return Programming(1 if position.table.low == seat else 8, extras)
