"""How far a large file is, shown in a terminal while it is read."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

LARGE = 1_000_000
"""Bytes; a smaller file is read before anybody wonders."""


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
