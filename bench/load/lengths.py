"""A late move of a match, compared with an early one."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Final

from bench.load import servers
from bench.load.matches import Opened, long_plan, open_all, play
from bench.load.servers import Client
from bench.row import Figure, Row, Sample

EARLY: Final = 10
AROUND: Final = 8
"""A match is timed from this many moves before the ply to this many after it."""


@dataclass(frozen=True)
class LongMatch(Row):
    """One connection plays two equal matches, alternating early and late moves; the median of the
    ratios of the times to their answers.
    """

    late: int = 3000

    @property
    def figures(self) -> Sequence[Figure]:
        return (Figure(f"time of move {self.late:,} to move {EARLY}", at_most=1.2),)

    @contextmanager
    def prepared(self) -> Iterator[Sample]:
        plan = long_plan(self.late + AROUND)
        with (
            tempfile.TemporaryDirectory() as folder,
            servers.plybook(Path(folder, "book.db")) as server,
        ):

            def sample() -> Sequence[float]:
                short, long = open_all(server, [plan, plan])
                with closing(Client(server)) as client:
                    play(client, short, EARLY - AROUND)
                    play(client, long, self.late - AROUND)
                    pairs = [
                        (_timed(client, short, EARLY + by), _timed(client, long, self.late + by))
                        for by in range(-AROUND, AROUND)
                    ]
                return (median(late / early for early, late in pairs),)

            yield sample


def _timed(client: Client, match: Opened, ply: int) -> float:
    body = match.body(ply)
    start = perf_counter()
    client.post(match.path, body, match.token)
    return perf_counter() - start
