"""List matches newest first, page by page, and read no more of a big book than a page needs."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Literal

from msgspec import Struct

from replay.access import visibility
from replay.book import Book
from replay.branches.forks import is_hidden
from replay.errors import Damaged, Usage
from replay.formats.ply.model import SEAT_TAG
from replay.library import text_search
from replay.match_record import Header, MatchRecord, header_of
from replay.store.protocol import Fact, Stream
from replay.store.search_words import words

LOOKED: Final = 2000
"""The most matches per page that are examined by their headers and facts."""
READ: Final = 300
"""The most matches per page that are read to learn whether they have ended."""
HITS: Final = 200
"""The number of texts that are looked up at a time."""


class ListFilter(Struct, frozen=True):
    """The matches to list: of a game (a slug), with a player, open or ended, with a text.

    `text` is searched in comments, names and tags.
    """

    kind: Literal["match", "variation"] = "match"
    game: str | None = None
    player: str | None = None
    status: Literal["open", "ended"] | None = None
    text: str | None = None


class ReadScope(Struct, frozen=True):
    """The matches a caller may list: public ones, and those whose token they hold.

    `token_streams` are the stream numbers of the latter; their variations are included.
    """

    shown: frozenset[visibility.Visibility]
    token_streams: frozenset[int] = frozenset()

    def may_list(self, book: Book, stream: Stream) -> bool:
        """Tell whether a match may be listed for the caller."""
        if self.holds_token(book, stream):
            return True
        return visibility.stream_visibility(book, stream) in self.shown

    def may_read(self, book: Book, stream: Stream) -> bool:
        """Tell whether the caller may read a match whose id they know."""
        if self.holds_token(book, stream):
            return True
        return visibility.stream_visibility(book, stream) != visibility.PRIVATE

    def holds_token(self, book: Book, stream: Stream) -> bool:
        """Tell whether the caller holds a token of the match."""
        analysed = visibility.analysed_match(book, stream)
        return not self.token_streams.isdisjoint((stream.id, analysed.id))


class MatchPage(Struct, frozen=True):
    """A page of matches, and the stream number after which the next page begins, if any.

    A page may have fewer matches than the limit, or none, and still have a next page.
    """

    matches: tuple[MatchRecord, ...]
    next: int | None


def page(
    book: Book, wish: ListFilter, sight: ReadScope, limit: int, before: int | None = None
) -> MatchPage:
    """Return the newest matching matches that the caller may list, older than stream `before`.

    The trash, hidden variations and unreadable matches are omitted. Raises `Usage` for a search
    text without words.
    """
    found: list[MatchRecord] = []
    read = 0
    for looked, stream in enumerate(_candidates(book, wish, sight, before), 1):
        recorded = None
        if _is_wanted(book, wish, stream) and sight.may_list(book, stream):
            recorded, read = _read(book, stream), read + 1
        if recorded is not None and _has_status(wish, recorded):
            if len(found) == limit:
                return MatchPage(tuple(found), found[-1].stream.id)
            found.append(recorded)
        if looked == LOOKED or read == READ:
            return MatchPage(tuple(found), stream.id)
    return MatchPage(tuple(found), None)


def is_hidden_line(book: Book, stream: Stream) -> bool:
    """Tell whether a variation, or one of its ancestors, is hidden."""
    while stream.parent is not None and header_of(stream).kind == "variation":
        if is_hidden(book, stream):
            return True
        stream = book.store.stream(stream.parent)
    return False


def _candidates(
    book: Book, wish: ListFilter, sight: ReadScope, before: int | None
) -> Iterator[Stream]:
    """Yield candidates newest first: a superset of the matches of the page."""
    if wish.text is not None:
        return _found(book, wish.text, before)
    if wish.kind == "match" and sight.shown == {visibility.PUBLIC}:
        return _merge(book, visibility.SHOWN, sight, before)
    return book.store.matches(before=before)


def _merge(book: Book, having: Fact, sight: ReadScope, before: int | None) -> Iterator[Stream]:
    """Yield the matches with the fact and those whose token the caller holds, each once."""
    held = (book.store.stream(number) for number in sorted(sight.token_streams, reverse=True))
    older = (each for each in held if before is None or each.id < before)
    last = None
    shown = book.store.matches(before=before, having=having)
    for stream in heapq.merge(shown, older, key=lambda each: -each.id):
        if stream.id != last and not stream.trashed:
            yield stream
        last = stream.id


def _found(book: Book, text: str, before: int | None) -> Iterator[Stream]:
    if not words(text):
        raise Usage(f"{text!r} has no word to look for")
    text_search.refresh(book)
    while hits := book.store.search(text, HITS, before):
        yield from {hit.stream.id: hit.stream for hit in hits}.values()
        before = hits[-1].stream.id


def _is_wanted(book: Book, wish: ListFilter, stream: Stream) -> bool:
    try:
        header = header_of(stream)
    except Damaged:
        return False
    if header.kind != wish.kind or wish.game not in (None, _slug(header)):
        return False
    if header.kind == "variation" and is_hidden_line(book, stream):
        return False
    facts = book.store.facts(visibility.analysed_match(book, stream).id) if wish.player else {}
    return wish.player is None or wish.player in _players(facts)


def _slug(header: Header) -> str:
    return header.rules.partition("/")[0]


def _players(facts: Mapping[str, str]) -> Sequence[str]:
    return [value for name, value in facts.items() if SEAT_TAG.fullmatch(name)]


def _has_status(wish: ListFilter, recorded: MatchRecord) -> bool:
    if wish.status is None:
        return True
    return (recorded.state.outcome is None) == (wish.status == "open")


def _read(book: Book, stream: Stream) -> MatchRecord | None:
    try:
        return book.read(stream)
    except (Damaged, Usage):
        return None
