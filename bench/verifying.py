"""`plybook verify`, compared with `plybook check` of the same matches."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bench import books, commands
from bench.row import Figure, Row, Sample


@dataclass(frozen=True)
class Verifying(Row):
    """`plybook verify` of a book and `plybook check` of a text with the same matches, and both of
    half of them. The CPU for a further match is the difference: it leaves out the start of the
    commands and of the processes of `verify`, which check nothing. The time per core includes them:
    the wall time of `verify` times the cores of the machine, to the wall time of `check`, which
    uses one core.
    """

    matches: int = 1000

    @property
    def figures(self) -> Sequence[Figure]:
        of = f"of verify to check, {self.matches:,} matches"
        return (
            Figure(f"CPU {of}, for a further match", at_most=1.0),
            Figure(f"time per core {of}, with the start"),
        )

    @contextmanager
    def prepared(self) -> Iterator[Sample]:
        with tempfile.TemporaryDirectory() as folder:
            sides = [_files(Path(folder), count) for count in (self.matches // 2, self.matches)]

            def sample() -> Sequence[float]:
                half, whole = ([commands.run(*each) for each in side] for side in sides)
                checked, verified = whole
                further = (verified.cpu - half[1].cpu) / (checked.cpu - half[0].cpu)
                return further, verified.wall * (os.cpu_count() or 1) / checked.wall

            yield sample


def _files(folder: Path, count: int) -> tuple[tuple[None, str, str], tuple[Path, str]]:
    """Write so many matches as a text and as a book; return the commands that check them."""
    book, text = folder / f"{count}.db", folder / f"{count}.ply"
    books.write_records(text, count)
    commands.run(book, "import", str(text))
    return (None, "check", str(text)), (book, "verify")
