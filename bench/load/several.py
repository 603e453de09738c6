"""Moves at several servers on one PostgreSQL, compared with one server on a file."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import mean
from threading import Event
from typing import Final, NamedTuple

import psycopg

from bench.load import servers, wrk
from bench.load.matches import Plan, plans
from bench.load.moves import check_stored, count_stored, prepare
from bench.row import Figure, NotMeasured, Row, Sample
from replay.store import Location
from tests.replay.store.postgres_server import programs, running

SERVERS: Final = (1, 2, 4)
"""The numbers of server processes on PostgreSQL."""
LOCKED: Final = """
    SELECT pg_xact_status(xmax::text::xid8) IS NOT DISTINCT FROM 'in progress' FROM plybook
"""


class Load(NamedTuple):
    """Moves per second, seconds of the servers' CPU time per move, and the part of the time in
    which a writer had locked the book.
    """

    speed: float
    cost: float
    locked: float


@dataclass(frozen=True)
class SeveralServers(Row):
    """`wrk` plays recorded matches of all games, one move a request, each refereed and answered
    when it is durable: at one server on a file, and at one, two and four servers on one PostgreSQL
    with its own settings. Each server has a `wrk` of its own, with as many connections. All of
    them, and PostgreSQL, share the processors of this machine, so the CPU of the servers' processes
    is counted. A connection asks every millisecond whether a writer has locked the table `plybook`.
    """

    connections: int = 32
    seconds: int = 5
    fastest: int = 4000
    """The expected moves per second of a server at most: so many are prepared."""

    @property
    def figures(self) -> Sequence[Figure]:
        on = "on PostgreSQL"
        return (
            Figure(f"CPU of a move {on}, 2 servers, to 1", at_most=1.15),
            Figure(f"CPU of a move {on}, 4 servers, to 1", at_most=1.15),
            Figure("time under the order lock, 4 servers, a move", "ms", at_most=0.15),
            Figure(f"moves/s {on}, 1 server, to a file"),
            *(Figure(f"moves/s {on}, {count} servers, to 1") for count in SERVERS[1:]),
            Figure("moves, a file", "/s"),
            *(Figure(f"moves, PostgreSQL, {_named(count)}", "/s") for count in SERVERS),
        )

    @contextmanager
    def prepared(self) -> Iterator[Sample]:
        wrk.check_installed()
        if programs() is None:
            raise NotMeasured("PostgreSQL is not installed: apt install postgresql")
        source = plans()
        with tempfile.TemporaryDirectory() as folder, running("") as postgres:
            database, url = Path(folder, "book.db"), postgres.new_book()

            def sample() -> Sequence[float]:
                file = self._load(database, 1, source)
                one, two, four = (self._load(url, count, source) for count in SERVERS)
                return (
                    two.cost / one.cost,
                    four.cost / one.cost,
                    1000 * four.locked / four.speed,
                    one.speed / file.speed,
                    two.speed / one.speed,
                    four.speed / one.speed,
                    *(each.speed for each in (file, one, two, four)),
                )

            yield sample

    def _load(self, database: Location, count: int, source: Iterator[Plan]) -> Load:
        """Load so many new servers on a database with moves."""
        before = count_stored(database)
        with ExitStack() as started, ThreadPoolExecutor(count) as clients:
            several = [started.enter_context(servers.plybook(database)) for _ in range(count)]
            moves = self.fastest * self.seconds
            sent = [prepare(each, source, self.connections, moves) for each in several]
            run = partial(wrk.run, seconds=self.seconds)
            with sampled(database) as locked:
                measured = list(clients.map(run, several, sent))
        answered = sum(each.answered for each in measured)
        check_stored(database, before + answered)
        speed, cpu = sum(each.speed for each in measured), sum(each.cpu for each in measured)
        return Load(speed, cpu / answered, mean(locked))


@contextmanager
def sampled(database: Location) -> Iterator[list[bool]]:
    """Sample whether a writer has locked a book on PostgreSQL, until the end of the context."""
    samples, done = [False], Event()

    def look() -> None:
        with psycopg.connect(str(database), autocommit=True) as connection:
            while not done.wait(0.001):
                samples.extend(locked for (locked,) in connection.execute(LOCKED))

    with ThreadPoolExecutor(1) as threads:
        looking = threads.submit(look) if isinstance(database, str) else None
        try:
            yield samples
        finally:
            done.set()
            if looking:
                looking.result()


def _named(count: int) -> str:
    return f"{count} server{'s' * (count > 1)}"
