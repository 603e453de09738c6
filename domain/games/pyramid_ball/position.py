"""Positions of Pyramid Ball: the public table, the sealed moves, and each seat's view."""

from __future__ import annotations

from typing import Final

from domain.games.pyramid_ball.table import TASK, Table, takeable
from domain.position import Awaited, Outcome, Position, Secret, View

Secrets = tuple[Secret["Play"] | None, Secret["Play"] | None]
"""The picks or programs of seats 1 and 2 that are not yet revealed."""

NOTHING: Final[Secrets] = (None, None)


def _awaited(task: str, *moves: str, must: bool = True) -> tuple[Awaited, Awaited]:
    what = task.format(its="its")
    return Awaited(1, what, moves, must), Awaited(2, what, moves, must)


PICK: Final = _awaited(TASK["pick"], "pick")
START: Final = _awaited(TASK["start"], "start")
PLACE: Final = _awaited(TASK["place"], "ball")
PROGRAM: Final = _awaited(TASK["program"], "program")
TAKE: Final = _awaited(TASK["program"], "program", "take")
FOUL: Final = _awaited("call foul", "foul", must=False)


class Seen(View, frozen=True):
    """The view of `seat`, or of a spectator (`None`): the table, and its own sealed move."""

    table: Table
    sealed: tuple[int, ...]
    seat: int | None = None
    own: Secret[Play] | None = None


class Play(Position, frozen=True):
    """The public table, and the unrevealed moves of seats 1 and 2."""

    table: Table
    secrets: Secrets = NOTHING

    @property
    def turn(self) -> int:
        """The number of the programming round."""
        return self.table.turn

    @property
    def sealed(self) -> tuple[int, ...]:
        """The seats whose pick or program is not yet revealed."""
        return tuple(seat for seat in (1, 2) if self.secrets[seat - 1] is not None)

    def awaiting(self) -> tuple[Awaited, ...]:
        """Await both seats at once, or the seat that chooses or places."""
        table = self.table
        if table.result is not None:
            return ()
        if table.stage == "program":
            return self._to_program(1), self._to_program(2)
        if table.stage == "pick":
            return tuple(PICK[seat - 1] for seat in (1, 2) if self.secrets[seat - 1] is None)
        return ((START if table.stage == "start" else PLACE)[table.seat - 1],)

    def _to_program(self, seat: int) -> Awaited:
        if self.secrets[seat - 1] is not None:
            return FOUL[seat - 1]
        return (TAKE if takeable(self.table, seat) else PROGRAM)[seat - 1]

    def outcome(self) -> Outcome | None:
        """Return the outcome after the last point (BAL-9.1)."""
        return self.table.result

    def view(self, seat: int | None) -> Seen:
        """Return the table and the seat's own sealed move; a spectator sees no sealed move."""
        own = self.secrets[seat - 1] if seat in (1, 2) else None
        return Seen(self.table, self.sealed, seat, own)

    def seal(self, seat: int, secret: Secret[Play]) -> Play:
        """Return the position with the first of two secrets."""
        return Play(self.table, (secret, None) if seat == 1 else (None, secret))

    def unseal(self, table: Table) -> Play:
        """Return the position with a new table and no secrets."""
        return Play(table)

    def keep(self, table: Table) -> Play:
        """Return the position with a new table and the same secrets."""
        return Play(table, self.secrets)
