"""Data sets of judged moves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from time import process_time
from typing import ClassVar

from bench.row import Figure, Row, Sample
from domain.games import BUILT_IN, built_in
from replay.sampling import dataset

AN_HOUR = 2 * 3600
"""The seconds of two processors in an hour."""


@dataclass(frozen=True)
class Sampling(Row):
    """Items of a data set of each game that two processors make in an hour, by the CPU time of one
    process; the start of the processes is left out.
    """

    items: int = dataset.FEW
    rounds: ClassVar[int] = 3

    @property
    def figures(self) -> Sequence[Figure]:
        return [Figure(f"items of {slug} an hour", "", at_least=300_000) for slug in BUILT_IN]

    @contextmanager
    def prepared(self) -> Iterator[Sample]:
        yield lambda: [self._an_hour(slug) for slug in BUILT_IN]

    def _an_hour(self, slug: str) -> float:
        start = process_time()
        made = sum(1 for _ in dataset.judged_moves(built_in(slug), self.items, 1))
        return made / (process_time() - start) * AN_HOUR
