"""The referee of a match: applies the rules of its game, its dice and its clock."""

from __future__ import annotations

from msgspec.structs import replace

from domain.match import LogEvent, Match
from domain.position import Violation
from replay.record import clock, dice
from replay.record.clock import Times
from replay.record.match_record import Header
from replay.referee import flags_and_fouls


class Referee:
    """Follows a match event by event, and checks that each is legal at its time."""

    def __init__(self, header: Header, match: Match, times: Times | None) -> None:
        self.header = header
        self.match = match
        self.times = times and _without_spent(times)

    def check(self, event: LogEvent, at: int) -> Violation | None:
        """Return why the event cannot be logged at this time, or `None`.

        The values of a roll are not checked here.
        """
        violation = self.match.check(event) or dice.check(self.header, self.match, event)
        if violation is None and self.header.clock is not None and self.times is not None:
            state = self.match.state
            return flags_and_fouls.check(self.header.clock, self.times, event, state, at)
        return violation

    def take(self, event: LogEvent, at: int) -> None:
        """Advance the match by a checked or trusted event."""
        self.match = self.match.evolve(event)
        if self.times is not None:
            happened = event, self.match.state, at
            self.times = _without_spent(clock.follow(self.times, [happened]))


def _without_spent(times: Times) -> Times:
    """Drop the per-event times, which are long and which no check needs."""
    return replace(times, spent=())
