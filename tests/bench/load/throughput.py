"""Measure moves per second at several numbers of connections, next to the bare endpoint."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from statistics import median
from typing import Final, NamedTuple

from tests.bench.load import wrk
from tests.bench.load.matches import Plan, open_all, plans
from tests.bench.load.servers import Server

CONNECTIONS: Final = (1, 32, 100)
AIMS: Final = {32: 0.6}
"""The smallest acceptable ratio to the bare endpoint."""
MOST: Final = 3000
"""The largest expected number of moves per second; more matches are not prepared."""
MOST_BARE: Final = 12_000
"""The same for the bare endpoint."""


class Level(NamedTuple):
    """The medians at a number of connections: speeds, their ratio, and milliseconds per answer."""

    connections: int
    moves: float
    bare: float
    ratio: float
    p50: float
    p99: float
    bare_p50: float
    bare_p99: float


class Throughput(NamedTuple):
    """The results of all levels, and the number of answered moves."""

    levels: list[Level]
    answered: int


def measure(plybook: Server, bare: Server, rounds: int, seconds: int) -> Throughput:
    """Run each level once per round, first on the one server and then on the other."""
    source = plans()
    pairs = {
        connections: [_pair(plybook, bare, source, connections, seconds) for _ in range(rounds)]
        for connections in CONNECTIONS
    }
    answered = sum(ours.answered for runs in pairs.values() for ours, _ in runs)
    return Throughput([_level(number, runs) for number, runs in pairs.items()], answered)


def _pair(
    plybook: Server, bare: Server, source: Iterator[Plan], connections: int, seconds: int
) -> tuple[wrk.Measured, wrk.Measured]:
    hands = [list(_enough(source, MOST * seconds / connections)) for _ in range(connections)]
    opened = iter(open_all(plybook, [plan for hand in hands for plan in hand]))
    sent = [wrk.requests(itertools.islice(opened, len(hand))) for hand in hands]
    # The endpoint that stores nothing takes the same ones again and again.
    endless = int(MOST_BARE * seconds / connections)
    yardstick = wrk.run(
        bare, [list(itertools.islice(itertools.cycle(each), endless)) for each in sent], seconds
    )
    return wrk.run(plybook, sent, seconds), yardstick


def _enough(source: Iterator[Plan], moves: float) -> Iterator[Plan]:
    while moves > 0:
        plan = next(source)
        moves -= len(plan.tokens)
        yield plan


def _level(connections: int, pairs: list[tuple[wrk.Measured, wrk.Measured]]) -> Level:
    ours, theirs = zip(*pairs, strict=True)
    return Level(
        connections,
        median(each.speed for each in ours),
        median(each.speed for each in theirs),
        median(one.speed / other.speed for one, other in pairs),
        *(median(getattr(each, name) for each in ours) / 1000 for name in ("p50", "p99")),
        *(median(getattr(each, name) for each in theirs) / 1000 for name in ("p50", "p99")),
    )
