"""The worker process: run work on a book with limited resources."""

from __future__ import annotations

import functools
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar

from replay.book_file import open_book
from replay.errors import StoreError

T = TypeVar("T")

NICE: Final = 10
"""The niceness of a worker, which yields to the process that answers requests."""

MEMORY: Final = 1024**3
"""A worker's address space in bytes."""

SECONDS: Final = 120
"""Processor seconds for one job; then the system ends the process."""


def run(location: Path | str, work: Callable[..., T], args: tuple[Any, ...]) -> T:
    """Return `work(book, *args)` with the current book of a file or a database server."""
    _settle()
    _bound_time()
    if isinstance(location, Path) and not location.exists():  # opening would create it
        raise StoreError(f"{location} is gone")
    with open_book(location) as book:
        return work(book, *args)


@functools.cache
def _settle() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which ends its workers
    if os.name == "posix":
        import resource  # not on Windows

        os.nice(NICE)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, _hard(resource.RLIMIT_AS)))


def _bound_time() -> None:
    if os.name == "posix":
        import resource  # not on Windows

        until = int(time.process_time()) + SECONDS
        resource.setrlimit(resource.RLIMIT_CPU, (until, _hard(resource.RLIMIT_CPU)))


def _hard(limit: int) -> int:
    import resource  # not on Windows

    return resource.getrlimit(limit)[1]
