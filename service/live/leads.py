"""Led replay: who turns the pages of a match for all its followers. Leads are not stored.

Every server of a book keeps the newest lead of each match in memory, for as long as the page that
leads repeats it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta, Struct

from replay.book import Book
from service.live.feed import Feed
from service.models.requests import Id, Ply, Version

SILENCE: Final = 30.0
"""Seconds after which a page that has not reported its place no longer leads."""


class LedMark(Struct, frozen=True, forbid_unknown_fields=True):
    """A mark that is shown and not stored: `a1-c3` for an arrow, `d4` for a circle."""

    kind: Literal["arrow", "circle"]
    where: Annotated[str, Meta(max_length=60)]
    """The places, in the notation of annotations."""


class LedPlace(Struct, frozen=True, kw_only=True):
    """The place in a match that a page shows, and its marks there."""

    id: Id
    """An id that the page has chosen. Another page takes the lead."""
    version: Version
    """The version of the match that is read."""
    ply: Ply
    marks: Annotated[tuple[LedMark, ...], Meta(max_length=16)] = ()
    """Temporary marks, shown with the marks of the annotations."""


class PageLead(LedPlace, frozen=True, kw_only=True):
    """The place in a match that an author's page shows, or the end of its lead."""

    stream: int
    actor: str
    over: bool


class Leads:
    """The leads of all matches, as one event loop knows them."""

    def __init__(self, book: Book, feed: Feed) -> None:
        self._book = book
        self._feed = feed
        self._leads: dict[int, PageLead] = {}
        self.of: Callable[[int], PageLead | None] = self._leads.get
        """Returns the lead of a match, if anybody leads."""
        book.store.on_told(self._hear)

    def tell(self, lead: PageLead) -> None:
        """Send a lead to all servers of the book, including this one."""
        self._book.store.tell(msgspec.json.encode(lead).decode())

    def _hear(self, text: str) -> None:
        with suppress(msgspec.MsgspecError):  # sent by another version of Plybook
            self._feed.soon(self._note, msgspec.json.decode(text, type=PageLead))

    def _note(self, lead: PageLead) -> None:
        before = self._leads.get(lead.stream)
        if not lead.over:
            self._leads[lead.stream] = lead
            asyncio.get_running_loop().call_later(SILENCE, self._end, lead)
            self._feed.wake(lead.stream)
        elif before is not None and before.id == lead.id:
            self._end(before)

    def _end(self, lead: PageLead) -> None:
        if self._leads.get(lead.stream) is lead:
            del self._leads[lead.stream]
            self._feed.wake(lead.stream)
