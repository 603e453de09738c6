"""A position of Poptrix: the board, the stashes, the caps, and who must act."""

from __future__ import annotations

from typing import Final

from domain.board import OFF
from domain.games.poptrix.board import STASH
from domain.position import Awaited, Outcome, Position

Caps = tuple[int, int]
"""The square of each seat's cap; `OFF` is in its owner's stash."""

ATTACK: Final = (
    (),
    *((Awaited(seat, "attack", ("attack",)),) for seat in (1, 2)),
)
LAUNCH: Final = ((), *((Awaited(seat, "launch", ("launch",)),) for seat in (1, 2)))
PLACE: Final = (
    (),
    *((Awaited(seat, "place a pyramid on the home row", ("place",)),) for seat in (1, 2)),
)


class Table(Position, frozen=True):
    """The pieces on the table, the seat in turn, and whether it must attack (POP-2.3)."""

    board: bytes
    stash: bytes
    caps: Caps
    seat: int
    turn: int
    forced: bool
    result: Outcome | None = None

    def awaiting(self) -> tuple[Awaited, ...]:
        """Await a placement on the first turns (POP-2.1), then an attack or a launch."""
        if self.result is not None:
            return ()
        if self.turn <= 2:
            return PLACE[self.seat]
        return ATTACK[self.seat] if self.forced else LAUNCH[self.seat]

    def outcome(self) -> Outcome | None:
        """Return the outcome after the last move (POP-6)."""
        return self.result


START: Final = Table(bytes(30), STASH, (OFF, OFF), 1, 1, False)
"""All pyramids in the stashes; seat 1 begins (POP-1.2, POP-1.3)."""
