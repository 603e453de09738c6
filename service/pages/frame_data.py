"""The data in a frame: the head of a match, and its clocks."""

from __future__ import annotations

import time

from msgspec import Struct

from replay.reading import timeline
from replay.record.clock import Clocks
from replay.record.match_record import MatchRecord
from service.http.access import MatchAccess


class RunningClocks(Struct, frozen=True):
    """The clocks at the last event, and the server's time `now`.

    `waits` gives the time since which each seat is awaited, `patience` the time after which others
    can call a foul on it. All times are in milliseconds.
    """

    now: int
    clocks: Clocks
    waits: dict[int, int]
    patience: int


def may_act(visit: MatchAccess, then: MatchRecord, ply: int) -> bool:
    """Return whether the caller may enter events at this address: it must be the head."""
    return visit.caller.may_write and at_head(visit, then, ply)


def at_head(visit: MatchAccess, then: MatchRecord, ply: int) -> bool:
    """Return whether an address is the head of the match."""
    head = visit.record.match
    return then.match.version == head.version and ply == len(head.line)


def running_clocks(record: MatchRecord) -> RunningClocks | None:
    """Return the current state of a match's clocks, or `None` without clocks."""
    clocks, limits, times = timeline.clocks(record), record.header.clock, record.times
    if clocks is None or limits is None or times is None:
        return None
    now = time.time_ns() // 1_000_000
    waits = {seat: one.wait.opened for seat, one in enumerate(times.seats, 1) if one.wait}
    return RunningClocks(now, clocks, waits, (limits.programming + 1) * 1000)
