"""Wake followers of a match when any process stores something, and await writes.

One task serves all followers; it runs only while there are followers. The store wakes the task
after each write that it is notified of; the task also polls, to find other writes.
"""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable, Iterator
from concurrent.futures import Future
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, TypeVar

from replay.book import Book
from replay.errors import FileChanged
from replay.store.feed_types import ChangeCursor, Changes
from service.http.book_reads import read_book
from service.http.logs import log_failure

T = TypeVar("T")


class Commits:
    """Awaited writes. One wake-up of the event loop serves all writes that are done by then.

    `asyncio.wrap_future` would wake the loop for each write.
    """

    def __init__(self) -> None:
        self._done: deque[tuple[asyncio.Future[Any], Future[Any]]] = deque()
        self._gate = threading.Lock()

    def wait(self, write: Future[T]) -> asyncio.Future[T]:
        """Return a future of the running event loop for a write that is to be committed."""
        loop = asyncio.get_running_loop()
        waiter: asyncio.Future[T] = loop.create_future()
        write.add_done_callback(partial(self._note, loop, waiter))
        return waiter

    def _note(
        self, loop: asyncio.AbstractEventLoop, waiter: asyncio.Future[T], write: Future[T]
    ) -> None:
        """Wake the loop, unless a wake-up is due already.

        Called in the writer thread, or at once in the loop's if the write is done already.
        """
        with self._gate:
            self._done.append((waiter, write))
            is_first = len(self._done) == 1
        if is_first and not loop.is_closed():
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


POLL_INTERVAL: Final = 0.25
"""Seconds between two polls for writes of other processes."""

METADATA_INTERVAL: Final = 0.5
"""Minimum seconds between two reads of the matches' metadata."""

ALL_METADATA_INTERVAL: Final = 5.0
"""For this many seconds after a write, metadata that the feed does not name, like tokens, are read.

Another process may have changed them; a change by this one is noticed at once.
"""

SHARE: Final = 10
"""The divisor of the time that polling may use: at most 1 / `SHARE`."""

RETRY_INTERVAL: Final = 1.0
"""Seconds to wait after the store failed."""

ReadMetadata = Callable[[int], Any]
"""Returns the metadata of a stream as a value that stays equal until they change."""

MAX_SHARED: Final = 64
"""The most readings that followers share until news comes."""

MAX_NAMED: Final = 500
"""The largest number of changed streams that are named to a follower of all streams."""

UNREAD: Final = object()
"""The metadata of a stream before it was read."""


class Follower:
    """A follower of one stream, or with `None` of all streams.

    `shared` is the same object for all followers of a stream, and is cleared when the stream
    changes. After `ended` nothing wakes the follower.
    """

    def __init__(self, stream: int | None, shared: dict[Any, Any]) -> None:
        self.stream = stream
        self.shared = shared
        self.metadata_changes = 0
        """The number of times the metadata changed."""
        self.ended = False
        self._changed: frozenset[int] | None = frozenset()
        self._news = asyncio.Event()

    def wake(self, changed: frozenset[int] | None = frozenset()) -> None:
        """Wake the follower to look for news of these streams; `None` means any stream."""
        if self._changed is not None:
            named = None if changed is None else self._changed | changed
            self._changed = named if named is None or len(named) <= MAX_NAMED else None
        self._news.set()

    def take_changed(self) -> frozenset[int] | None:
        """Return the streams with news since the last call; `None` if any stream may have news."""
        changed, self._changed = self._changed, frozenset()
        return changed

    async def share(self, key: Hashable, read: Callable[[], Awaitable[T]]) -> T:
        """Return the result of `read`, which followers with an equal key share until news comes."""
        shared = self.shared
        if key not in shared:
            if len(shared) > MAX_SHARED:
                shared.clear()
            shared[key] = asyncio.ensure_future(read())
            shared[key].add_done_callback(lambda done: done.cancelled() or done.exception())
        found: T = await asyncio.shield(shared[key])
        return found

    async def wait(self, seconds: float) -> bool:
        """Wait for news or the time-out, and return whether there is news."""
        try:
            async with asyncio.timeout(seconds):
                await self._news.wait()
        except TimeoutError:
            return False
        self._news.clear()
        return True


@dataclass
class _Followed:
    """A stream with followers, and its metadata when last read."""

    metadata: Any = UNREAD
    shared: dict[Any, Any] = field(default_factory=dict)
    followers: set[Follower] = field(default_factory=set)


class Feed:
    """The followers of a book, for one event loop."""

    def __init__(self, book: Book, read_metadata: ReadMetadata) -> None:
        self._book = book
        self._read_metadata = read_metadata
        self._followed: dict[int, _Followed] = {}
        self._everything: set[Follower] = set()
        self._shared: dict[Any, Any] = {}
        """The data shared by the followers of all streams."""
        self._written = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._starting = asyncio.Lock()
        self._seen: int | None = None
        self._cursor: ChangeCursor | None = None
        self._stale = asyncio.Event()
        self._named: frozenset[int] | None = frozenset()
        """The streams that have changed since their metadata were read; `None` for any stream."""
        self._epoch = -1
        self._all_at: float | None = None
        """When to read all metadata; `None` if no write came since they were read."""
        self._loop: asyncio.AbstractEventLoop | None = None
        self._closed = False
        book.store.on_change(self.written)

    @property
    def watching(self) -> bool:
        """Whether there are followers, so that the store is polled."""
        return bool(self._tasks)

    def written(self) -> None:
        """Look for stored events at once. This method may be called in any thread."""
        if self._tasks:
            self.soon(self._written.set)

    def soon(self, call: Callable[..., None], *args: Any) -> None:
        """Call a function in the event loop. This method may be called in any thread."""
        if self._loop is not None:
            with suppress(RuntimeError):  # the loop has just been closed
                self._loop.call_soon_threadsafe(call, *args)

    def wake(self, stream: int) -> None:
        """Wake the followers of a stream although no write changed it."""
        for follower in self._followed.get(stream, _Followed()).followers:
            follower.wake()

    def open(self) -> None:
        """Accept followers in the running event loop, even after `close`."""
        self._loop = asyncio.get_running_loop()
        self._closed = False

    def close(self) -> None:
        """End all followers, and accept no more."""
        self._closed = True
        for follower in self._all():
            follower.ended = True
            follower.wake()
        self._stop()

    @asynccontextmanager
    async def following(self, stream: int | None = None) -> AsyncIterator[Follower]:
        """Follow one stream, or all streams. Every write from now on wakes the follower."""
        followed = None if stream is None else self._followed.setdefault(stream, _Followed())
        there = self._everything if followed is None else followed.followers
        follower = Follower(stream, followed.shared if followed else self._shared)
        follower.ended = self._closed
        there.add(follower)
        try:
            await self._start()
            if stream is not None and followed and followed.metadata is UNREAD:
                metadata = await read_book(self._book, lambda: self._read_metadata(stream))
                if followed.metadata is UNREAD:
                    followed.metadata = metadata
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

    async def _start(self) -> None:
        async with self._starting:
            if not self._tasks and not self._closed:
                self._seen, changes = await read_book(self._book, lambda: self._read(None, None))
                self._cursor = changes.cursor if changes else None
                self._tasks = [
                    asyncio.create_task(self._poll()),
                    asyncio.create_task(self._sweep()),
                    asyncio.create_task(self._hear()),
                ]

    def _stop(self) -> None:
        for task in self._tasks:
            task.cancel()
        self._tasks = []

    async def _poll(self) -> None:
        """Look for stored events and wake their followers, until cancelled."""
        while True:
            try:
                async with asyncio.timeout(POLL_INTERVAL):
                    await self._written.wait()
            except TimeoutError:
                pass
            self._written.clear()
            try:
                await self._find()
            except FileChanged:  # permanent: clients get the error when they reconnect
                self.close()
                return
            except Exception as error:  # temporary: locked or missing
                log_failure("the store cannot be followed", error)
                await asyncio.sleep(RETRY_INTERVAL)

    async def _hear(self) -> None:
        """Look for texts that other processes send, until cancelled."""
        while True:
            self._book.store.hear()
            await asyncio.sleep(POLL_INTERVAL)

    async def _find(self) -> None:
        seen, cursor = self._seen, self._cursor
        self._seen, changes = await read_book(self._book, lambda: self._read(seen, cursor))
        if changes is None:
            return
        self._cursor = changes.cursor
        changed = changes.streams
        known = self._named
        self._named = None if known is None or changed is None else known | changed
        self._stale.set()
        news = self._followed.keys() if changed is None else changed & self._followed.keys()
        for stream in news:
            self._followed[stream].shared.clear()
            for follower in self._followed[stream].followers:
                follower.wake()
        self._shared.clear()
        for follower in self._everything:
            follower.wake(changed)

    def _read(self, seen: int | None, cursor: ChangeCursor | None) -> tuple[int, Changes | None]:
        """Return the data version, and the changes after a cursor if the version has changed."""
        version = self._book.store.data_version()
        return version, None if version == seen else self._book.store.changes(cursor)

    async def _sweep(self) -> None:
        """Read metadata again after a write, but not too often."""
        time = asyncio.get_running_loop().time
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout_at(self._all_at):
                    await self._stale.wait()
            self._stale.clear()
            begun = time()
            found = await asyncio.to_thread(self._read_all, self._take_stale(begun))
            if found is None:
                self._named = None
                self._stale.set()
            for stream, metadata in (found or {}).items():
                self._compare(stream, metadata)
            await asyncio.sleep(max(METADATA_INTERVAL, SHARE * (time() - begun)))

    def _take_stale(self, now: float) -> list[int]:
        """Return the followed streams whose metadata may have changed."""
        named, self._named = self._named, frozenset()
        epoch = self._book.store.epoch()
        waited = self._all_at is not None and now >= self._all_at
        if named is None or epoch != self._epoch or waited:
            self._epoch, self._all_at = epoch, None
            return list(self._followed)
        if self._all_at is None:
            self._all_at = now + ALL_METADATA_INTERVAL
        return [stream for stream in named if stream in self._followed]

    def _read_all(self, streams: list[int]) -> dict[int, Any] | None:
        """Return the metadata of streams; `None` if all must be read again."""
        try:
            return {stream: self._read_metadata(stream) for stream in streams}
        except Exception as error:
            log_failure("the store cannot be followed", error)
            return None

    def _compare(self, stream: int, metadata: Any) -> None:
        followed = self._followed.get(stream)
        if followed is not None and followed.metadata != metadata:
            followed.metadata = metadata
            followed.shared.clear()  # the messages have names
            for follower in followed.followers:
                follower.metadata_changes += 1
                follower.wake()
