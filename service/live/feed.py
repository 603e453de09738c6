"""Who waits for news of a match is woken when something is stored, by whichever process.

One task looks after all of them, and only while somebody waits. A request that may have written
here wakes it at once; what other processes write it finds by asking the store.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final

from replay.store.protocol import ChangeCursor, Store
from service.http.error_log import log_failure

POLL: Final = 0.25
"""Seconds between two questions whether other processes have written."""

LOOK: Final = 0.5
"""Seconds at least between two looks at what stands beside the logs."""

SHARE: Final = 10
"""Looking takes at most one part in so many of the time."""

PAUSE: Final = 1.0
"""Seconds to wait after the store could not be asked."""

LOG: Final = logging.getLogger("plybook.service")

Look = Callable[[int], Any]
"""Return what stands beside the log of a stream as a value: equal as long as nothing changes."""


class Follower:
    """Somebody who waits for news of a stream, or with `None` of all.

    `kept` is shared by those who follow one stream, and emptied when it has new events. `ended`
    tells that there will be no more.
    """

    def __init__(self, stream: int | None, kept: dict[Any, Any]) -> None:
        self.stream = stream
        self.kept = kept
        self.beside = 0
        """How many times what stands beside the log was found changed."""
        self.ended = False
        self._news = asyncio.Event()

    def wake(self) -> None:
        """Let it look for news."""
        self._news.set()

    async def wait(self, seconds: float) -> bool:
        """Wait for news, at most so long. `False` if there were none."""
        try:
            async with asyncio.timeout(seconds):
                await self._news.wait()
        except TimeoutError:
            return False
        self._news.clear()
        return True


@dataclass
class _Followed:
    """A stream with followers, and what was last seen beside its log."""

    beside: Any
    kept: dict[Any, Any] = field(default_factory=dict)
    followers: set[Follower] = field(default_factory=set)


class Feed:
    """The followers of a store. For one event loop."""

    def __init__(self, store: Store, look: Look) -> None:
        self._store = store
        self._look = look
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
        """Whether anybody is waiting, so that the store is asked."""
        return bool(self._tasks)

    def written(self) -> None:
        """Look at once what was stored."""
        self._written.set()

    def open(self) -> None:
        """Take followers, also after `close`."""
        self._closed = False

    def close(self) -> None:
        """Let everybody go, and take nobody any more."""
        self._closed = True
        for follower in self._all():
            follower.ended = True
            follower.wake()
        self._stop()

    @contextmanager
    def following(self, stream: int | None = None) -> Iterator[Follower]:
        """Follow a stream, or all: whatever is stored from now on wakes the follower."""
        self._start()
        followed = None if stream is None else self._watch(stream)
        there = self._everything if followed is None else followed.followers
        follower = Follower(stream, followed.kept if followed else {})
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
            self._followed[stream] = _Followed(self._look(stream))
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
        """Find what was stored and wake those whom it concerns, for as long as anybody waits."""
        while True:
            try:
                async with asyncio.timeout(POLL):
                    await self._written.wait()
            except TimeoutError:
                pass
            self._written.clear()
            try:
                self._find()
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
            self._followed[stream].kept.clear()
            self._wake(self._followed[stream])
        for follower in self._everything:
            follower.wake()

    def _wake(self, followed: _Followed) -> None:
        for follower in followed.followers:
            follower.wake()

    async def _sweep(self) -> None:
        """Look again at what stands beside the logs after something was stored, not too often."""
        time = asyncio.get_running_loop().time
        while True:
            await self._stale.wait()
            self._stale.clear()
            begun = time()
            found = await asyncio.to_thread(self._looked, list(self._followed))
            for stream, beside in found.items():
                self._compare(stream, beside)
            await asyncio.sleep(max(LOOK, SHARE * (time() - begun)))

    def _looked(self, streams: list[int]) -> dict[int, Any]:
        try:
            return {stream: self._look(stream) for stream in streams}
        except Exception as error:
            log_failure("the store cannot be followed", error)
            return {}

    def _compare(self, stream: int, beside: Any) -> None:
        followed = self._followed.get(stream)
        if followed is not None and followed.beside != beside:
            followed.beside = beside
            for follower in followed.followers:
                follower.beside += 1
            self._wake(followed)
