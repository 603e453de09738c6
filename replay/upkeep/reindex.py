"""Data derived from the matches (lines, texts): compare it with the logs, or rebuild it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import chain

from msgspec import Struct

from replay.book import Book
from replay.errors import Damaged, UnknownMatch, Usage
from replay.library.position_index import index_of
from replay.library.text_search import texts_of
from replay.store.protocol import IndexedMatch, IndexedTexts, Stream

Watched = Callable[[list[Stream]], Iterable[Stream]]
"""Passes matches through, and shows the progress."""


class Reindexed(Struct, frozen=True):
    """The numbers of matches, moves and texts that were indexed again.

    `unread` are the ids of the unreadable matches.
    """

    matches: int
    moves: int
    texts: int
    unread: tuple[str, ...]


def all_matches(book: Book) -> list[Stream]:
    """Return all matches, including those in the trash, oldest first."""
    every = chain(book.store.matches(), book.store.matches(trashed=True))
    return sorted(every, key=lambda stream: stream.id)


def reindex(book: Book, watched: Watched = iter) -> Reindexed:
    """Rebuild the position index and the search index.

    Each is one transaction. The next search picks up later changes, as always.
    """
    book.store.rebuild_indexes().result()
    surveys: dict[int, IndexedMatch] = {}
    texts: dict[int, IndexedTexts] = {}
    unread = []
    for stream in watched(all_matches(book)):
        with suppress(UnknownMatch):  # it was purged meanwhile
            texts[stream.id] = texts_of(book, stream)
            try:
                surveys[stream.id] = index_of(book.read(stream))
            except (Damaged, Usage):
                unread.append(stream.public_id)
    book.store.replace_derived(surveys, texts).result()
    moves = sum(len(known.steps) for known in surveys.values())
    count = sum(len(found.texts) for found in texts.values())
    return Reindexed(len(surveys), moves, count, tuple(unread))


def wrong_lines(book: Book) -> Iterator[str]:
    """Yield the ids of the matches whose indexed line differs from the log."""
    for stream in all_matches(book):
        known = book.store.indexed_match(stream.id)
        if known is None or known.head < stream.head:  # the next query will index it
            continue
        with suppress(UnknownMatch, Damaged, Usage):
            if known != index_of(book.read(book.store.stream(stream.id)).at_version(known.head)):
                yield stream.public_id


def wrong_texts(book: Book) -> Iterator[str]:
    """Yield the ids of the matches whose indexed texts differ from their own."""
    for stream in all_matches(book):
        with suppress(UnknownMatch, Damaged):
            found, right = book.store.indexed_texts(stream.id), texts_of(book, stream)
            if found is None or found.notes < right.notes:
                continue
            if (found.notes, list(found.texts)) != (right.notes, list(right.texts)):
                yield stream.public_id
