"""List matches newest first, page by page, looking at no more of a big book than a page needs."""

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
"""So many matches are looked at for a page at most, by their headers and facts alone."""
READ: Final = 300
"""So many matches are read for a page at most, to tell whether they have ended."""
HITS: Final = 200
"""So many texts are looked up at a time."""


class ListFilter(Struct, frozen=True):
    """Which matches are wanted: of a game (a slug), with a player, open or ended, by words.

    `text` is looked for in comments, names and tags.
    """

    kind: Literal["match", "variation"] = "match"
    game: str | None = None
    player: str | None = None
    status: Literal["open", "ended"] | None = None
    text: str | None = None


class ReadScope(Struct, frozen=True):
    """Which matches somebody may be told of: by their visibility, and those he bears a token of.

    What is `borne` are the numbers of streams; the variations of a match are told of with it.
    """

    shown: frozenset[visibility.Visibility]
    borne: frozenset[int] = frozenset()

    def finds(self, book: Book, stream: Stream) -> bool:
        """Tell whether a match may be told of to somebody who has not named it."""
        if self.bears(book, stream):
            return True
        return visibility.stream_visibility(book, stream) in self.shown

    def reads(self, book: Book, stream: Stream) -> bool:
        """Tell whether a match may be read by somebody who has named it."""
        if self.bears(book, stream):
            return True
        return visibility.stream_visibility(book, stream) != visibility.PRIVATE

    def bears(self, book: Book, stream: Stream) -> bool:
        """Tell whether a token was shown that opens the match."""
        return not self.borne.isdisjoint((stream.id, visibility.analysed_match(book, stream).id))


class MatchPage(Struct, frozen=True):
    """Matches, and the number of the stream after which the next page goes on, if there is more.

    A page may have fewer matches than asked for, or none, and still be followed by another.
    """

    matches: tuple[MatchRecord, ...]
    next: int | None


def page(
    book: Book, wish: ListFilter, sight: ReadScope, limit: int, before: int | None = None
) -> MatchPage:
    """Return the newest matches that are wanted and may be told of, older than stream `before`.

    Left out are the trash, hidden variations, and what cannot be read. Raises `Usage` for a text
    without words.
    """
    found: list[MatchRecord] = []
    read = 0
    for looked, stream in enumerate(_candidates(book, wish, sight, before), 1):
        recorded = None
        if _is_wanted(book, wish, stream) and sight.finds(book, stream):
            recorded, read = _read(book, stream), read + 1
        if recorded is not None and _stands_so(wish, recorded):
            if len(found) == limit:
                return MatchPage(tuple(found), found[-1].stream.id)
            found.append(recorded)
        if looked == LOOKED or read == READ:
            return MatchPage(tuple(found), stream.id)
    return MatchPage(tuple(found), None)


def is_out_of_sight(book: Book, stream: Stream) -> bool:
    """Tell whether a variation, or one that it leaves, is hidden."""
    while stream.parent is not None and header_of(stream).kind == "variation":
        if is_hidden(book, stream):
            return True
        stream = book.store.stream(stream.parent)
    return False


def _candidates(
    book: Book, wish: ListFilter, sight: ReadScope, before: int | None
) -> Iterator[Stream]:
    """Yield matches newest first, among which are all that can be on the page."""
    if wish.text is not None:
        return _found(book, wish.text, before)
    if wish.kind == "match" and sight.shown == {visibility.PUBLIC}:
        return _merged(book, visibility.SHOWN, sight, before)
    return book.store.matches(before=before)


def _merged(book: Book, having: Fact, sight: ReadScope, before: int | None) -> Iterator[Stream]:
    """Yield those that have the fact, and those that are borne, each once."""
    borne = (book.store.stream(number) for number in sorted(sight.borne, reverse=True))
    older = (each for each in borne if before is None or each.id < before)
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
    if header.kind == "variation" and is_out_of_sight(book, stream):
        return False
    facts = book.store.facts(visibility.analysed_match(book, stream).id) if wish.player else {}
    return wish.player is None or wish.player in _players(facts)


def _slug(header: Header) -> str:
    return header.rules.partition("/")[0]


def _players(facts: Mapping[str, str]) -> Sequence[str]:
    return [value for name, value in facts.items() if SEAT_TAG.fullmatch(name)]


def _stands_so(wish: ListFilter, recorded: MatchRecord) -> bool:
    if wish.status is None:
        return True
    return (recorded.state.outcome is None) == (wish.status == "open")


def _read(book: Book, stream: Stream) -> MatchRecord | None:
    try:
        return book.read(stream)
    except (Damaged, Usage):
        return None
