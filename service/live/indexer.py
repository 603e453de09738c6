"""What search, `explore` and statistics look through is brought up to date before anybody asks.

One task does it match by match, each in a thread, and rests longer than it works; a request does
what is left.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import suppress
from itertools import chain
from typing import Final

from replay.book import Book
from replay.errors import UnknownMatch
from replay.library import position_index, text_search
from service.http.error_log import log_failure

LOOK: Final = 5.0
"""Seconds between two looks whether anything was stored, by whichever process."""

REST: Final = 4
"""So many times as long as a match took it rests after it."""

LOG: Final = logging.getLogger("plybook.service")


class Indexer:
    """Keeps what is derived from the matches of a book up to date. For one event loop."""

    def __init__(self, book: Book) -> None:
        self._book = book
        self._seen: int | None = None
        self._ending = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin, but not at once: there is more to do at the start."""
        self._ending = asyncio.Event()
        self._task = asyncio.create_task(self._run())

    async def stop(self) -> None:
        """End, once the match is done that is worked on."""
        self._ending.set()
        if self._task is not None:
            await self._task

    async def _run(self) -> None:
        while not await self._ends_within(LOOK):
            try:
                seen = self._book.store.data_version()
                if seen != self._seen:
                    self._seen = seen
                    await self._catch_up()
            except Exception as error:  # locked or gone; requests do what is left
                log_failure("what is derived cannot be kept up to date", error)

    async def _catch_up(self) -> None:
        time = asyncio.get_running_loop().time
        writes = chain(
            position_index.index_matches(self._book), text_search.index_matches(self._book)
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
    """Do the next match, and tell whether there was one."""
    write = next(writes, None)
    if write is None:
        return False
    with suppress(UnknownMatch):  # it was purged meanwhile
        write.result()
    return True
