"""`plybook doctor` and `plybook reindex` of a large book, compared with a small one."""

from __future__ import annotations

import resource
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from bench import books, commands
from bench.growth import PLIES, SMALL
from bench.row import Figure, Row, Sample


@dataclass(frozen=True)
class Upkeep(Row):
    """`plybook doctor` and `plybook reindex` of a book of 1,000 matches and of a large one: CPU for
    each match, without the start, and the memory of the largest process. Several processes share
    the caches of the processors, so the large book may take somewhat more.
    """

    rounds: ClassVar[int] = 1
    matches: int = 10_000

    @property
    def figures(self) -> Sequence[Figure]:
        to = f"at {self.matches:,} matches to {SMALL:,}"
        return (
            Figure(f"CPU of doctor for a match {to}", at_most=1.6),
            Figure(f"CPU of reindex for a match {to}", at_most=1.6),
            Figure(f"memory of both {to}", at_most=2.0),
        )

    @contextmanager
    def prepared(self) -> Iterator[Sample]:
        with tempfile.TemporaryDirectory() as folder:
            files = [(count, Path(folder, f"{count}.db")) for count in (SMALL, self.matches)]
            for count, file in files:
                books.grow(file, count, PLIES)

            def sample() -> Sequence[float]:
                start = commands.run(None, "--version").cpu
                small, large = (_look_after(file, count, start) for count, file in files)
                return [b / a for a, b in zip(small, large, strict=True)]

            yield sample


def _look_after(file: Path, matches: int, start: float) -> Sequence[float]:
    """Return the CPU of both commands for a match, and the memory of any process so far."""
    reindexed = commands.run(file, "reindex").cpu
    examined = commands.run(file, "doctor").cpu
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    return (examined - start) / matches, (reindexed - start) / matches, memory
