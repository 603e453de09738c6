"""Whether the database can be read and written now, for the probes of operators."""

from __future__ import annotations

import asyncio
import contextlib
import math
import time
from typing import Final

from replay.book import Book
from replay.errors import PlybookError, StoreError
from service.http.book_reads import read_book
from service.http.logs import CAUSES

PROBE_TIMEOUT: Final = 2.0
"""Seconds in which the store must answer a read and complete a write."""
FRESH: Final = 1.0
"""Seconds for which a result is reused, because every test costs a write."""


class Readiness:
    """The state of the database, tested at most once a second."""

    def __init__(self, book: Book) -> None:
        self._book = book
        self._asking = asyncio.Lock()
        self._until = -math.inf
        self._found: str | None = None

    async def failure(self) -> str | None:
        """Return the reason why the database cannot be read and written, or `None`."""
        async with self._asking:
            if time.monotonic() >= self._until:
                self._found = await self._ask()
                self._until = time.monotonic() + FRESH
            return self._found

    async def _ask(self) -> str | None:
        try:
            await asyncio.wait_for(self._probe(), PROBE_TIMEOUT)
        except StoreError as error:
            CAUSES.log(error)
            return f"the database cannot be read and written: {error.reason}"
        except PlybookError:
            return "the database cannot be read and written; run `plybook doctor` for the cause"
        except TimeoutError:
            return await self._name_obstacle()
        return None

    async def _name_obstacle(self) -> str:
        """Name the reason why nothing can be written, and log the details."""
        with contextlib.suppress(PlybookError, TimeoutError):
            asked = read_book(self._book, self._book.store.obstacle)
            found = await asyncio.wait_for(asked, PROBE_TIMEOUT)
            if found is not None:
                CAUSES.log_line(found, f"the database refuses writes: {found}")
                return f"the database refuses writes: {found}"
        return "the database is busy and refuses writes"

    async def _probe(self) -> None:
        store = self._book.store
        await read_book(self._book, lambda: store.changes(None))
        await asyncio.wrap_future(store.probe())
