"""Run expensive work in worker processes, and cache its results.

The work of a book in a temporary store, which no other process can open, runs in threads.
"""

from __future__ import annotations

import asyncio
import hashlib
import secrets
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, Final, TypeVar

from anyio import CapacityLimiter, to_thread
from litestar import Request

from replay.book import Book
from replay.processes import processors
from service.http.access import VIEWER
from service.http.limits import Limits, address_of
from service.http.logs import log_idle_worker, log_worker
from service.http.problems import Problem
from service.settings import Settings
from service.workers.fair_turns import FairTurns, Sender
from service.workers.process import (
    NICE,
    PROCESSOR_LIMIT,
    Cause,
    Order,
    WorkerFailed,
    WorkerProcess,
)

MAX_CACHE: Final = 64 * 1024 * 1024
"""The capacity of the cache in bytes."""

MAX_CONTENT: Final = MAX_CACHE // 4
"""The largest content cached, in bytes."""


class ContentCache:
    """An LRU cache of bytes whose total size never exceeds `room`."""

    def __init__(self, room: int = MAX_CACHE, largest: int = MAX_CONTENT) -> None:
        self._contents: OrderedDict[Hashable, bytes] = OrderedDict()
        self._left = room
        self._largest = largest

    def get(self, key: Hashable) -> bytes | None:
        """Return the content of a key, if cached."""
        content = self._contents.get(key)
        if content is not None:
            self._contents.move_to_end(key)
        return content

    def put(self, key: Hashable, content: Any) -> None:
        """Cache bytes under a key, unless the key is `None` or the content too large."""
        if key is None or not isinstance(content, bytes) or len(content) > self._largest:
            return
        self._left += len(self._contents.pop(key, b"")) - len(content)
        self._contents[key] = content
        while self._left < 0:
            _, oldest = self._contents.popitem(last=False)
            self._left += len(oldest)


T = TypeVar("T")
AnyRequest = Request[Any, Any, Any]

RETRY_AFTER: Final = {"Retry-After": "10"}

BUSY: Final = "too much work is waiting already; come back later"
FAILED: Final[dict[Cause, str]] = {
    "start": "the process for this work cannot start; the log of the service says why",
    "memory": "this takes more memory than there is for one answer; ask for less at once",
    "time": "this takes more time than there is for one answer; ask for less at once",
    "ended": "the process that worked on this was interrupted; ask again",
}
STOPPED: Final = "the service is being stopped; come back later"
LEFT: Final = "the client disconnected"

IDLE_TIMEOUT: Final = 300.0
"""Seconds after which a process without work is ended."""
LINGER: Final = 1.0
"""Seconds that a process has to finish work that no request waits for; then the process is ended.

Starting another process costs as much.
"""


class _Job:
    """Work in progress, who asked for it, and the number of requests that wait for its result."""

    def __init__(self, task: asyncio.Task[Any], address: bytes) -> None:
        self.task = task
        self.address = address
        self.waiting = 0


class Workers:
    """Worker processes, started on demand, and their queue."""

    def __init__(
        self,
        book: Book,
        settings: Settings,
        limits: Limits,
        count_failure: Callable[[Cause], None] = lambda cause: None,
        nice: int = NICE,
        spare: int = 1,
    ) -> None:
        """Create the pool; `count_failure` is called when a process cannot finish its work.

        `spare` additional processes are for addresses that have no work in any process.
        """
        self._book = book
        self._location = book.store.shared_location
        self._limits = limits
        self._processes = settings.workers or default_workers()
        self._most = self._processes + settings.queue_length if settings.queue_length else None
        self._nice = nice
        self._turns = FairTurns(self._processes, spare)
        self._threads = CapacityLimiter(self._processes + spare)
        self._started: set[WorkerProcess] = set()
        self._idle: dict[WorkerProcess, asyncio.TimerHandle] = {}
        self._count_failure = count_failure
        self._jobs: dict[Hashable, _Job] = {}
        self._cache = ContentCache()
        self._salt = secrets.token_bytes()
        self._ended = False

    def tag(self, key: Hashable) -> str:
        """Return the ETag of a key's content, valid for the life of this process.

        The tag is weak, because the same content may be sent compressed.
        """
        digest = hashlib.blake2b(repr(key).encode(), key=self._salt, digest_size=16)
        return f'W/"{digest.hexdigest()}"'

    @property
    def jobs(self) -> int:
        """The number of jobs running or queued."""
        return len(self._jobs)

    async def do(
        self,
        request: AnyRequest,
        work: Callable[..., T],
        *args: Any,
        cost: int = 1,
        key: Hashable = None,
        seconds: int = PROCESSOR_LIMIT,
    ) -> T:
        """Return the result of `work(book, *args)` in a worker process, and propagate its errors.

        The function and its arguments are pickled. `cost` counts against the caller's limit, in
        requests. Requests with equal keys share the work, and results of type bytes are cached; the
        key must name every value that the result depends on. The work is cancelled when no request
        waits for it, and after `seconds` of processor time.

        Raises `Problem` 429 if the caller has exceeded its limit, and 503 if the queue is full or
        the process cannot finish the work.
        """
        kept = self._cache.get(key)
        if kept is not None:
            return kept  # type: ignore[return-value]  # the key names the work
        name = object() if key is None else key
        job = self._jobs.get(name)
        if job is None:
            self._admit(request, cost)
            job = self._start(name, request, Order(work, args, seconds))
        job.waiting += 1
        try:
            result: T = await _unless_left(request, job.task)
        finally:
            job.waiting -= 1
            if not job.waiting:
                self._forget(name, job)
                job.task.cancel()  # no effect once it is done
        self._cache.put(key, result)
        return result

    def end(self) -> None:
        """End all work; waiting requests are answered 503."""
        self._ended = True
        for job in self._jobs.values():
            job.task.cancel()

    async def stop(self) -> None:
        """End all work, and return when the worker processes have exited."""
        self.end()
        tasks = [job.task for job in self._jobs.values()]
        await asyncio.gather(*tasks, return_exceptions=True)
        for timer in self._idle.values():
            timer.cancel()
        self._idle.clear()
        await asyncio.gather(*(asyncio.to_thread(each.close) for each in self._started))

    def _admit(self, request: AnyRequest, cost: int) -> None:
        """Refuse work if the queue is full; its last quarter is for addresses that have no job."""
        if self._most is not None:
            address = address_of(request.scope)
            spared = any(job.address == address for job in self._jobs.values()) * self._most // 4
            if len(self._jobs) >= self._most - spared:
                raise Problem(503, BUSY, headers=RETRY_AFTER)
        self._limits.charge(request, cost)

    def _start(self, name: Hashable, request: AnyRequest, order: Order) -> _Job:
        job = _Job(asyncio.create_task(self._in_turn(request, order)), address_of(request.scope))
        self._jobs[name] = job
        job.task.add_done_callback(lambda task: self._finish(name, job))
        return job

    def _finish(self, name: Hashable, job: _Job) -> None:
        self._forget(name, job)
        _note_error(job.task)

    def _forget(self, name: Hashable, job: _Job) -> None:
        if self._jobs.get(name) is job:
            del self._jobs[name]

    async def _in_turn(self, request: AnyRequest, order: Order) -> Any:
        async with self._turns.turn(sender_of(request)):
            if self._location is None:  # no other process can open the book
                return await asyncio.to_thread(order.work, self._book, *order.args)
            return await self._apart(request, order)

    async def _apart(self, request: AnyRequest, order: Order) -> Any:
        """Do work in a process, and log why if it cannot finish. Raises `Problem` 503 then."""
        worker = self._take()
        work = asyncio.create_task(to_thread.run_sync(worker.run, order, limiter=self._threads))
        work.add_done_callback(_note_error)
        try:
            return await asyncio.shield(work)
        except WorkerFailed as failed:
            log_worker(request, order.work.__name__, failed.how)
            self._count_failure(failed.cause)
            raise Problem(503, FAILED[failed.cause], headers=RETRY_AFTER) from None
        except asyncio.CancelledError:
            if not self._ended:
                await asyncio.wait({work}, timeout=LINGER)
            raise
        finally:
            if not work.done():
                worker.kill()
            self._give_back(worker)

    def _take(self) -> WorkerProcess:
        """Return the process used last, or a new one."""
        while self._idle:
            worker, timer = self._idle.popitem()
            timer.cancel()
            if worker.ending is None:
                return worker
            log_idle_worker(worker.ending)
            self._drop(worker)
        assert self._location is not None
        worker = WorkerProcess(self._location, self._nice)
        self._started.add(worker)
        return worker

    def _give_back(self, worker: WorkerProcess) -> None:
        if worker.ending is None:
            loop = asyncio.get_running_loop()
            self._idle[worker] = loop.call_later(IDLE_TIMEOUT, self._drop, worker)
        else:
            self._drop(worker)

    def _drop(self, worker: WorkerProcess) -> None:
        """Close a process in a thread, because that waits for its exit."""
        self._idle.pop(worker, None)
        closing = asyncio.get_running_loop().run_in_executor(None, worker.close)
        closing.add_done_callback(lambda _: self._started.discard(worker))


def sender_of(request: AnyRequest) -> Sender:
    """Return the sender of work: an address, and the match with the view that its token opens."""
    match = request.scope.get("path_params", {}).get("match", "")
    return Sender(address_of(request.scope), f"{match} {request.scope.get(VIEWER, '')}")


def default_workers() -> int:
    """Return the default number of workers: one less than processors, at least one."""
    return max(1, processors() - 1)


def _note_error(task: asyncio.Task[Any]) -> None:
    """Mark the error of a task as retrieved, because no request may wait for it any more."""
    if not task.cancelled():
        task.exception()


async def _unless_left(request: AnyRequest, task: asyncio.Task[T]) -> T:
    """Wait for a task while the client stays connected. Raises errors of the task."""
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
    """Return when the client disconnects. The body must have been read before."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
