"""Data derived from the matches (summaries, moves by position, texts): compare or rebuild it."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import suppress
from functools import partial
from itertools import islice
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from replay.book import Book
from replay.errors import Damaged, PlybookError, UnknownMatch, UnknownRuleset, Usage
from replay.library.indexes import index_of
from replay.library.text_search import texts_of
from replay.match_batches import Advance, all_streams, work_on
from replay.record.match_record import MatchRecord
from replay.record.match_summary import summary_of
from replay.store.types import Derived, Stream

TOGETHER: Final = 200
"""The matches that are replaced in one transaction, for which other writes must wait."""


class Reindexed(Struct, frozen=True):
    """The numbers of matches, moves and texts that were indexed again.

    `unread` are the ids of the unreadable matches.
    """

    matches: int
    moves: int
    texts: int
    unread: tuple[str, ...]


def reindex(book: Book, advance: Advance = lambda _: None) -> Reindexed:
    """Rebuild summaries, the position index and the search index.

    It does so for a few matches at a time, so that others can write in between; a reader sees
    either the old or the new data of a match. Matches that are added meanwhile are indexed as
    usual.
    """
    book.store.rebuild_indexes().result()
    unread: list[str] = []
    matches = moves = texts = 0
    derived = work_on(book, all_streams(book), _derive)
    while some := list(islice(derived, TOGETHER)):
        book.store.replace_derived({stream.id: each for stream, each in some}).result()
        for stream, each in some:
            if each.moves is not None:
                matches, moves = matches + 1, moves + len(each.moves.steps)
            elif each.texts is not None:
                unread.append(stream.public_id)
            texts += len(each.texts.texts) if each.texts else 0
        advance(len(some))
    return Reindexed(matches, moves, texts, tuple(unread))


def _derive(book: Book, stream: Stream) -> tuple[Stream, Derived]:
    """Return the data derived from a match; none if it was purged, only texts if it is unreadable.

    Without its game, summary and moves stay as they are.
    """
    try:
        texts = texts_of(book, stream)
        try:
            record = book.read(stream)
            return stream, Derived(summary_of(record), index_of(record), texts)
        except UnknownRuleset:  # only the missing game could derive these data again
            kept = book.store.summary(stream.id), book.store.indexed_match(stream.id)
            return stream, Derived(*kept, texts)
        except (Damaged, Usage):
            return stream, Derived(texts=texts)
    except UnknownMatch:
        return stream, Derived()


class Compared(Struct, frozen=True):
    """The derived data of a match that differ from its log, and the errors of unreadable parts.

    Both are by the names in `COMPARED`.
    """

    match: str
    differ: tuple[str, ...]
    errors: dict[str, str]


def compare(book: Book) -> Iterator[Compared]:
    """Compare the derived data of all matches with their logs; due data do not differ."""
    due = frozenset(stream.id for stream in book.store.summaries_due())
    return work_on(book, all_streams(book), partial(_compare, due))


def _compare(due: Collection[int], book: Book, stream: Stream) -> Compared:
    differ, errors = list[str](), dict[str, str]()
    for name, has_other in COMPARED.items():
        try:
            with suppress(UnknownMatch, Damaged, Usage):
                if has_other(book, stream, due):
                    differ.append(name)
        except PlybookError as error:
            errors[name] = str(error)
    return Compared(stream.public_id, tuple(differ), errors)


def _has_other_summary(book: Book, stream: Stream, due: Collection[int]) -> bool:
    known = book.store.summary(stream.id)
    wrong = stream.id not in due and known != summary_of(_now(book, stream))
    return wrong and known == book.store.summary(stream.id)  # the match has not grown since


def _has_other_moves(book: Book, stream: Stream, _: Collection[int]) -> bool:
    known = book.store.indexed_match(stream.id)
    if known is None or known.head < stream.head:  # the next query will index it
        return False
    right = index_of(_now(book, stream).at_version(known.head))
    return known != (right if known.moves else replace(right, moves=()))


def _has_other_texts(book: Book, stream: Stream, _: Collection[int]) -> bool:
    found, right = book.store.indexed_texts(stream.id), texts_of(book, stream)
    if found is None or found.notes < right.notes:
        return False
    return (found.notes, list(found.texts)) != (right.notes, list(right.texts))


def _now(book: Book, stream: Stream) -> MatchRecord:
    return book.read(book.store.stream(stream.id))


COMPARED: Final = {
    "summaries": _has_other_summary,
    "moves": _has_other_moves,
    "texts": _has_other_texts,
}
"""For each kind of derived data, the function that says whether they differ from the log."""
