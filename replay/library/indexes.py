"""Derive the summaries and the position index of matches.

The index is derived data. A match is indexed again when its log has grown; entering an event never
updates the index.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from itertools import islice
from typing import Final

from msgspec.structs import replace

from domain.log_edits import Edit
from replay.book import Book
from replay.errors import Damaged, UnknownMatch, Usage
from replay.kept_book import KeptBook, is_kept
from replay.match_batches import work_on
from replay.record.match_record import MatchRecord
from replay.record.match_summary import steps_of, summary_of, written_moves
from replay.store.types import IndexedMatch, ListedMatch, Stream, Summary, SummaryFilter

TOGETHER: Final = 200
"""The most writes that wait in memory."""

Watched = Callable[[Sequence[Stream]], Iterable[Stream]]
"""Passes matches through, and shows the progress."""


def catch_up_summaries(book: Book, watched: Watched = iter) -> None:
    """Summarise all matches whose summary is due. Unreadable matches are omitted."""
    finish(summarise_matches(book, watched))


def finish(writes: Iterator[Future[None]]) -> None:
    """Wait for writes of derived data; many go to the disk together."""
    while together := list(islice(writes, TOGETHER)):
        for write in together:
            with contextlib.suppress(UnknownMatch):  # the match was purged meanwhile
                write.result()


def summarise_matches(book: Book, watched: Watched = iter) -> Iterator[Future[None]]:
    """Summarise match by match, and yield the future of each write."""
    for stream in watched(book.store.summaries_due()):
        with contextlib.suppress(Damaged, Usage):
            yield book.store.summarise(stream.id, summary_of(book.read(stream)))


def summarised(book: Book, listed: ListedMatch) -> Summary:
    """Return the summary of a match, and derive and store one that is due.

    The summary of a match whose game is missing is not stored, because the game would add to it.
    Raises `Damaged` and `Usage` for an unreadable match.
    """
    if listed.summary is not None:
        return listed.summary
    record = KeptBook(book).read(listed.stream)
    known = summary_of(record)
    if is_kept(record):
        return known
    book.store.summarise(listed.stream.id, known)
    return known


def with_summaries(
    book: Book, listed: Iterable[ListedMatch], wanted: SummaryFilter
) -> Iterator[ListedMatch]:
    """Yield matches with their summaries.

    A missing game's match gets a derived summary, unless a filter asks for a value that only the
    game knows. Unreadable matches are omitted.
    """
    for each in listed:
        with contextlib.suppress(Damaged, Usage):
            if each.summary is not None or not (wanted.game or wanted.status or wanted.sure):
                yield replace(each, summary=summarised(book, each))


MOST: Final = 50
"""The most matches that are indexed for one request; an indexer does the rest."""


def catch_up_positions(book: Book, watched: Watched = iter) -> None:
    """Index the positions of all matches whose logs have grown, many in several processes.

    Unreadable matches are omitted.
    """
    moves = work_on(book, watched(book.store.positions_due()), new_moves)
    finish(book.store.index_match(*each) for each in moves if each)


def refresh(book: Book) -> None:
    """Index `MOST` matches whose logs have grown; a running indexer leaves only a few."""
    finish(index_matches(book, limit=MOST))


def index_matches(book: Book, limit: int | None = None) -> Iterator[Future[None]]:
    """Index the due matches one by one, oldest first, and yield the future of each write."""
    for stream in book.store.positions_due(limit):
        if moves := new_moves(book, stream):
            yield book.store.index_match(*moves)


def new_moves(book: Book, stream: Stream) -> tuple[int, IndexedMatch, int] | None:
    """Return a match, its moves after a version, and that version: 0 unless the line only grew.

    Return `None` for an unreadable match.
    """
    with contextlib.suppress(Damaged, Usage):
        record = book.read(stream)
        known = book.store.indexed_match(stream.id)
        after = known.head if known and _only_grew(record, known.head) else 0
        ply = len(record.match.line) - (record.match.version - after) if after else 0
        return stream.id, index_of(record, ply), after
    return None


def rebuild(book: Book, watched: Watched = iter) -> None:
    """Drop the index of positions and build it again."""
    book.store.forget_index().result()
    catch_up_positions(book, watched)


def index_of(record: MatchRecord, after: int = 0) -> IndexedMatch:
    """Return the moves of a match after a ply by position, in the order of their versions."""
    steps = steps_of(record.match, record.secrets, after)
    moves = tuple(written_moves(record.match, record.secrets, after))
    return IndexedMatch(record.match.version, sorted(steps, key=lambda step: step.version), moves)


def _only_grew(record: MatchRecord, version: int) -> bool:
    """Return whether the line still has all moves indexed at a version, none of them secret."""
    edited = any(isinstance(event, Edit) for event in record.events[version:])
    return record.shared <= version and not record.game.has_secrets and not edited
