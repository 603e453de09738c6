"""Read long matches for requests without keeping the event loop waiting."""

from __future__ import annotations

import asyncio

from replay.book import Book
from replay.record.match_record import MatchRecord
from replay.store.types import Stream


class MatchReader:
    """Reads matches with many events to fold in a thread, one at a time.

    The others wait here, so that a crowd of them leaves threads for other work.
    """

    def __init__(self, book: Book) -> None:
        self._book = book
        self._turn = asyncio.Lock()

    async def read(self, stream: Stream) -> MatchRecord:
        """Return the match of a stream at its head, like `Book.read`."""
        async with self._turn:
            return await asyncio.to_thread(self._book.read, stream)
