"""Compare the cost of a late move with that of an early one."""

from __future__ import annotations

from contextlib import closing
from statistics import median
from time import perf_counter
from typing import Final, NamedTuple

from tests.bench.load.matches import Opened, long_plan, open_all
from tests.bench.load.servers import Client, Server

SLUG: Final = "power-play"
EARLY: Final = 10
LATE: Final = 3000
AROUND: Final = 8
"""A match is timed from this many moves before the point to this many after it."""
BATCH: Final = 500
AIM: Final = 1.2
"""A late move may cost at most this many times an early one."""


class Lengths(NamedTuple):
    """Milliseconds per answer at an early and at a late move, and the ratio of the two."""

    early: float
    late: float
    ratio: float


def measure(server: Server, rounds: int) -> Lengths:
    """Play two equal matches over one connection, alternating early and late moves.

    The result is the median of the ratios of pairs of moves.
    """
    plan = long_plan(SLUG, LATE + AROUND)
    pairs = list[tuple[float, float]]()
    for _ in range(rounds):
        short, long = open_all(server, [plan, plan])
        with closing(Client(server)) as client:
            _play(client, short, EARLY - AROUND)
            _play(client, long, LATE - AROUND)
            pairs += [
                (_timed(client, short, EARLY + by), _timed(client, long, LATE + by))
                for by in range(-AROUND, AROUND)
            ]
    early, late = zip(*pairs, strict=True)
    return Lengths(
        median(early) * 1000,
        median(late) * 1000,
        median(one / other for other, one in pairs),
    )


def _play(client: Client, match: Opened, moves: int) -> None:
    for first in range(0, moves, BATCH):
        client.post(match.path, match.body(first, min(first + BATCH, moves)), match.token)


def _timed(client: Client, match: Opened, ply: int) -> float:
    body = match.body(ply)
    start = perf_counter()
    client.post(match.path, body, match.token)
    return perf_counter() - start
