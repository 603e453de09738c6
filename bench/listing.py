"""`plybook list`, compared with the time to start."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bench import books, commands
from bench.commands import AT_ONCE
from bench.row import Figure, Row, Sample


@dataclass(frozen=True)
class Listing(Row):
    """The wall time of `plybook list`, start included, to that of `plybook --version`; the mean of
    one before and one after. The aim of 0.3 s is given as a multiple of that start.
    """

    matches: int = 1000

    @property
    def figures(self) -> Sequence[Figure]:
        of = f"list of {self.matches:,} matches"
        return (Figure(f"{of} to --version", at_most=AT_ONCE), Figure(of, "s"))

    @contextmanager
    def prepared(self) -> Iterator[Sample]:
        with tempfile.TemporaryDirectory() as folder:
            book = Path(folder, "book.db")
            books.grow(book, self.matches)

            def sample() -> Sequence[float]:
                before, listed, after = (
                    commands.start(),
                    commands.run(book, "list"),
                    commands.start(),
                )
                return 2 * listed.wall / (before + after), listed.wall

            yield sample
