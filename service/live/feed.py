"""Followers wait for news of a match, and are woken when any process stores something.

One task serves all of them, and runs only while somebody follows. A request that may have written
wakes it at once; it polls the store for what other processes write.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final

from replay.errors import FileChanged
from replay.store.protocol import ChangeCursor, Store
from service.http.error_log import log_failure

POLL: Final = 0.25
"""Seconds between two polls for what other processes have written."""

LOOK: Final = 0.5
"""Seconds between two looks at the metadata of matches, at least."""

SHARE: Final = 10
"""Looking takes at most one part of so many of the time."""

PAUSE: Final = 1.0
"""Seconds to wait after the store could not be asked."""

LOG: Final = logging.getLogger("plybook.service")

ReadMetadata = Callable[[int], Any]
"""Returns the metadata of a stream, a value that is equal until something changes."""


class Follower:
    """A follower of a stream, or with `None` of all.

    The followers of a stream have `shared` in common; it is emptied when the stream grows. After
    `ended` nothing more will come.
    """

    def __init__(self, stream: int | None, shared: dict[Any, Any]) -> None:
        self.stream = stream
        self.shared = shared
        self.metadata_changes = 0
        """How many times the metadata was found changed."""
        self.ended = False
        self._news = asyncio.Event()

    def wake(self) -> None:
        """Wake the follower, to look for news."""
        self._news.set()

    async def wait(self, seconds: float) -> bool:
        """Wait for news, at most so long, and tell whether there were any."""
        try:
            async with asyncio.timeout(seconds):
                await self._news.wait()
        except TimeoutError:
            return False
        self._news.clear()
        return True


@dataclass
class _Followed:
    """A stream with followers, and its metadata when they were last read."""

    metadata: Any
    shared: dict[Any, Any] = field(default_factory=dict)
    followers: set[Follower] = field(default_factory=set)


class Feed:
    """The followers of a store. For one event loop."""

    def __init__(self, store: Store, read_metadata: ReadMetadata) -> None:
        self._store = store
        self._read_metadata = read_metadata
        self._followed: dict[int, _Followed] = {}
        self._everything: set[Follower] = set()
        self._written = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._seen: int | None = None
        self._cursor: ChangeCursor | None = None
        self._stale = asyncio.Event()
        self._closed = False

    @property
    def watching(self) -> bool:
        """Whether anybody follows, so that the store is polled."""
        return bool(self._tasks)

    def written(self) -> None:
        """Look for what was stored at once."""
        self._written.set()

    def open(self) -> None:
        """Accept followers, also after `close`."""
        self._closed = False

    def close(self) -> None:
        """End all followers, and accept no more."""
        self._closed = True
        for follower in self._all():
            follower.ended = True
            follower.wake()
        self._stop()

    @contextmanager
    def following(self, stream: int | None = None) -> Iterator[Follower]:
        """Follow a stream, or all. Whatever is stored from now on wakes the follower."""
        self._start()
        followed = None if stream is None else self._watch(stream)
        there = self._everything if followed is None else followed.followers
        follower = Follower(stream, followed.shared if followed else {})
        follower.ended = self._closed
        there.add(follower)
        try:
            yield follower
        finally:
            there.discard(follower)
            if stream is not None and followed and not followed.followers:
                self._followed.pop(stream, None)
            if not (self._followed or self._everything):
                self._stop()

    def _all(self) -> Iterator[Follower]:
        yield from self._everything
        for followed in self._followed.values():
            yield from followed.followers

    def _watch(self, stream: int) -> _Followed:
        if stream not in self._followed:
            self._followed[stream] = _Followed(self._read_metadata(stream))
        return self._followed[stream]

    def _start(self) -> None:
        if not self._tasks and not self._closed:
            self._seen = self._store.data_version()
            self._cursor = self._store.changes(None).cursor
            self._tasks = [asyncio.create_task(self._poll()), asyncio.create_task(self._sweep())]

    def _stop(self) -> None:
        for task in self._tasks:
            task.cancel()
        self._tasks = []

    async def _poll(self) -> None:
        """Look for what was stored and wake its followers, until cancelled."""
        while True:
            try:
                async with asyncio.timeout(POLL):
                    await self._written.wait()
            except TimeoutError:
                pass
            self._written.clear()
            try:
                self._find()
            except FileChanged:  # for good: clients that connect again learn of it
                self.close()
                return
            except Exception as error:  # locked or gone: it may come back
                log_failure("the store cannot be followed", error)
                await asyncio.sleep(PAUSE)

    def _find(self) -> None:
        seen = self._store.data_version()
        if seen == self._seen:
            return
        changes = self._store.changes(self._cursor)
        self._seen, self._cursor = seen, changes.cursor
        self._stale.set()
        news = self._followed.keys() if changes.streams is None else changes.streams
        for stream in news & self._followed.keys():
            self._followed[stream].shared.clear()
            for follower in self._followed[stream].followers:
                follower.wake()
        for follower in self._everything:
            follower.wake()

    async def _sweep(self) -> None:
        """Read metadata again after something was stored, not too often."""
        time = asyncio.get_running_loop().time
        while True:
            await self._stale.wait()
            self._stale.clear()
            begun = time()
            found = await asyncio.to_thread(self._read_all, list(self._followed))
            for stream, metadata in found.items():
                self._compare(stream, metadata)
            await asyncio.sleep(max(LOOK, SHARE * (time() - begun)))

    def _read_all(self, streams: list[int]) -> dict[int, Any]:
        try:
            return {stream: self._read_metadata(stream) for stream in streams}
        except Exception as error:
            log_failure("the store cannot be followed", error)
            return {}

    def _compare(self, stream: int, metadata: Any) -> None:
        followed = self._followed.get(stream)
        if followed is not None and followed.metadata != metadata:
            followed.metadata = metadata
            for follower in followed.followers:
                follower.metadata_changes += 1
                follower.wake()
