"""Progress of long jobs, shown in a terminal."""

from __future__ import annotations

# Imports in functions keep start-up short: a command loads only what it needs.
import sys
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")

LARGE = 1_000_000
"""The size in bytes from which reading a file shows progress."""

MANY = 100
"""The number of matches from which a job shows progress."""


def watched(file: Path, lines: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the lines of a file, and show progress in a terminal if the file is large."""
    size = file.stat().st_size if file.is_file() else 0
    if size < LARGE or not sys.stderr.isatty():
        yield from lines
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(file.name, total=size)
        for line in lines:
            progress.advance(task, len(line))
            yield line


def counted(each: Collection[T]) -> Iterator[T]:
    """Yield the items, and show progress in a terminal if there are many."""
    if len(each) < MANY or not sys.stderr.isatty():
        yield from each
        return
    from rich.console import Console
    from rich.progress import track

    yield from track(each, "matches", console=Console(stderr=True), transient=True)
