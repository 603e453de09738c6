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
"""Something that passes matches on, and shows how many have been passed."""


class Reindexed(Struct, frozen=True):
    """The numbers of matches, moves and texts that were indexed again.

    `unread` are the ids of the matches that cannot be read.
    """

    matches: int
    moves: int
    texts: int
    unread: tuple[str, ...]


def all_matches(book: Book) -> list[Stream]:
    """Return all matches, also those in the trash, oldest first."""
    every = chain(book.store.matches(), book.store.matches(trashed=True))
    return sorted(every, key=lambda stream: stream.id)


def reindex(book: Book, watched: Watched = iter) -> Reindexed:
    """Rebuild indexes, and derive the data of search and statistics again.

    Each of the two is one transaction. Later changes are picked up by the next search, as always.
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
    said = sum(len(found.texts) for found in texts.values())
    return Reindexed(len(surveys), moves, said, tuple(unread))


def wrong_lines(book: Book) -> Iterator[str]:
    """Yield the ids of the matches whose line is not known as it stands at that version."""
    for stream in all_matches(book):
        known = book.store.indexed_match(stream.id)
        if known is None or known.head < stream.head:  # it is derived when it is asked for
            continue
        with suppress(UnknownMatch, Damaged, Usage):
            if known != index_of(book.read(book.store.stream(stream.id)).at_version(known.head)):
                yield stream.public_id


def wrong_texts(book: Book) -> Iterator[str]:
    """Yield the ids of the matches that are found by other texts than they should be."""
    for stream in all_matches(book):
        with suppress(UnknownMatch, Damaged):
            found, right = book.store.indexed_texts(stream.id), texts_of(book, stream)
            if found is None or found.notes < right.notes:
                continue
            if (found.notes, list(found.texts)) != (right.notes, list(right.texts)):
                yield stream.public_id
