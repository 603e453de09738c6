"""Verify the service's rolls: recompute them from the seed."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence

from domain.edits import SeedRevealed
from domain.entry import tokens
from domain.events import Moved
from domain.match import LogEvent, Match
from replay.errors import Damaged
from replay.record import codec, dice
from replay.record.match_record import MatchRecord
from replay.store.protocol import StoredEvent


class DiceAudit:
    """Recomputes the rolls of a match from its seed, if that is known.

    `fault` is an error of the commitment; `unproven` tells whether a roll could not be recomputed.
    """

    def __init__(self, start: MatchRecord, log: Sequence[StoredEvent], held: bytes | None) -> None:
        self.header = start.header
        self.fault = self._commitment_fault(held)
        self.unproven = False
        seeds = (held, *_revealed_seeds(start, log))
        self._seed = next((seed for seed in seeds if seed and self._is_committed(seed)), None)

    def check(self, match: Match, event: LogEvent) -> str | None:
        """Return what is wrong with a roll, or with a revealed seed, or `None`."""
        if isinstance(event, SeedRevealed) and not self._is_committed(bytes.fromhex(event.seed)):
            return "the seed revealed is not the one committed to"
        if self.header.dice == "table" or not isinstance(event, Moved) or not event.move.chance:
            return None
        if self._seed is None:
            self.unproven = True
            return None
        right = dice.rolled(self._seed, self.header.id, match, event.seat, type(event.move))
        if right == event:
            return None
        given, should = (tokens.write(match.game, each) for each in (event, right))
        return f"the dice are not those that the seed gives: {given} should be {should}"

    def _commitment_fault(self, held: bytes | None) -> str | None:
        if self.header.dice == "service" and self.header.commitment is None:
            return "the header commits to no seed, and the service is to roll"
        if held is not None and not self._is_committed(held):
            return "the seed kept in this book is not the one committed to"
        return None

    def _is_committed(self, seed: bytes) -> bool:
        return dice.commitment(seed) == self.header.commitment


def _revealed_seeds(start: MatchRecord, log: Sequence[StoredEvent]) -> Iterator[bytes]:
    """Yield the seeds that the log reveals; unreadable events are reported elsewhere."""
    for stored in log:
        if stored.type == "seed revealed":
            with contextlib.suppress(Damaged, ValueError):
                event = codec.decode(start.game, stored)
                if isinstance(event, SeedRevealed):
                    yield bytes.fromhex(event.seed)
