"""Opening a long match that is not in the cache."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from bench import books, yardsticks
from bench.games import to_yardstick
from bench.row import Figure, Row, Sample
from plybook import open_book
from replay.book import Book


@dataclass(frozen=True)
class Reopening(Row):
    """A new book reads a match of Power Play from SQLite and folds it; events per second, to the
    moves per second that python-chess referees.
    """

    plies: int = 500
    rounds: ClassVar[int] = 15

    @property
    def figures(self) -> Sequence[Figure]:
        return (Figure(f"events of a match of {self.plies} plies, opened anew, to chess"),)

    @contextmanager
    def prepared(self) -> Iterator[Sample]:
        with tempfile.TemporaryDirectory() as folder, open_book(Path(folder, "book.db")) as book:
            match = books.store(book, books.long_match(self.plies))

            def opened() -> int:
                return len(Book(book.store).open(match).match.line)

            yield lambda: (to_yardstick(opened, yardsticks.refereed),)
