"""Await what the writer thread stores."""

from __future__ import annotations

import asyncio
from collections import deque
from concurrent.futures import Future
from functools import partial
from typing import Any, TypeVar

T = TypeVar("T")


class Commits:
    """Writes that are awaited. One wake-up of the event loop serves all that are done by then.

    `asyncio.wrap_future` would wake it for each.
    """

    def __init__(self) -> None:
        self._done: deque[tuple[asyncio.Future[Any], Future[Any]]] = deque()

    def wait(self, write: Future[T]) -> asyncio.Future[T]:
        """Return a future of the running event loop for a write."""
        loop = asyncio.get_running_loop()
        waiter: asyncio.Future[T] = loop.create_future()
        write.add_done_callback(partial(self._note, loop, waiter))
        return waiter

    def _note(
        self, loop: asyncio.AbstractEventLoop, waiter: asyncio.Future[T], write: Future[T]
    ) -> None:
        """Wake the loop, unless it is about to look. Called in the writer thread."""
        self._done.append((waiter, write))
        if len(self._done) == 1 and not loop.is_closed():
            loop.call_soon_threadsafe(self._tell)

    def _tell(self) -> None:
        while self._done:
            waiter, write = self._done.popleft()
            if waiter.done():  # cancelled
                continue
            error = write.exception()
            if error is None:
                waiter.set_result(write.result())
            else:
                waiter.set_exception(error)
