"""`plybook import`, compared with `plybook check`; and the first queries after it."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from bench import books, commands
from bench.commands import AT_ONCE
from bench.row import Figure, Row, Sample


@dataclass(frozen=True)
class Importing(Row):
    """`plybook import` of distinct matches of all games into a new book, and `plybook check` of the
    same text, start included; the import together with an `explore` that derives the moves by
    position; then `explore` again and `stats`, each the first query of a copy of that book, to
    `plybook --version`.
    """

    matches: int = 500
    rounds: ClassVar[int] = 2

    @property
    def figures(self) -> Sequence[Figure]:
        of = f"{self.matches:,} matches"
        return (
            Figure(f"events/s of import to check, {of}", at_least=0.62),
            Figure(f"events/s of import until all is derived to check, {of}"),
            Figure(f"import of {of}, events", "/s", at_least=10_000),
            Figure(f"first explore after import of {of} to --version", at_most=AT_ONCE),
            Figure(f"first stats after import of {of} to --version", at_most=AT_ONCE),
        )

    @contextmanager
    def prepared(self) -> Iterator[Sample]:
        with tempfile.TemporaryDirectory() as folder:
            text = Path(folder, "games.ply")
            events = books.write_records(text, self.matches)

            def sample() -> Sequence[float]:
                with tempfile.TemporaryDirectory(dir=folder) as fresh:
                    book = Path(fresh, "book.db")
                    checked = commands.run(None, "check", str(text)).wall
                    imported = commands.run(book, "import", str(text)).wall
                    derived = commands.run(book, "explore", "poptrix").wall
                    start = commands.start()
                    explored = _first(book, "explore", "poptrix")
                    counted = _first(book, "stats")
                at_once = explored / start, counted / start
                whole = checked / (imported + derived)
                return checked / imported, whole, events / imported, *at_once

            yield sample


def _first(book: Path, *query: str) -> float:
    """Return the wall time of a query that is the first of a copy of the book."""
    with tempfile.TemporaryDirectory(dir=book.parent) as folder:
        copy = Path(folder, "book.db")
        shutil.copy(book, copy)  # the command that made it has emptied the write-ahead log
        return commands.run(copy, *query).wall
