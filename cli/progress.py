"""How far a long job is, shown in a terminal."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")

LARGE = 1_000_000
"""Bytes; a smaller file is read before anybody wonders."""

MANY = 100
"""Matches; fewer are done before anybody wonders."""


def watched(file: Path, lines: Iterable[bytes]) -> Iterator[bytes]:
    """Pass the lines of a file on; of a large one a terminal shows how much has been read."""
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
    """Pass things on; of many a terminal shows how many have been passed."""
    if len(each) < MANY or not sys.stderr.isatty():
        yield from each
        return
    from rich.console import Console
    from rich.progress import track

    yield from track(each, "matches", console=Console(stderr=True), transient=True)
