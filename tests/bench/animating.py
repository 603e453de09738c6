"""A match that is too long for a GIF."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Final

from plybook import open_book
from tests.bench import books, commands
from tests.bench.commands import CommandFailed
from tests.bench.row import Figure, Row, Sample

SHORT: Final = 3
EXPORT_TIMEOUT: Final = 20.0
"""Seconds after which an export counts as not refused."""


@dataclass(frozen=True)
class Animating(Row):
    """`plybook export --format gif` of a long match: 1 if it is refused, 0 if it is written or
    takes longer than 20 seconds. A range of three plies must be written.
    """

    plies: int = 3000
    rounds: ClassVar[int] = 1

    @property
    def figures(self) -> Sequence[Figure]:
        return (Figure(f"GIF of {self.plies:,} plies refused (1 yes, 0 no)", "", at_least=1),)

    @contextmanager
    def prepared(self) -> Iterator[Sample]:
        with tempfile.TemporaryDirectory() as folder:
            database, gif = Path(folder, "book.db"), str(Path(folder, "match.gif"))
            with open_book(database) as book:
                match = books.store(book, books.long_match(self.plies))
            shown = ("--format", "gif", "-o", gif)
            commands.run(database, "export", f"{match}@{SHORT}", *shown)

            def sample() -> Sequence[float]:
                try:
                    commands.run(database, "export", match, *shown, timeout=EXPORT_TIMEOUT)
                except CommandFailed:
                    return (1,)
                except subprocess.TimeoutExpired:
                    pass
                return (0,)

            yield sample
