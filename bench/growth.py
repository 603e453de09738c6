"""Appending to and opening matches of a large book, compared with a small one."""

from __future__ import annotations

import itertools
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter
from typing import Final

from bench import books
from bench.row import Figure, Row, Sample
from domain.games import built_in
from plybook import create_match, open_book, play
from replay.book import Book

SMALL: Final = 1000
PLIES: Final = 8
"""The length of the matches: the number of matches matters here, not that of the events."""
TIMES: Final = 100
"""Each is timed so often in a round."""


@dataclass(frozen=True)
class Growth(Row):
    """In a book of 1,000 matches and in a large one, in turn: open a new match and play a move in
    it; open a stored match that is not in the cache. The medians of a hundred times.
    """

    matches: int = 10_000

    @property
    def figures(self) -> Sequence[Figure]:
        to = f"at {self.matches:,} matches to {SMALL:,}"
        return (
            Figure(f"time to append {to}", at_most=1.2),
            Figure(f"time to open {to}", at_most=1.2),
        )

    @contextmanager
    def prepared(self) -> Iterator[Sample]:
        with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
            sides = []
            for count in (SMALL, self.matches):
                file = Path(folder, f"{count}.db")
                ids = books.grow(file, count, PLIES)
                Random(1).shuffle(ids)
                sides.append((stack.enter_context(open_book(file)), itertools.cycle(ids)))

            def sample() -> Sequence[float]:
                times = [
                    [(_append(book), _open(book, next(ids))) for book, ids in sides]
                    for _ in range(TIMES)
                ]
                small, large = (list(zip(*side, strict=True)) for side in zip(*times, strict=True))
                return [median(b) / median(a) for a, b in zip(small, large, strict=True)]

            yield sample


def _append(book: Book) -> float:
    start = perf_counter()
    play(book, create_match(book, built_in("poptrix")), ["M@c1"])
    return perf_counter() - start


def _open(book: Book, match: str) -> float:
    start = perf_counter()
    book.open(match)
    return perf_counter() - start
