"""The visibility of a match, and the matches that a caller may list and read."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from replay.book import Book
from replay.errors import Usage
from replay.record.match_record import MatchRecord, header_of
from replay.store.feed_types import VISIBILITY
from replay.store.types import MetadataItem, NotEqual, Stream

HIDDEN: Final = "fork.hidden"
"""The fact that marks a variation as hidden."""

Visibility = Literal["unlisted", "public", "private"]

FACT: Final = VISIBILITY
"""The fact that stores a visibility. It is not a tag; a match without it is unlisted."""

BESIDE: Final = "scoresheets.other"
"""The fact of a scoresheet that its player keeps apart: the id of the other scoresheet."""
OPENS: Final = "scoresheets.opens"
"""The fact of such a scoresheet that opens at a time, in milliseconds."""
TIME: Final = re.compile("[0-9]{1,16}")

MAX_REMEMBERED: Final = 100_000
"""The capacity of the cache from variations to the matches that they analyse."""

UNLISTED: Final = "unlisted"
PUBLIC: Final = "public"
PRIVATE: Final = "private"
VISIBILITIES: Final[dict[str, Visibility]] = {
    UNLISTED: UNLISTED,
    PUBLIC: PUBLIC,
    PRIVATE: PRIVATE,
}
"""The visibilities by their names."""

SHOWN: Final = MetadataItem(FACT, PUBLIC)
"""The fact that public matches have."""
CLOSED: Final = NotEqual(FACT, (UNLISTED, PUBLIC))
"""The fact of private matches; an unreadable value also counts as private."""


def visibility_of(book: Book, record: MatchRecord) -> Visibility:
    """Return the visibility of a match; a variation has that of the match it analyses."""
    return stream_visibility(book, record.stream)


def is_private(book: Book, record: MatchRecord) -> bool:
    """Return whether only invited people may see a match."""
    return visibility_of(book, record) == PRIVATE


def stream_visibility(book: Book, stream: Stream) -> Visibility:
    """Return the visibility of a stream's match without reading it.

    Raises `Damaged` for a corrupt header.
    """
    return read_visibility(book.store.metadata(analysed_match(book, stream).id), book.now())


def read_visibility(facts: Mapping[str, str], now: int = 0) -> Visibility:
    """Return the visibility that a match's facts state; an unknown value counts as private.

    A scoresheet that opened by `now` is unlisted.
    """
    opens = opens_at(facts)
    if opens is not None and opens <= now:
        return UNLISTED
    return VISIBILITIES.get(facts.get(FACT, UNLISTED), PRIVATE)


def opens_at(facts: Mapping[str, str]) -> int | None:
    """Return the time at which a scoresheet opens, in milliseconds, if that is known."""
    opens = facts.get(OPENS, "")
    return int(opens) if TIME.fullmatch(opens) else None


def analysed_match(book: Book, stream: Stream) -> Stream:
    """Return the match that a variation analyses, or the match itself.

    Raises `Damaged` for a corrupt header. The parent of a stream never changes, so the results are
    cached.
    """
    path: list[int] = []
    while stream.parent is not None and header_of(stream).kind == "variation":
        cached = book.analysed.get(stream.id)
        path.append(stream.id)
        stream = book.store.stream(stream.parent if cached is None else cached)
    if len(book.analysed) > MAX_REMEMBERED:
        book.analysed.clear()
    book.analysed.update(dict.fromkeys(path, stream.id))
    return stream


def set_visibility(book: Book, record: MatchRecord, visibility: Visibility) -> None:
    """Set the visibility of a match.

    Raises `Usage` for a variation, which shares the visibility of its match, and for one of two
    scoresheets that are kept apart.
    """
    if BESIDE in book.store.metadata(record.stream.id) and is_private(book, record):
        raise Usage("this scoresheet opens together with the other, once both are done")
    if record.header.kind == "variation":
        raise Usage("a variation has the visibility of its match; set that of the match")
    facts = {**visibility_fact(visibility), OPENS: None}
    book.store.set_metadata(record.stream.id, facts).result()


def visibility_fact(visibility: Visibility) -> dict[str, str | None]:
    """Return the fact that stores a visibility; the default removes the fact."""
    return {FACT: None if visibility == UNLISTED else visibility}


def is_hidden(book: Book, stream: Stream) -> bool:
    """Return whether a variation is hidden."""
    return HIDDEN in book.store.metadata(stream.id)


OPEN: Final = (UNLISTED, PUBLIC)
"""The visibilities of matches that a caller may read without a token, by their id."""


class ReadScope(Struct, frozen=True):
    """The matches a caller may list: public matches, and matches whose token they hold.

    `token_streams` are the stream numbers of the matches whose token the caller holds. `key` is the
    digest of a token or an account, which may open many more. Their variations are included. An
    operator's scope shows every visibility.
    """

    shown: frozenset[Visibility]
    token_streams: frozenset[int] = frozenset()
    key: bytes | None = None

    @property
    def own(self) -> ReadScope:
        """The scope of the matches whose token the caller holds, and of no other matches."""
        return replace(self, shown=frozenset())

    @property
    def sees_all(self) -> bool:
        """Whether this is an operator's scope, which shows every visibility and the trash."""
        return PRIVATE in self.shown

    def may_list(self, book: Book, stream: Stream) -> bool:
        """Return whether a match may be listed for the caller."""
        if stream_visibility(book, stream) in self.shown:
            return True
        return self.holds_token(book, stream)

    def may_read(self, book: Book, stream: Stream) -> bool:
        """Return whether the caller may read a match whose id they know."""
        if stream_visibility(book, stream) in {*OPEN, *self.shown}:
            return True
        return self.holds_token(book, stream)

    def holds_token(self, book: Book, stream: Stream) -> bool:
        """Return whether the caller holds a token of the match."""
        return self.opens(book, {stream.id, analysed_match(book, stream).id})

    def opens(self, book: Book, numbers: Collection[int]) -> bool:
        """Return whether the caller holds a token of one of the streams."""
        if not self.token_streams.isdisjoint(numbers):
            return True
        key = self.key
        return key is not None and any(book.store.key(number, key) for number in numbers)
