"""The matches that a caller may list and read."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from replay.access import visibility
from replay.book import Book
from replay.store.protocol import Stream

OPEN: Final = (visibility.UNLISTED, visibility.PUBLIC)
"""The visibilities of matches that everybody may read who knows their id."""


class ReadScope(Struct, frozen=True):
    """The matches a caller may list: public ones, and those whose token they hold.

    `token_streams` are the stream numbers of matches of the latter, and `key` is the digest of a
    token, which may open many more. Their variations are included. An operator's scope shows every
    visibility.
    """

    shown: frozenset[visibility.Visibility]
    token_streams: frozenset[int] = frozenset()
    key: bytes | None = None

    @property
    def own(self) -> ReadScope:
        """The scope of the matches whose token the caller holds, and of no others."""
        return replace(self, shown=frozenset())

    @property
    def sees_all(self) -> bool:
        """Whether it is an operator's, which shows every visibility and the trash."""
        return visibility.PRIVATE in self.shown

    def may_list(self, book: Book, stream: Stream) -> bool:
        """Return whether a match may be listed for the caller."""
        if visibility.stream_visibility(book, stream) in self.shown:
            return True
        return self.holds_token(book, stream)

    def may_read(self, book: Book, stream: Stream) -> bool:
        """Return whether the caller may read a match whose id they know."""
        if visibility.stream_visibility(book, stream) in {*OPEN, *self.shown}:
            return True
        return self.holds_token(book, stream)

    def holds_token(self, book: Book, stream: Stream) -> bool:
        """Return whether the caller holds a token of the match."""
        return self.opens(book, {stream.id, visibility.analysed_match(book, stream).id})

    def opens(self, book: Book, numbers: Collection[int]) -> bool:
        """Return whether the caller holds a token of one of the streams."""
        if self.key is None:
            return not self.token_streams.isdisjoint(numbers)
        return any(book.store.key(number, self.key) for number in numbers)
