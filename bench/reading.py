"""Statistics, searches and lists of a large book, compared with a small one."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import process_time
from typing import Final

from bench import books
from bench.growth import PLIES, SMALL
from bench.load.servers import cpu_of
from bench.row import Figure, NotMeasured, Row, Sample
from domain.games import built_in
from domain.match import open_match
from replay.access.visibility import ReadScope
from replay.book import Book
from replay.book_file import open_book
from replay.library import changes, explorer, indexes, match_list, text_search
from replay.library.match_list import ListFilter
from replay.store import Location
from replay.store.feed_types import ChangeCursor
from tests.replay.store.postgres_server import programs, running

TIMES: Final = 20
"""Each is timed so often in a round."""
NOBODY: Final = "Nobody"
PLAYER: Final = "Rare"
PLAYED: Final = 20
"""How many matches of a book this player has."""
ALL: Final = ReadScope(frozenset(("public", "unlisted")))


def _explore(book: Book, player: str | None = None) -> object:
    indexes.refresh(book)
    return explorer.explore(book, open_match(built_in("poptrix")), player=player)


READS: Final[dict[str, Callable[[Book], object]]] = {
    "statistics": explorer.stats,
    "a search": lambda book: list(text_search.find(book, NOBODY)),
    "a list of a player's matches": lambda book: match_list.page(
        book, ListFilter(player=NOBODY), ALL, 20
    ),
    "the explorer at the start": _explore,
    "the explorer of a player": lambda book: _explore(book, PLAYER),
    "a page of changes": lambda book: changes.page(book, ALL, ChangeCursor(0, ""), 100),
}
"""The reads to measure, by the name of the figure."""


@dataclass(frozen=True)
class Reading(Row):
    """In a book of 1,000 matches and in a large one, in turn: count the statistics, search for a
    word that no match has, list the matches of nobody, explore the start of a game, which counts
    the moves of all its matches, and for a player of twenty of them, and read the first changes.
    The medians of twenty times, by CPU.
    """

    matches: int = 10_000

    @property
    def figures(self) -> Sequence[Figure]:
        to = f"at {self.matches:,} matches to {SMALL:,}"
        return [Figure(f"CPU of {name} {to}", at_most=1.5) for name in READS]

    @contextmanager
    def prepared(self) -> Iterator[Sample]:
        with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
            sides = [
                _grown(stack, Path(folder, f"{count}.db"), count) for count in (SMALL, self.matches)
            ]
            yield lambda: [_growth(read, process_time, *sides) for read in READS.values()]


@dataclass(frozen=True)
class ReadingPostgres(Reading):
    """Reading from PostgreSQL, by the CPU time of the server's processes and of this one."""

    matches: int = 6_000

    @contextmanager
    def prepared(self) -> Iterator[Sample]:
        if programs() is None:
            raise NotMeasured("PostgreSQL is not installed: apt install postgresql")
        with running() as postgres, ExitStack() as stack:
            urls = [postgres.new_book(), postgres.new_book()]
            counts = (SMALL, self.matches)
            sides = [_grown(stack, *each) for each in zip(urls, counts, strict=True)]
            for url in urls:
                postgres.run("VACUUM ANALYZE", url)  # as the server does by itself in time

            def clock() -> float:
                return process_time() + sum(map(cpu_of, postgres.processes()))

            yield lambda: [_growth(read, clock, *sides) for read in READS.values()]


def _grown(stack: ExitStack, location: Location, count: int) -> Book:
    """Open a book of so many matches, all of them indexed."""
    ids = books.grow(location, count, PLIES)
    book = stack.enter_context(open_book(location))
    for each in ids[:PLAYED]:
        book.store.set_metadata(book.open(each).stream.id, {"Seat1": PLAYER}).result()
    text_search.catch_up(book)
    indexes.catch_up_positions(book)
    return book


def _growth(
    read: Callable[[Book], object], clock: Callable[[], float], small: Book, large: Book
) -> float:
    times = [(_timed(read, clock, small), _timed(read, clock, large)) for _ in range(TIMES)]
    before, after = zip(*times, strict=True)
    return median(after) / median(before)


def _timed(read: Callable[[Book], object], clock: Callable[[], float], book: Book) -> float:
    start = clock()
    read(book)
    return clock() - start
