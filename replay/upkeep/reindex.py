"""Data derived from the matches (summaries, moves by position, texts): compare or rebuild it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import chain

from msgspec import Struct
from msgspec.structs import replace

from replay.book import Book
from replay.errors import Damaged, UnknownMatch, Usage
from replay.library.indexes import Watched, index_of
from replay.library.text_search import texts_of
from replay.record.match_record import MatchRecord
from replay.record.match_summary import summary_of
from replay.store.types import IndexedMatch, IndexedTexts, Stream, Summary


class Reindexed(Struct, frozen=True):
    """The numbers of matches, moves and texts that were indexed again.

    `unread` are the ids of the unreadable matches.
    """

    matches: int
    moves: int
    texts: int
    unread: tuple[str, ...]


def all_matches(book: Book) -> list[Stream]:
    """Return all matches, with the trash, oldest first."""
    every = chain(book.store.matches(), book.store.matches(trashed=True))
    return sorted(every, key=lambda stream: stream.id)


def reindex(book: Book, watched: Watched = iter) -> Reindexed:
    """Rebuild summaries, the position index and the search index.

    They replace the old ones in one transaction. Later changes are indexed as usual.
    """
    book.store.rebuild_indexes().result()
    summaries: dict[int, Summary] = {}
    moves: dict[int, IndexedMatch] = {}
    texts: dict[int, IndexedTexts] = {}
    unread = []
    for stream in watched(all_matches(book)):
        with suppress(UnknownMatch):  # it was purged meanwhile
            texts[stream.id] = texts_of(book, stream)
            try:
                record = book.read(stream)
                summaries[stream.id], moves[stream.id] = summary_of(record), index_of(record)
            except (Damaged, Usage):
                unread.append(stream.public_id)
    book.store.replace_derived(summaries, moves, texts).result()
    count = sum(len(known.steps) for known in moves.values())
    found = sum(len(each.texts) for each in texts.values())
    return Reindexed(len(moves), count, found, tuple(unread))


def wrong_summaries(book: Book) -> Iterator[str]:
    """Yield the ids of the matches whose summary differs from the log, and is not due."""
    due = {stream.id for stream in book.store.summaries_due()}
    for stream in all_matches(book):
        known = book.store.summary(stream.id)
        with suppress(UnknownMatch, Damaged, Usage):
            wrong = stream.id not in due and known != summary_of(_now(book, stream))
            if wrong and known == book.store.summary(stream.id):  # the match has not grown since
                yield stream.public_id


def wrong_moves(book: Book) -> Iterator[str]:
    """Yield the ids of the matches whose moves by position differ from the log."""
    for stream in all_matches(book):
        known = book.store.indexed_match(stream.id)
        if known is None or known.head < stream.head:  # the next query will index it
            continue
        with suppress(UnknownMatch, Damaged, Usage):
            right = index_of(_now(book, stream).at_version(known.head))
            if known != (right if known.moves else replace(right, moves=())):
                yield stream.public_id


def _now(book: Book, stream: Stream) -> MatchRecord:
    return book.read(book.store.stream(stream.id))


def wrong_texts(book: Book) -> Iterator[str]:
    """Yield the ids of the matches whose indexed texts differ from their own."""
    for stream in all_matches(book):
        with suppress(UnknownMatch, Damaged):
            found, right = book.store.indexed_texts(stream.id), texts_of(book, stream)
            if found is None or found.notes < right.notes:
                continue
            if (found.notes, list(found.texts)) != (right.notes, list(right.texts)):
                yield stream.public_id
