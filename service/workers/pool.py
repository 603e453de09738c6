"""Expensive work in processes of its own, so that others are answered meanwhile.

The work of a book in a temporary store, which no other process opens, is done in threads.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import secrets
from collections.abc import Callable, Hashable
from typing import Any, Final, TypeVar

from anyio import BrokenWorkerProcess, CapacityLimiter, to_process, to_thread
from litestar import Request
from litestar.di import NamedDependency

from replay.book import Book
from service.http.limits import Limits
from service.http.problems import Problem
from service.settings import Settings
from service.workers.content_cache import ContentCache
from service.workers.process import run

T = TypeVar("T")
AnyRequest = Request[Any, Any, Any]

RETRY_AFTER: Final = {"Retry-After": "10"}

BUSY: Final = "too much work is waiting already; come back later"
BROKEN: Final = "this took more time or memory than there is for one answer, or was interrupted"
STOPPED: Final = "the service is being stopped; come back later"
LEFT: Final = "nobody waits for this any more"


class _Job:
    """Work under way, and how many requests wait for its result."""

    def __init__(self, task: asyncio.Task[Any]) -> None:
        self.task = task
        self.waiting = 0


class Workers:
    """Worker processes, started when they are needed, and the queue before them."""

    def __init__(self, book: Book, settings: Settings, limits: Limits) -> None:
        self._book = book
        self._path = book.store.shared_path
        self._limits = limits
        self._processes = settings.workers or default_workers()
        self._most = self._processes + settings.queue_length if settings.queue_length else None
        self._free = CapacityLimiter(self._processes)
        self._jobs: dict[Hashable, _Job] = {}
        self._cache = ContentCache()
        self._salt = secrets.token_bytes()

    def tag(self, key: Hashable) -> str:
        """Return the ETag of what a key names. It holds as long as this process lives.

        It is weak, for the same content may be sent compressed.
        """
        digest = hashlib.blake2b(repr(key).encode(), key=self._salt, digest_size=16)
        return f'W/"{digest.hexdigest()}"'

    @property
    def jobs(self) -> int:
        """How many pieces of work are under way or wait for a process."""
        return len(self._jobs)

    async def do(
        self,
        request: AnyRequest,
        work: Callable[..., T],
        *args: Any,
        cost: int = 1,
        key: Hashable = None,
    ) -> T:
        """Return what `work(book, *args)` returns in a worker process; raise what it raises.

        Both functions and arguments are pickled. `cost` is counted against the caller's limit, in
        requests. Requests with equal keys share the work, and what is bytes is kept for the next;
        the key must name all that the result depends on. The work ends when nobody waits for it.

        Raises `Problem` 429 if the caller has asked too much, and 503 if too much is waiting, or
        if the process ended before it was done.
        """
        kept = self._cache.get(key)
        if kept is not None:
            return kept  # type: ignore[return-value]  # the key names the work
        name = object() if key is None else key
        job = self._jobs.get(name)
        if job is None:
            self._admit(request, cost)
            job = self._start(name, work, args)
        job.waiting += 1
        try:
            result: T = await _unless_left(request, job.task)
        finally:
            job.waiting -= 1
            if not job.waiting:
                self._forget(name, job)
                job.task.cancel()  # changes nothing if it is done
        self._cache.put(key, result)
        return result

    def end(self) -> None:
        """End all work; those who wait for it are answered 503."""
        for job in self._jobs.values():
            job.task.cancel()

    async def stop(self) -> None:
        """End all work, and return when the processes that did it are gone."""
        self.end()
        tasks = [job.task for job in self._jobs.values()]
        await asyncio.gather(*tasks, return_exceptions=True)

    def _admit(self, request: AnyRequest, cost: int) -> None:
        if self._most is not None and len(self._jobs) >= self._most:
            raise Problem(503, BUSY, headers=RETRY_AFTER)
        self._limits.charge(request, cost)

    def _start(self, name: Hashable, work: Callable[..., Any], args: tuple[Any, ...]) -> _Job:
        job = _Job(asyncio.create_task(self._run(work, args)))
        self._jobs[name] = job
        job.task.add_done_callback(lambda task: self._finish(name, job))
        return job

    def _finish(self, name: Hashable, job: _Job) -> None:
        self._forget(name, job)
        if not job.task.cancelled():
            job.task.exception()  # those who waited have it; if nobody did, it is not reported

    def _forget(self, name: Hashable, job: _Job) -> None:
        if self._jobs.get(name) is job:
            del self._jobs[name]

    async def _run(self, work: Callable[..., Any], args: tuple[Any, ...]) -> Any:
        if self._path is None:
            return await to_thread.run_sync(
                work, self._book, *args, abandon_on_cancel=True, limiter=self._free
            )
        try:
            return await to_process.run_sync(
                run, self._path, work, args, cancellable=True, limiter=self._free
            )
        except (BrokenWorkerProcess, MemoryError):
            raise Problem(503, BROKEN, headers=RETRY_AFTER) from None


TheWorkers = NamedDependency[Workers]
"""The worker processes of the service."""


def default_workers() -> int:
    """Return how many processes work at once: one less than processors, at least one."""
    if hasattr(os, "sched_getaffinity"):
        return max(1, len(os.sched_getaffinity(0)) - 1)
    return max(1, (os.cpu_count() or 1) - 1)


async def _unless_left(request: AnyRequest, task: asyncio.Task[T]) -> T:
    """Wait for a task as long as the client does. Raises what the task raises."""
    left = asyncio.create_task(_leave(request))
    try:
        await asyncio.wait({task, left}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        left.cancel()
    if not task.done():
        raise Problem(503, LEFT, headers=RETRY_AFTER)
    if task.cancelled():
        raise Problem(503, STOPPED, headers=RETRY_AFTER)
    return task.result()


async def _leave(request: AnyRequest) -> None:
    """Return when the client has closed its connection. The body must have been read before."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
