"""Progress of long jobs, shown on standard error if that is a terminal."""

from __future__ import annotations

# Imports in functions keep start-up short: a command loads only what it needs.
import os
import sys
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Final, TypeVar

T = TypeVar("T")
Advance = Callable[[int], None]
"""Advances the progress by a number of bytes or things."""

LARGE: Final = 1_000_000
"""The size in bytes from which reading files shows progress."""

MANY: Final = 100
"""The number of matches from which a job shows progress."""

SLOW: Final = 10
"""The number of drawings from which an animation shows progress."""


def matches_bar(total: int) -> AbstractContextManager[Advance]:
    """Show the progress of a job on matches if there are many matches."""
    return bar("matches", total, total >= MANY)


def counted(each: Collection[T]) -> Iterator[T]:
    """Yield matches, and show progress if there are many matches."""
    return _passed("matches", each, MANY)


def drawn(drawings: Collection[T]) -> Iterator[T]:
    """Yield drawings of an animation, and show progress if that takes a second or more."""
    return _passed("pictures", drawings, SLOW)


def _passed(what: str, things: Collection[T], many: int) -> Iterator[T]:
    with bar(what, len(things), len(things) >= many) as advance:
        for one in things:
            yield one
            advance(1)


@contextmanager
def reading(files: Iterable[Path]) -> Iterator[Advance]:
    """Show one progress for all files if they are large; yield the function that advances it."""
    size = sum(
        file.stat().st_size for file in files if os.path.isfile(file)
    )  # False for a long link
    with bar("reading", size, size >= LARGE) as advance:
        yield advance


@contextmanager
def bar(what: str, total: int, wanted: bool) -> Iterator[Advance]:
    """Show the progress of a job on stderr if that is a terminal and the bar is `wanted`."""
    if not (wanted and sys.stderr.isatty()):
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import Progress

    # Other output is printed above the bar, but only if both go to one terminal.
    shared = _is_one_terminal()
    console = Console(stderr=True)
    with Progress(console=console, transient=True, redirect_stdout=shared) as progress:
        task = progress.add_task(what, total=total)
        yield lambda more: progress.advance(task, more)


def _is_one_terminal() -> bool:
    try:
        out, err = os.fstat(sys.stdout.fileno()), os.fstat(sys.stderr.fileno())
    except (OSError, ValueError):  # a stream without a file
        return False
    return sys.stdout.isatty() and out.st_rdev == err.st_rdev
