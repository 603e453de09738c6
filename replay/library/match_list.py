"""List matches page by page from their summaries: the newest first, or the last changed."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from replay.access import visibility
from replay.access.visibility import ReadScope, is_hidden
from replay.book import Book
from replay.errors import Damaged, Usage
from replay.library import text_search
from replay.library.indexes import summarised
from replay.record.match_record import MatchRecord, header_of
from replay.referee import evenings
from replay.store.search_words import words
from replay.store.types import (
    Evening,
    ListedMatch,
    MatchFilter,
    Stream,
    Summary,
    SummaryFilter,
    Text,
)

LOOKED: Final = 2000
"""The most matches per page that are examined."""
READ: Final = 300
"""The most matches per page that are read, because their summary is due."""
HITS: Final = 200
"""The number of texts that are looked up at a time."""


class ListFilter(MatchFilter, frozen=True):
    """The matches to list: of a game (a slug), with a player, open or ended, with a text.

    `text` is searched in comments, names and tags. Case does not count, nor for the player's name.
    `tag` is a name and its whole value; the matches belong to the `evening`. `trashed` lists the
    trash instead, which no text finds.
    """

    kind: str | None = "match"
    text: str | None = None
    tag: tuple[str, str] | None = None
    evening: Evening | None = None


class MatchPage(Struct, frozen=True):
    """A page of matches, and the number after which the next page begins, if any.

    It is the number of a stream, or in the order `changed` of a change.

    A page may have fewer matches than the limit, or none, and still have a next page.
    """

    matches: tuple[ListedMatch, ...]
    next: int | None


def page(
    book: Book, list_filter: ListFilter, scope: ReadScope, limit: int, before: int | None = None
) -> MatchPage:
    """Return the first matching matches that the caller may list, after the number `before`.

    Hidden variations and unreadable matches are omitted, and the trash unless the filter asks for
    it. Raises `Usage` for a search text without words.
    """
    found: list[ListedMatch] = []
    read = 0
    for looked, each in enumerate(_candidates(book, list_filter, scope, before), 1):
        read += each.summary is None
        listed = _wanted(book, list_filter, scope, each)
        if listed is not None:
            if len(found) == limit:
                return MatchPage(tuple(found), _number(list_filter, found[-1]))
            found.append(listed)
        if looked == LOOKED or read == READ:
            return MatchPage(tuple(found), _number(list_filter, each))
    return MatchPage(tuple(found), None)


def page_by_page(book: Book, list_filter: ListFilter, scope: ReadScope) -> Iterator[ListedMatch]:
    """Yield all matching matches that the caller may list, as `page` does."""
    before = None
    while True:
        found = page(book, list_filter, scope, READ, before)
        yield from found.matches
        if found.next is None:
            return
        before = found.next


def read(book: Book, listed: Iterable[ListedMatch]) -> Iterator[MatchRecord]:
    """Yield the matches themselves, without damaged ones."""
    for each in listed:
        with suppress(Damaged, Usage):
            yield book.read(each.stream)


def is_hidden_line(book: Book, stream: Stream) -> bool:
    """Return whether a variation, or one of its ancestors, is hidden."""
    while stream.parent is not None and header_of(stream).kind == "variation":
        if is_hidden(book, stream):
            return True
        stream = book.store.stream(stream.parent)
    return False


def _candidates(
    book: Book, list_filter: ListFilter, scope: ReadScope, before: int | None
) -> Iterator[ListedMatch]:
    """Yield candidates newest first: a superset of the matches of the page."""
    tag = list_filter.tag and Text(text_search.TAG, *list_filter.tag)
    evening = list_filter.evening
    wanted = replace(
        SummaryFilter() if evening is None else evenings.wanted(evening),
        text=tag,
        **{name: getattr(list_filter, name) for name in MatchFilter.__struct_fields__},
    )
    if tag is not None:
        text_search.refresh(book)
    if list_filter.text is not None:
        return _found(book, list_filter.text, wanted, before)
    if list_filter.kind == "match" and evening is None and scope.shown <= {visibility.PUBLIC}:
        return _merge(book, wanted, scope, before)
    return book.store.listed(wanted, before)


def _merge(
    book: Book, wanted: SummaryFilter, scope: ReadScope, before: int | None
) -> Iterator[ListedMatch]:
    """Yield public matches, if they are shown, and matches of the caller's tokens, each once."""
    # The fact leads to the few public matches. A tag, or the order of changes, leads there without
    # it.
    by_fact = wanted.order == "opened" and wanted.text is None
    only = replace(wanted, having=visibility.SHOWN) if by_fact else replace(wanted, public=True)
    public = book.store.listed(only, before) if scope.shown else ()
    opened = [replace(wanted, among=scope.token_streams)] if scope.token_streams else []
    opened += [] if scope.key is None else [replace(wanted, opened_by=scope.key)]
    held = (book.store.listed(each, before) for each in opened)
    last = None
    for each in heapq.merge(public, *held, key=lambda each: -_number(wanted, each)):
        if each.stream.id != last:
            yield each
        last = each.stream.id


def _number(wanted: MatchFilter, each: ListedMatch) -> int:
    """Return the number that a match has in an order."""
    return each.number if wanted.order == "changed" else each.stream.id


def _found(
    book: Book, text: str, wanted: SummaryFilter, before: int | None
) -> Iterator[ListedMatch]:
    """Yield matches with a text, the newest first. Raises `Usage` for any other order."""
    if wanted.order != "opened":
        raise Usage("a text search has its own order; leave out the order, or the text")
    if not words(text):
        raise Usage(f"{text!r} has no words to search for")
    text_search.refresh(book)
    while hits := book.store.search(text, HITS, before):
        among = {hit.stream.id for hit in hits if text_search.is_shown(book, hit)}
        yield from book.store.listed(replace(wanted, among=among), before)
        before = hits[-1].stream.id


def _wanted(
    book: Book, list_filter: ListFilter, scope: ReadScope, each: ListedMatch
) -> ListedMatch | None:
    """Return a match with its summary, if it can be read and the caller may list it."""
    try:
        if not _may_list(book, scope, each):
            return None
        known = summarised(book, each)
        hidden = known.kind == "variation" and is_hidden_line(book, each.stream)
    except (Damaged, Usage):
        return None
    return None if hidden or not _fits(list_filter, known) else replace(each, summary=known)


def _may_list(book: Book, scope: ReadScope, each: ListedMatch) -> bool:
    if each.stream.parent is not None:  # its visibility may be stored with another match
        return scope.may_list(book, each.stream)
    public = visibility.read_visibility(each.metadata, book.now()) in scope.shown
    return public or scope.holds_token(book, each.stream)


def _fits(list_filter: ListFilter, known: Summary) -> bool:
    """Return whether a filter accepts a summary that was derived just now."""
    return (
        known.kind == list_filter.kind
        and list_filter.game in (None, known.game)
        and list_filter.status in (None, "ended" if known.clause else "open")
        and (list_filter.since is None or known.last >= list_filter.since)
        and not (list_filter.sure and known.doubtful)
    )
