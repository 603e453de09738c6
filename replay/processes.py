"""Work in one process for each processor, with the results in order."""

from __future__ import annotations

# Imports in functions keep start-up short: few commands start processes.
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final, TypeVar

from replay.errors import StoreError

if TYPE_CHECKING:
    from concurrent.futures import Future

T = TypeVar("T")
R = TypeVar("R")

AHEAD: Final = 2
"""The pieces of work that wait for each process, so that memory stays bounded."""


def processors() -> int:
    """Return the number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def work_in_order(work: Callable[[T], R], items: Iterable[T], processes: int) -> Iterator[R]:
    """Yield `work(item)` for each item in order, and read few items ahead of what was yielded.

    The function, the items and the results are pickled. Errors of the work are raised in their
    place; `StoreError` if a process is ended from outside.
    """
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool

    # A forked process would share the open database, which SQLite forbids.
    start = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(processes, start, initializer=_leave_interrupts)
    waiting: deque[Future[Any]] = deque()
    try:
        for item in items:
            waiting.append(pool.submit(work, item))
            if len(waiting) > AHEAD * processes:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    except BrokenProcessPool:
        raise StoreError("a process of this command was ended from outside; try again") from None
    finally:
        pool.shutdown(cancel_futures=True)


def _leave_interrupts() -> None:
    """Ignore Ctrl-C, which reaches the whole group; the first process ends the others."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)
