"""Moves at several connections, compared with a bare endpoint."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path

from bench.load import servers, wrk
from bench.load.matches import Plan, open_all, plans
from bench.load.servers import Refused, Server
from bench.load.wrk import Request
from bench.row import Figure, Row, Sample
from replay.book_file import open_book
from replay.store import Location


@dataclass(frozen=True)
class Moves(Row):
    """`wrk` plays recorded matches of all games, one move a request, each refereed and answered
    when it is on the disk; then it sends the same requests to a Litestar endpoint that decodes them
    and stores nothing. The endpoint runs on asyncio and h11, as when the aims were set, and once
    more on uvloop and httptools; the service may run on others. CPU is that of the server process.
    """

    connections: int = 32
    seconds: int = 3
    fastest: int = 8000
    """The expected moves per second at most: so many are prepared."""

    @property
    def figures(self) -> Sequence[Figure]:
        at = f", {self.connections} connections"
        usual = self.connections == 32
        speed, cost, fast = (0.57, 1.65, 0.25) if usual else (None, None, None)
        return (
            Figure(f"moves/s to bare requests/s{at}", at_least=speed),
            Figure(f"CPU of a move to a bare request's{at}", at_most=cost),
            Figure(f"moves/s to bare requests/s on uvloop{at}", at_least=fast),
            Figure(f"CPU of a move to a bare request's on uvloop{at}"),
            Figure(f"moves{at}", "/s"),
            Figure(f"latency of a move, median{at}", "ms"),
            Figure(f"latency of a move, 99 %{at}", "ms"),
        )

    @contextmanager
    def prepared(self) -> Iterator[Sample]:
        wrk.check_installed()
        source, answered = plans(), list[int]()
        with tempfile.TemporaryDirectory() as folder:
            database = Path(folder, "book.db")
            with (
                servers.plybook(database) as ours,
                servers.bare("asyncio", "h11") as bare,
                servers.bare("auto", "auto") as fast,
            ):

                def sample() -> Sequence[float]:
                    requests = prepare(ours, source, self.connections, self.fastest * self.seconds)
                    moved = wrk.run(ours, requests, self.seconds)
                    answered.append(moved.answered)
                    plain = [wrk.repeat(each, requests, self.seconds) for each in (bare, fast)]
                    ratios = [(moved.speed / p.speed, moved.cost / p.cost) for p in plain]
                    return (*chain(*ratios), moved.speed, moved.p50 / 1000, moved.p99 / 1000)

                yield sample
            check_stored(database, sum(answered))


def prepare(
    server: Server, source: Iterator[Plan], connections: int, moves: int
) -> list[list[Request]]:
    """Open matches for so many moves, and return the requests of each connection."""
    hands = [list(_enough(source, moves / connections)) for _ in range(connections)]
    opened = iter(open_all(server, [plan for hand in hands for plan in hand]))
    return [wrk.requests(islice(opened, len(hand))) for hand in hands]


def _enough(source: Iterator[Plan], moves: float) -> Iterator[Plan]:
    while moves > 0:
        plan = next(source)
        moves -= len(plan.tokens)
        yield plan


def check_stored(database: Location, answered: int) -> None:
    """Raise `Refused` if the database lacks an answered event."""
    there = count_stored(database)
    if there < answered:
        raise Refused(f"{answered} moves were answered, and only {there} are stored")


def count_stored(database: Location) -> int:
    with open_book(database) as book:
        return sum(stream.head for stream in book.store.matches())
