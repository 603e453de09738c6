"""Deliver news to WebHooks, in one task that runs while there are hooks to call.

Servers over one file share the hooks: each claims a hook in the store before calling it. The claims
of a server that died lapse, and another server takes over.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from contextlib import suppress
from typing import Final

import msgspec

from replay.access import web_hooks
from replay.book import Book
from replay.errors import PlybookError
from replay.store.feed_types import Hook
from service.http.book_reads import read_book
from service.http.logs import log_failure
from service.http.safe_http import CALL_TIMEOUT, Call, host_of
from service.http.trace_context import CURRENT, Trace
from service.live import hook_schedule
from service.live.feed import Feed
from service.live.hook_headers import HookTraces, signed_headers
from service.live.hook_news import HookNews, Ping
from service.live.hook_schedule import Deadlines, PendingHooks
from service.live.telemetry import Telemetry
from service.settings import Settings

AT_ONCE: Final = 128
"""The most concurrent calls."""

OF_A_HOST: Final = 4
"""The most concurrent calls to one host, so that a slow host delays only its own hooks."""

CLAIM: Final = 2 * CALL_TIMEOUT
"""Seconds for which a server claims a hook: more than a call takes."""

CLAIM_MS: Final = round(CLAIM * hook_schedule.SECOND)

ELSEWHERE: Final = 15.0
"""Seconds between two reads of all hooks, because other servers register and revive hooks."""

PAUSE: Final = 0.05
"""Seconds between two checks; events in between share a delivery."""

FAULT: Final = 1.0
"""Seconds to wait after an internal error."""

IDLE: Final = 3600.0
"""Maximum seconds between two checks."""


def hooks_behind(book: Book) -> int:
    """Count the hooks that lack news.

    A hook of the book counts only after a failed call, because it may not want the news.
    """
    due = book.store.hooks_due()
    return sum(hook.stream is not None or hook.failures > 0 for hook in due)


class HookDeliverer:
    """Delivers the news of matches and of the book to hooks, for one event loop."""

    def __init__(self, book: Book, feed: Feed, settings: Settings, telemetry: Telemetry) -> None:
        self._book = book
        self._feed = feed
        self._anywhere = settings.hooks_anywhere
        self.running = False
        """Whether there may be hooks to call."""
        self._loop: asyncio.AbstractEventLoop | None = None
        self._task: asyncio.Task[None] | None = None
        self._under_way: dict[str, asyncio.Task[None]] = {}
        self._called_hosts: Counter[str] = Counter()
        self._deadlines = Deadlines(CLAIM_MS)
        self._pending = PendingHooks(book.store)
        self._touched: frozenset[int] | None = None
        """The matches whose hooks are read again at the next check; `None` for all matches."""
        self._read_all_at = 0.0
        self._again = asyncio.Event()
        self._news = HookNews(book)
        self._telemetry = telemetry
        self._traces = HookTraces()
        book.watch(self._traces.note)

    def start(self) -> None:
        """Start checking for hooks, whichever server registers them."""
        self._loop = asyncio.get_running_loop()
        self._task = asyncio.create_task(self._run())

    def look(self) -> None:
        """Check for hooks to call at once, including new ones.

        This method may be called in any thread.
        """
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._look, None)

    def _look(self, streams: frozenset[int] | None) -> None:
        """Check the hooks of these matches at once; `None` means all matches."""
        self._touch(streams)
        self._again.set()

    async def ping(self, hook: Hook, match: str | None) -> Call | None:
        """Call a hook as a test; return the result, or `None` if too many calls are under way."""
        host = host_of(hook.url)
        if not self._has_room(host):
            return None
        self._called_hosts[host] += 1
        try:
            name = f"{hook.id}-ping-{self._book.now()}"
            body = msgspec.json.encode(Ping(hook.id, match))
            return await self._post(hook, name, body, CURRENT.get())
        finally:
            self._called_hosts -= Counter((host,))

    async def stop(self) -> None:
        """Stop delivering to hooks. Calls in progress are cancelled and repeated later."""
        tasks = [*self._under_way.values(), *([self._task] if self._task else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._task = None

    async def _run(self) -> None:
        """Deliver whenever there are hooks, including hooks registered through another server."""
        while True:
            try:
                self._again.clear()
                if await self._has_live_hook():
                    await self._deliver_news()
            except PlybookError as error:  # temporary: locked or missing
                log_failure("the hooks cannot be looked for", error)
            with suppress(TimeoutError):
                async with asyncio.timeout(ELSEWHERE):
                    await self._again.wait()

    async def _has_live_hook(self) -> bool:
        return await read_book(self._book, self._book.store.has_live_hook)

    async def _deliver_news(self) -> None:
        """Call hooks with their news until no hook is left."""
        self.running = True
        self._touched = None
        try:
            async with self._feed.following() as follower:
                while not follower.ended:
                    if self._again.is_set() and not await self._has_live_hook():
                        return
                    self._again.clear()
                    self._touch(follower.take_changed())
                    waiting = await self._send_due()
                    news = asyncio.create_task(follower.wait(waiting))
                    again = asyncio.create_task(self._again.wait())
                    try:
                        await asyncio.wait({news, again}, return_when=asyncio.FIRST_COMPLETED)
                    finally:
                        news.cancel()
                        again.cancel()
                    await asyncio.sleep(PAUSE)
        finally:
            self.running = False

    async def _send_due(self) -> float:
        """Call the hooks that are due, and return the seconds until the next hook is due.

        A hook that exceeds the concurrency limit is found again when a call ends.
        """
        touched, self._touched = self._take_touched(), frozenset()
        behind = await read_book(self._book, lambda: self._pending.read(touched))
        now = self._book.now()
        left = self._deadlines.left(behind, now)
        for hook in behind:
            due = left[hook.id] <= 0 and hook.id not in self._under_way
            if due and (hook.stream is not None or await self._has_news(hook)):
                self._begin(hook)
        return min((each for each in left.values() if each > 0), default=IDLE)

    def _touch(self, streams: frozenset[int] | None) -> None:
        """Read the hooks of these matches again at the next check; `None` means all matches."""
        known = self._touched
        self._touched = None if known is None or streams is None else known | streams

    def _take_touched(self) -> frozenset[int] | None:
        """Return the matches whose hooks to read; `None` means all.

        All hooks are read now and then, because other servers may have revived some.
        """
        now = time.monotonic()
        if self._touched is not None and now < self._read_all_at:
            return self._touched
        self._read_all_at = now + ELSEWHERE
        return None

    async def _has_news(self, hook: Hook) -> bool:
        """Return whether a hook of the book wants any of the changes since its last call."""
        return await asyncio.to_thread(self._news.find, hook) is not None

    def _begin(self, hook: Hook) -> None:
        host = host_of(hook.url)
        if not self._has_room(host):
            return
        self._called_hosts[host] += 1
        task = self._under_way[hook.id] = asyncio.create_task(self._deliver(hook))
        task.add_done_callback(lambda _: self._done(hook, host))

    def _has_room(self, host: str) -> bool:
        return self._called_hosts.total() < AT_ONCE and self._called_hosts[host] < OF_A_HOST

    def _done(self, hook: Hook, host: str) -> None:
        del self._under_way[hook.id]
        self._called_hosts -= Counter((host,))
        self._look(frozenset() if hook.stream is None else frozenset({hook.stream}))

    async def _deliver(self, hook: Hook) -> None:
        """Call a hook, unless another server has claimed it."""
        try:
            claimed = await self._claim(hook)
            if claimed is not None:
                moved = await self._called(claimed)
                await asyncio.wrap_future(self._book.store.put_hook(moved))
        except Exception as error:  # a later check finds the hook again
            log_failure("the progress of a hook cannot be stored", error)
            await asyncio.sleep(FAULT)

    async def _claim(self, hook: Hook) -> Hook | None:
        now = self._book.now()
        # The store compares with recorded times, which may be ahead of a clock that was set back.
        due = max(now, hook.due, hook.claimed)
        return await asyncio.wrap_future(self._book.store.claim_hook(hook.id, due, now + CLAIM_MS))

    async def _called(self, hook: Hook) -> Hook:
        """Return a hook with the result of its call."""
        try:
            return await self._try(hook)
        except asyncio.CancelledError:
            self._book.store.put_hook(hook)  # so the next call need not wait until the claim lapses
            raise
        except Exception as error:
            log_failure("a hook cannot be called", error)
            return hook_schedule.after_failure(
                hook, "a fault here", self._book.now(), random.random()
            )

    async def _try(self, hook: Hook) -> Hook:
        news = await asyncio.to_thread(self._news.find, hook)
        if news is None:  # another server has delivered the news meanwhile
            return hook
        trace = self._traces.find(news.stream, news.first, news.last)
        done = await self._post(hook, news.name, news.body, trace)
        now = self._book.now()
        self._telemetry.delivered(done.arrived)
        if done.arrived:
            self._news.keep(hook, news)
            return hook_schedule.after_delivery(hook, news.reached, news.named, done.told, now)
        if done.gone:
            return hook_schedule.after_gone(hook, done.told, now)
        return hook_schedule.after_failure(hook, done.told, now, random.random())

    async def _post(self, hook: Hook, name: str, body: bytes, trace: Trace | None) -> Call:
        now = self._book.now()
        secrets = web_hooks.secrets_at(hook, now)
        headers = {
            "Content-Type": "application/json",
            "User-Agent": "Plybook",
            **signed_headers(secrets, name, now // hook_schedule.SECOND, body),
        }
        return await self._telemetry.call(trace, hook.url, body, headers, self._anywhere)
