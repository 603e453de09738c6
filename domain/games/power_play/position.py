"""The table of Power Play: the board, the seat in turn, and the awaited moves."""

from __future__ import annotations

from functools import cache
from typing import Final

from msgspec import Struct

from domain.games.power_play.board import STARTING
from domain.games.power_play.pieces import KNOCKOUT
from domain.position import Awaited, Outcome, Position


@cache
def _move(seat: int, playing: tuple[int, ...]) -> tuple[Awaited, ...]:
    """Await the seat in turn; the others may declare (PWR-6.1)."""
    others = (other for other in playing if other != seat)
    return (
        Awaited(seat, "step or jump with a piece", ("step", "jump", "declare")),
        *(Awaited(other, "declare a knockout", ("declare",), must=False) for other in others),
    )


SEATS: Final = (1, 2, 3, 4)
HOP_ON: Final = (
    (),
    *((Awaited(seat, "hop on or end the jump", ("hop", "end")),) for seat in SEATS),
)
HOP_AWAY: Final = ((), *((Awaited(seat, "hop on", ("hop",)),) for seat in SEATS))
PUT_BACK: Final = ((), *((Awaited(seat, "put back a pyramid", ("return",)),) for seat in SEATS))


class Jumper(Struct, frozen=True):
    """The piece in the middle of a jump: its start, its square, and whether it struck a piece.

    To strike is to capture or to kick back.
    """

    start: int
    at: int
    struck: bool

    @property
    def idle(self) -> bool:
        """Whether the jump has not changed the board yet (PWR-4.7)."""
        return self.at == self.start and not self.struck


class Table(Position, frozen=True):
    """A state of play.

    `board` has a code per square and `hands` a count per seat * 4 + pips; `lost` are the lost pips,
    by seat from 1. `seat` has the turn. `jumper` is set during a jump only; `kicked` are the seats
    kicked back in the jump that have not yet put back what fits. `due` is the seat that must put
    back a pyramid now, or 0: a seat of `kicked`, or the seat in turn before its move (PWR-5.5).
    """

    board: bytes
    hands: bytes
    lost: tuple[int, ...]
    playing: tuple[int, ...]
    seat: int
    turn: int
    jumper: Jumper | None = None
    kicked: tuple[int, ...] = ()
    due: int = 0
    result: Outcome | None = None

    @property
    def at_rest(self) -> bool:
        """Whether no jump is under way and no put-back is due."""
        return self.jumper is None and not self.due

    def starting(self, seat: int) -> tuple[int, ...]:
        """Return the starting squares of a seat (PWR-1.4)."""
        return STARTING[len(self.lost)][seat]

    def awaiting(self) -> tuple[Awaited, ...]:
        """Await a put-back, the rest of a jump, or a move and perhaps declarations."""
        if self.result is not None:
            return ()
        if self.due:
            return PUT_BACK[self.due]
        if self.jumper is not None:
            return HOP_AWAY[self.seat] if self.jumper.idle else HOP_ON[self.seat]
        return _move(self.seat, self.playing)

    def outcome(self) -> Outcome | None:
        """Return the victory of the last playing seat (PWR-7.1), or `None`."""
        return self.result

    def declarable(self, seat: int, target: int) -> bool:
        """Return whether a seat may declare another seat knocked out (PWR-6.1)."""
        in_game = target != seat and target in self.playing
        return in_game and self.lost[target - 1] >= KNOCKOUT
