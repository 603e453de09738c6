"""Derive the data for lists, search, `explore` and statistics in the background.

One task derives the data of one match at a time in a thread, and rests longer than it works; a
request derives the few matches that it still finds missing. The task also opens scoresheets that
have waited for an hour.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import suppress
from itertools import chain
from typing import Final

from replay.book import Book
from replay.errors import UnknownMatch
from replay.library import explorer, indexes, text_search
from replay.referee import scoresheet_pairs
from service.http.book_reads import read_book
from service.http.logs import log_failure

POLL_INTERVAL: Final = 5.0
"""Seconds between two checks for stored events of any process."""

STOP_TIMEOUT: Final = 3.0
"""Seconds that `stop` waits for the match; a database server may never answer."""

REST: Final = 9
"""The rest after a match, as a multiple of its indexing time, so that moves hardly feel it."""


class Indexer:
    """Keeps the derived data of a book's matches up to date, for one event loop."""

    def __init__(self, book: Book) -> None:
        self._book = book
        self._seen: int | None = None
        self._opens: int | None = None
        """When the next scoresheets open by the hour, in milliseconds."""
        self._ending = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Start with a delay, because the application itself is starting."""
        self._ending = asyncio.Event()
        self._task = asyncio.create_task(self._run())

    async def stop(self) -> None:
        """Stop after the current match, but do not wait long for it."""
        self._ending.set()
        if self._task is not None:
            with suppress(TimeoutError):
                async with asyncio.timeout(STOP_TIMEOUT):
                    await self._task

    async def _run(self) -> None:
        while not await self._ends_within(POLL_INTERVAL):
            try:
                seen = await read_book(self._book, self._book.store.data_version)
                due = self._opens is not None and self._opens <= self._book.now()
                if due or seen != self._seen:
                    self._seen = seen
                    await self._catch_up()
            except Exception as error:  # locked or missing; requests index the rest
                log_failure("indexes and summaries cannot be kept up to date", error)

    async def _catch_up(self) -> None:
        time = asyncio.get_running_loop().time
        self._opens = await asyncio.to_thread(scoresheet_pairs.open_due, self._book)
        writes = chain(
            indexes.summarise_matches(self._book),
            indexes.index_matches(self._book),
            text_search.index_matches(self._book),
            explorer.count_starts(self._book),
        )
        begun = time()
        while await asyncio.to_thread(lambda: _wait_for_next(writes)):
            if await self._ends_within(REST * (time() - begun)):
                return
            begun = time()

    async def _ends_within(self, seconds: float) -> bool:
        try:
            async with asyncio.timeout(seconds):
                return await self._ending.wait()
        except TimeoutError:
            return False


def _wait_for_next(writes: Iterator[Future[None]]) -> bool:
    """Index the next due match; return whether there was one."""
    write = next(writes, None)
    if write is None:
        return False
    with suppress(UnknownMatch):  # purged in the meantime
        write.result()
    return True
