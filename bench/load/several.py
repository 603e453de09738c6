"""Moves at several servers on one PostgreSQL, compared with one server on a file."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from bench.load import servers, wrk
from bench.load.matches import Plan, plans
from bench.load.moves import check_stored, count_stored, prepare
from bench.row import Figure, NotMeasured, Row, Sample
from replay.store import Location
from tests.replay.store.postgres_server import programs, running

SERVERS: Final = (1, 2, 4)
"""The numbers of server processes on PostgreSQL."""


@dataclass(frozen=True)
class SeveralServers(Row):
    """`wrk` plays recorded matches of all games, one move a request, each refereed and answered
    when it is durable: at one server on a file, and at one, two and four servers on one PostgreSQL
    with its own settings. Each server has a `wrk` of its own, with as many connections. All of
    them, and PostgreSQL, share the processors of this machine.
    """

    connections: int = 32
    seconds: int = 5
    fastest: int = 4000
    """The expected moves per second of a server at most: so many are prepared."""

    @property
    def figures(self) -> Sequence[Figure]:
        on = "moves/s on PostgreSQL"
        return (
            Figure(f"{on}, 1 server, to a file"),
            Figure(f"{on}, 2 servers, to 1", at_least=1.7),
            Figure(f"{on}, 4 servers, to 1"),
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
                file = self._speed(database, 1, source)
                one, two, four = (self._speed(url, count, source) for count in SERVERS)
                return one / file, two / one, four / one, file, one, two, four

            yield sample

    def _speed(self, database: Location, count: int, source: Iterator[Plan]) -> float:
        """Return the moves per second of so many new servers on a database."""
        before = count_stored(database)
        with ExitStack() as started, ThreadPoolExecutor(count) as clients:
            several = [started.enter_context(servers.plybook(database)) for _ in range(count)]
            moves = self.fastest * self.seconds
            sent = [prepare(each, source, self.connections, moves) for each in several]
            run = partial(wrk.run, seconds=self.seconds)
            measured = list(clients.map(run, several, sent))
        check_stored(database, before + sum(each.answered for each in measured))
        return sum(each.speed for each in measured)


def _named(count: int) -> str:
    return f"{count} server{'s' * (count > 1)}"
