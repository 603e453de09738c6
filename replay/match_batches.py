"""Work on many matches of a book, batch by batch, in one process for each processor."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from typing import Final, TypeVar

from replay.book import Book
from replay.book_file import open_book
from replay.processes import ProcessPool
from replay.store import Location
from replay.store.types import Stream

R = TypeVar("R")
Work = Callable[[Book, Stream], R]
Advance = Callable[[int], None]
"""Advances the progress by a number of matches."""

MANY: Final = 20_000
"""From this many events on, several processes work: starting them takes as long as these."""
BATCH: Final = 5_000
"""The events that a process works on at a time."""


def all_streams(book: Book) -> Iterator[Stream]:
    """Return every match, newest first, and then the trash, read page by page."""
    return chain(book.store.matches(), book.store.matches(trashed=True))


def work_on(book: Book, streams: Iterable[Stream], work: Work[R]) -> Iterator[R]:
    """Yield a function's result for each match, in their order.

    Other processes work on many matches, so the function and its results are pickled.
    """
    shared = book.store.shared_location
    apart = partial(_work_apart, shared, work) if shared else None
    with ProcessPool(partial(_work_here, book, work), apart, MANY) as workers:
        for batch in _batches(streams):
            for results in workers.put(batch, sum(map(_weight, batch))):
                yield from results
        for results in workers.rest():
            yield from results


def _work_apart(location: Location, work: Work[R], streams: Sequence[Stream]) -> list[R]:
    with open_book(location) as book:
        return _work_here(book, work, streams)


def _work_here(book: Book, work: Work[R], streams: Sequence[Stream]) -> list[R]:
    return [work(book, stream) for stream in streams]


def _weight(stream: Stream) -> int:
    return stream.head + 1  # a match without events is work too


def _batches(streams: Iterable[Stream]) -> Iterator[list[Stream]]:
    """Yield matches in batches of some `BATCH` events."""
    batch: list[Stream] = []
    events = 0
    for stream in streams:
        batch.append(stream)
        events += _weight(stream)
        if events >= BATCH:
            yield batch
            batch, events = [], 0
    if batch:
        yield batch
