"""The position of a score sheet: the numbers that each player has entered."""

from __future__ import annotations

from typing import Final, Literal, TypeVar

from msgspec.structs import replace

from domain.games.score_sheet.definition import Definition, Entry
from domain.position import Awaited, Outcome, Position, rank

MAX_ENTRIES: Final = 200
T = TypeVar("T")


class Sheet(Position, frozen=True):
    """The entries of seats 1, 2 … in their order, and their totals; `gone` are seats that left.

    `rounds` and `target` are 0 if they do not end the sheet; `ended` is whether a player did.
    `first` is the seat that starts the first round, or 0.
    """

    rules: Definition
    entries: tuple[tuple[Entry, ...], ...]
    totals: tuple[int, ...]
    rounds: int = 0
    target: int = 0
    wins: Literal["high", "low"] = "high"
    freely: bool = False
    gone: tuple[int, ...] = ()
    ended: bool = False
    first: int = 0

    @property
    def playing(self) -> tuple[int, ...]:
        """The seats that have not left the sheet."""
        return tuple(seat for seat in range(1, len(self.entries) + 1) if seat not in self.gone)

    @property
    def turn(self) -> int:
        """The number of the round; on a sheet that is filled freely, the number of the entry."""
        counts = [len(self.entries[seat - 1]) for seat in self.playing]
        return 1 + (sum(map(len, self.entries)) if self.freely else min(counts, default=0))

    @property
    def missing(self) -> tuple[int, ...]:
        """The seats that have not entered a number in this round."""
        return tuple(seat for seat in self.playing if len(self.entries[seat - 1]) < self.turn)

    @property
    def between_rounds(self) -> bool:
        """Whether all seats have entered equally many numbers."""
        return self.freely or len(self.missing) == len(self.playing)

    def awaiting(self) -> tuple[Awaited, ...]:
        """Await a number from each seat that lacks one in this round, or from any seat."""
        if self.outcome() is not None:
            return ()
        end = ("end",) if self.may_end else ()
        seats = self.playing if self.freely else self.missing
        return tuple(
            Awaited(seat, "enter a number", (self.kind(seat), *end), not self.freely)
            for seat in seats
        )

    def kind(self, seat: int) -> str:
        """Return the tag of a seat's next number: the rounds come before the rows (SHT-2.3)."""
        in_rows = self.rules.rows and len(self.entries[seat - 1]) >= self.rounds
        return "fill" if in_rows else "enter"

    @property
    def starter(self) -> int:
        """The seat that starts the round, or 0 (SHT-1.5)."""
        if not self.first or self._end():
            return 0
        seats = len(self.entries)
        turns = (1 + (self.first + self.turn + ahead - 2) % seats for ahead in range(seats))
        return next((seat for seat in turns if seat in self.playing), 0)

    @property
    def last(self) -> int:
        """The number of rounds and rows; 0 if it is not limited."""
        return self.rounds + len(self.rules.rows)

    @property
    def may_end(self) -> bool:
        """SHT-3.3."""
        return self.between_rounds and any(self.entries)

    def enter(self, seat: int, entry: Entry) -> Sheet:
        """Return the sheet with one more number in the column of a seat."""
        column = (*self.entries[seat - 1], entry)
        return replace(
            self,
            entries=_with(self.entries, seat, column),
            totals=_with(self.totals, seat, self.rules.total(column)),
        )

    @property
    def leaders(self) -> tuple[int, ...]:
        """The seats with the best total."""
        best = (max if self.wins == "high" else min)(self.totals[seat - 1] for seat in self.playing)
        return tuple(seat for seat in self.playing if self.totals[seat - 1] == best)

    def outcome(self) -> Outcome | None:
        """SHT-3.1 to SHT-3.4."""
        clause = self._end()
        if clause is None:
            return None
        leaders = self.leaders
        if len(leaders) == len(self.playing) > 1:
            return Outcome(clause, scores=self.totals)
        ranks = rank(self.totals, low=self.wins == "low", last=self.gone)
        return Outcome(clause, leaders, self.totals, ranks=ranks)

    def _end(self) -> str | None:
        if self.ended:
            return "SHT-3.3"
        if not self.between_rounds:
            return None
        fewest = min(len(self.entries[seat - 1]) for seat in self.playing)
        if self.last and fewest >= self.last:
            return "SHT-3.1"
        if self.target and any(self.totals[seat - 1] >= self.target for seat in self.playing):
            return "SHT-3.2"
        return None


def _with(each: tuple[T, ...], seat: int, new: T) -> tuple[T, ...]:
    return (*each[: seat - 1], new, *each[seat:])
