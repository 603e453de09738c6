"""`plybook verify`, to `plybook check` of the same matches."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.bench import books, commands
from tests.bench.row import Figure, Row, Sample


@dataclass(frozen=True)
class Verifying(Row):
    """`plybook verify` of a book and `plybook check` of a text with the same matches, start
    included. The time per core is the wall time of `verify` times the cores of the machine, to the
    wall time of `check`, which uses one core.
    """

    matches: int = 500

    @property
    def figures(self) -> Sequence[Figure]:
        of = f"of verify to check, {self.matches:,} matches"
        return (Figure(f"time per core {of}", at_most=1.0), Figure(f"CPU {of}"))

    @contextmanager
    def prepared(self) -> Iterator[Sample]:
        with tempfile.TemporaryDirectory() as folder:
            book, text = Path(folder, "book.db"), Path(folder, "games.ply")
            books.write_records(text, self.matches)
            commands.run(book, "import", str(text))

            def sample() -> Sequence[float]:
                checked = commands.run(None, "check", str(text))
                verified = commands.run(book, "verify")
                cores = os.cpu_count() or 1
                return verified.wall * cores / checked.wall, verified.cpu / checked.cpu

            yield sample
