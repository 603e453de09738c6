"""Work with the book for a request without keeping the event loop waiting.

A book in a file is read at once: its pages are in memory, and a thread would take longer. A book on
a database server is read in a thread. A match with many events to fold is read in a thread, too.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from replay.book import MAX_UNQUEUED, Book
from replay.record.match_record import MatchRecord
from replay.store.types import Stream

P = ParamSpec("P")
T = TypeVar("T")


async def read_book(book: Book, read: Callable[[], T]) -> T:
    """Return a function's result for a book; it reads little and writes nothing."""
    return read() if book.store.is_local else await asyncio.to_thread(read)


def reads_book(handler: Callable[P, T]) -> Callable[P, Awaitable[T]]:
    """Turn a function that reads little and writes nothing into a handler of a route.

    A handler with a parameter `visit` may fold or write the log of that match; a long log is folded
    in a thread. A function that reads much, computes for long or writes runs `in_thread`.
    """

    @wraps(handler)
    async def handle(*args: P.args, **names: P.kwargs) -> T:
        visit: Any = names.get("visit")
        if visit is not None and visit.record.match.version > MAX_UNQUEUED:
            return await asyncio.to_thread(handler, *args, **names)
        live: Any = names.get("live")
        # Without `book` and `live` the handler reads no more than the match of `visit`.
        book: Any = names.get("book", live and live.book)
        if book is None:
            return handler(*args, **names)
        return await read_book(book, lambda: handler(*args, **names))

    return handle


def in_thread(handler: Callable[P, T]) -> Callable[P, Awaitable[T]]:
    """Turn a function that reads much, computes for long or writes into a handler of a route.

    Litestar's `sync_to_thread` would hide the function's name, which metrics and the schema need.
    """

    @wraps(handler)
    async def handle(*args: P.args, **names: P.kwargs) -> T:
        return await asyncio.to_thread(handler, *args, **names)

    return handle


class MatchReader:
    """Folds matches with many events in a thread, one match at a time.

    Other handlers wait here, so that a crowd of them leaves threads for other work.
    """

    def __init__(self, book: Book) -> None:
        self._book = book
        self._turn = asyncio.Lock()

    async def read(self, stream: Stream) -> MatchRecord:
        """Return the match of a stream at its head, like `Book.read`."""
        async with self._turn:
            return await asyncio.to_thread(self._book.read, stream)
