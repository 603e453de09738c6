"""A thread that owns the only connection that writes, and commits in groups.

If no thread can be started, the caller of `submit` does its job at once.

The jobs that arrive while a group is made durable form the next group: one transaction, made
durable once. Futures are answered after the commit. A subclass says how a transaction begins, how
it does jobs and how it is committed. An observer notes transactions; callbacks run after commits.
"""

from __future__ import annotations

import contextlib
import queue
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, InvalidStateError
from contextvars import ContextVar
from typing import Any, Final, Generic, NamedTuple, Protocol, TypeVar, overload

from replay.errors import StoreError
from replay.runtime import PROCESS, Runtime
from replay.store import validation
from replay.store.epoch import Epoch
from replay.store.types import Append, Appended

C = TypeVar("C")
T = TypeVar("T")
MAX_GROUP: Final = 1000
"""The number of jobs that may be committed together."""
Callback = Callable[..., None]


class WriteCondition(Protocol):
    """A condition of writes: it is checked in the transaction that writes, until one is stored."""

    is_met: bool

    def check(self, connection: Any) -> None:
        """Raise if the write must not be done. The connection has begun the transaction."""
        ...


CONDITION: Final[ContextVar[WriteCondition | None]] = ContextVar("condition", default=None)
"""The condition of the writes that this context submits."""


class Job(NamedTuple):
    """A function that writes over a connection, or events to append, and the future of its result.

    Each database appends events in its own way, so these are data.
    """

    work: Callable[[Any], Any] | Append
    future: Future[Any]
    ends_epoch: bool
    condition: WriteCondition | None = None

    def check(self, connection: Any) -> None:
        """Raise if the condition of the write does not hold."""
        if self.condition is not None and not self.condition.is_met:
            self.condition.check(connection)


class Answer(NamedTuple):
    """The result of a job, or the error by which it failed and left nothing behind."""

    result: Any
    error: Exception | None = None


class WriterThread(Generic[C]):
    """A queue of jobs and the thread that does them. The thread starts with the first job."""

    def __init__(self, runtime: Runtime = PROCESS) -> None:
        self.commits = 0
        """Transactions committed so far: fewer than jobs, if these came in groups."""
        self.observer: Observer | None = None
        self.epoch = Epoch()
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._runtime = runtime
        self._working = False
        """Whether jobs are being done without a thread; a callback may queue further jobs."""
        self._gate = threading.RLock()  # no job enters the queue after the closing `None`
        self._thread: threading.Thread | None = None
        self._closed = False
        self._failing = False

    @overload
    def submit(self, work: Append, *, ends_epoch: bool = True) -> Future[Appended]: ...

    @overload
    def submit(self, work: Callable[[C], T], *, ends_epoch: bool = True) -> Future[T]: ...

    def submit(self, work: Callable[[C], Any] | Append, *, ends_epoch: bool = True) -> Future[Any]:
        """Queue a job for the writer thread.

        If the job raises, its future raises the same error, and none of its changes are stored.
        """
        future: Future[Any] = Future()
        with self._gate:
            if not self._closed:
                self._jobs.put(Job(work, future, ends_epoch, CONDITION.get()))
                if not self._runtime.is_parallel:
                    self._do_queued()
                elif self._thread is None:
                    self._start()
                return future
        future.set_exception(validation.store_closed_error())
        return future

    def close(self) -> None:
        """Finish the queued jobs, refuse later ones, and close the connection."""
        with self._gate:
            if not self._closed:
                self._closed = True
                self._jobs.put(None)
            thread = self._thread
        if thread is None:
            self._at_end()
            self._drop_connection()
        elif thread is not threading.current_thread():
            thread.join()

    def probe(self) -> Future[None]:
        """Queue an attempt to write. It leaves nothing."""
        raise NotImplementedError

    def _begin(self) -> C:
        """Begin the only transaction that writes, on a new connection if the last was closed."""
        raise NotImplementedError

    def _store(self, connection: C, jobs: list[Job]) -> tuple[list[Answer], float]:
        """Do the jobs of a group and commit; return the answers, and the seconds of the commit.

        Raises only if the whole transaction is lost: `StoreError` if none of the jobs can be at
        fault, or it is not known whether they are stored.
        """
        raise NotImplementedError

    def _drop_connection(self) -> None:
        """Close the connection, and roll back its transaction."""
        raise NotImplementedError

    def _translated(self, error: Exception) -> Exception:
        """Translate an error of the library; return other errors unchanged."""
        raise NotImplementedError

    def _is_of_disk(self, error: Exception) -> bool:
        """Return whether an error means that the disk is full or fails."""
        raise NotImplementedError

    def _at_end(self) -> None:
        """Finish before the connection is closed for good. Never raises."""

    def _start(self) -> None:
        self._thread = threading.Thread(target=self._run, name="plybook-writer", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        group: list[Job] = []
        try:
            while group := self._next_group():
                self._commit([job for job in group if job.future.set_running_or_notify_cancel()])
        finally:
            self._refuse(group)
            self._at_end()
            self._drop_connection()

    def _do_queued(self) -> None:
        """Do the queued jobs in this thread, and the jobs that their callbacks queue."""
        if self._working:
            return
        self._working = True
        try:
            while not self._jobs.empty():
                group = self._next_group()
                self._commit([job for job in group if job.future.set_running_or_notify_cancel()])
            self._rest()
        finally:
            self._working = False

    def _rest(self) -> None:
        """Do the work of a waiting thread. Never raises."""

    def _next_group(self) -> list[Job]:
        """Wait for a job and take all others in the queue. Empty if the store is being closed."""
        group: list[Job] = []
        job = self._next_job()
        with contextlib.suppress(queue.Empty):
            while job is not None:
                group.append(job)
                if len(group) == MAX_GROUP:
                    return group
                job = self._jobs.get_nowait()
        if job is None and group:
            self._jobs.put(None)  # for the next round
        return group

    def _next_job(self) -> Job | None:
        """Wait for a job."""
        return self._jobs.get()

    def _commit(self, jobs: list[Job]) -> None:
        try:
            connection = self._begin()
        except Exception as error:
            self._fail(jobs, error)
            return
        try:
            answers, seconds = self._store(connection, jobs)
        except StoreError as error:
            self._fail(jobs, error)
        except Exception as error:
            self._drop_connection()
            self._commit_singly(jobs, error)
        else:
            self.commits += 1
            if self.observer is not None:
                self.observer.committed(seconds, len(jobs))
            self._answer(jobs, answers)

    def _commit_singly(self, jobs: list[Job], error: Exception) -> None:
        """Commit the jobs of a failed group separately, so that only the faulty jobs fail."""
        if len(jobs) == 1:
            self._answer(jobs, [Answer(None, error)])
        else:
            for job in jobs:
                self._commit([job])

    def _fail(self, jobs: list[Job], error: Exception) -> None:
        """Answer all jobs with an error that none of them caused."""
        self._answer(jobs, [Answer(None, error)] * len(jobs))

    def _answer(self, jobs: Sequence[Job], answers: Sequence[Answer]) -> None:
        errors = [answer.error for answer in answers if answer.error is not None]
        self._failing = any(map(self._is_of_disk, errors))
        if self._failing and self.observer is not None:
            self.observer.failed()
        for job, answer in zip(jobs, answers, strict=True):
            if answer.error is None:
                if job.condition is not None:
                    job.condition.is_met = True
                job.future.set_result(answer.result)
            else:
                job.future.set_exception(self._translated(answer.error))

    def _refuse(self, group: list[Job]) -> None:
        """Leave no future waiting when the thread ends, even if a fault ends it."""
        with self._gate:
            self._closed = True
        with contextlib.suppress(queue.Empty):
            while True:
                job = self._jobs.get_nowait()
                group += [job] if job else []
        for job in group:
            with contextlib.suppress(InvalidStateError):  # answered or cancelled already
                job.future.set_exception(StoreError("the store closed before this was written"))


class Observer(Protocol):
    """A listener to the transactions of a store. It is called in the thread that writes."""

    def committed(self, seconds: float, writes: int = 1) -> None:
        """Note that a transaction was made durable, how long this took, and how many writes it had.

        The futures of these writes are done next, in the same thread.
        """
        ...

    def failed(self) -> None:
        """Note that a transaction failed because of the disk."""
        ...


class Callbacks:
    """The functions that `on_change` or `on_told` registers, until the store is closed."""

    def __init__(self) -> None:
        self._functions: tuple[Callback, ...] = ()
        self._closed = False
        self._lock = threading.RLock()  # a callback may close the store

    def add(self, callback: Callback) -> None:
        """Register a callback. Raises `StoreError` after `close`."""
        with self._lock:
            if self._closed:
                raise validation.store_closed_error()
            self._functions += (callback,)

    def call(self, *told: str) -> None:
        """Call every registered callback."""
        with self._lock:
            for function in self._functions:
                function(*told)

    def close(self) -> None:
        """Wait for calls that run, and call no function any more."""
        with self._lock:
            self._closed = True
            self._functions = ()
