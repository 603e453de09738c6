"""Run pieces of work in one process for each processor, with the results in order."""

from __future__ import annotations

# Imports in functions keep start-up short: few commands start processes.
import os
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from replay.errors import StoreError

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor

T = TypeVar("T")
R = TypeVar("R")

AHEAD: Final = 2
"""The pieces of work that wait for each process, so that memory stays bounded."""


def processors() -> int:
    """Return the number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class ProcessPool(Generic[T, R]):
    """Processes that call `apart` with one piece after the other.

    The function, the pieces and the results are pickled. Pieces that together weigh less than
    `enough` are done by `here` in this process, because starting other processes takes time.
    Without `apart`, or on one processor, `here` does all pieces. Errors are raised in place of a
    result.
    """

    def __init__(
        self, here: Callable[[T], R], apart: Callable[[T], R] | None, enough: float
    ) -> None:
        self._here = here
        self._apart = apart if processors() > 1 else None
        self._enough = enough
        self._weight = 0.0
        self._held: deque[T] = deque()
        self._running: deque[Future[R]] = deque()
        self._pool: ProcessPoolExecutor | None = None
        self._safe = ExitStack()

    def __enter__(self) -> ProcessPool[T, R]:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """End the processes, and drop the pieces that have not begun."""
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
        self._safe.close()

    def put(self, piece: T, weight: float) -> Iterator[R]:
        """Add a piece, and yield results that are due."""
        self._held.append(piece)
        self._weight += weight
        if self._apart is None:
            yield from self._do_held()
        elif self._weight >= self._enough:
            yield from self._give(self._apart)

    def rest(self) -> Iterator[R]:
        """Yield the results of all pieces that were put."""
        while self._running:
            yield self._next()
        yield from self._do_held()

    def _give(self, apart: Callable[[T], R]) -> Iterator[R]:
        while self._held:
            self._running.append(self._started().submit(apart, self._held.popleft()))
            while len(self._running) > AHEAD * processors():
                yield self._next()

    def _do_held(self) -> Iterator[R]:
        while self._held:
            yield self._here(self._held.popleft())

    def _next(self) -> R:
        from concurrent.futures.process import BrokenProcessPool

        try:
            return self._running.popleft().result()
        except BrokenProcessPool:
            raise StoreError("a process of this command was ended from outside") from None

    def _started(self) -> ProcessPoolExecutor:
        if self._pool is None:
            import multiprocessing
            from concurrent.futures import ProcessPoolExecutor

            # Python starts with the current folder on its path, whose files must not run.
            self._safe.enter_context(_environment("PYTHONSAFEPATH", "1"))
            # A forked process would share the open database, which SQLite forbids.
            start = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(processors(), start, _begin, (self._apart,))
        return self._pool


@contextmanager
def _environment(name: str, value: str) -> Iterator[None]:
    """Set a variable of the environment for a while."""
    before = os.environ.get(name)
    os.environ[name] = value
    yield
    if before is None:
        del os.environ[name]
    else:
        os.environ[name] = before


def _begin(_apart: object) -> None:
    """Settle a process of the pool.

    The unused function is passed so that its modules are loaded: the garbage collector skips them.
    """
    settle_worker()


def settle_worker() -> None:
    """Ignore Ctrl-C, which reaches the whole group: the first process ends its workers.

    The garbage collector skips the objects that are loaded by then.
    """
    import gc
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.freeze()
