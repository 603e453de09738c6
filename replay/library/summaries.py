"""Derive the summaries of matches whose events came without one."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future

from replay.book import Book
from replay.errors import Damaged, UnknownMatch, Usage
from replay.record.match_summary import summary_of
from replay.store.protocol import ListedMatch, Stream, Summary

Watched = Callable[[Sequence[Stream]], Iterable[Stream]]
"""Passes matches through, and shows the progress."""


def catch_up(book: Book, watched: Watched = iter) -> None:
    """Summarise all matches whose summary is due. Unreadable matches are omitted."""
    finish(summarise_matches(book, watched))


def finish(writes: Iterable[Future[None]]) -> None:
    """Wait for writes of derived data, which go together to the disk."""
    for write in list(writes):
        with contextlib.suppress(UnknownMatch):  # it was purged meanwhile
            write.result()


def summarise_matches(book: Book, watched: Watched = iter) -> Iterator[Future[None]]:
    """Summarise match by match, and yield the future of each write."""
    for stream in watched(book.store.summaries_due()):
        with contextlib.suppress(Damaged, Usage):
            yield book.store.summarise(stream.id, summary_of(book.read(stream)))


def summarised(book: Book, listed: ListedMatch) -> Summary:
    """Return the summary of a match, and derive and store one that is due.

    Raises `Damaged` and `Usage` for an unreadable match.
    """
    if listed.summary is not None:
        return listed.summary
    known = summary_of(book.read(listed.stream))
    book.store.summarise(listed.stream.id, known)
    return known
