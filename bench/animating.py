"""GIFs: the time for a ply, and a match that is too long for one."""

from __future__ import annotations

import io
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import process_time
from typing import ClassVar, Final

from PIL import Image

from bench import books, commands
from bench.commands import CommandFailed
from bench.row import Figure, Row, Sample
from plybook import open_book
from replay.formats.pictures.animation import WIDTH, write_gif
from replay.formats.pictures.stills import png, write_svg

SHORT: Final = 3
EXPORT_TIMEOUT: Final = 20.0
"""Seconds after which an export counts as not refused."""


@dataclass(frozen=True)
class DrawingPlies(Row):
    """The processor time of `write_gif` for a match of Power Play, by its plies; and of making each
    of twenty positions a picture by itself, in the same process, as a multiple of it.
    """

    plies: int = 200

    @property
    def figures(self) -> Sequence[Figure]:
        return (
            Figure(f"a ply of a GIF of {self.plies}, processor time", "ms", at_most=15),
            Figure("a picture by itself, of a ply of the GIF", at_least=3),
        )

    @contextmanager
    def prepared(self) -> Iterator[Sample]:
        with tempfile.TemporaryDirectory() as folder, open_book(Path(folder, "book.db")) as book:
            record = book.open(books.store(book, books.long_match(self.plies)))

            def sample() -> Sequence[float]:
                start = process_time()
                write_gif(book, record, self.plies)
                gif = (process_time() - start) / self.plies
                start = process_time()
                for ply in range(0, self.plies, self.plies // 20):
                    with Image.open(io.BytesIO(png(write_svg(book, record, ply), WIDTH))) as page:
                        page.convert("RGB")
                return gif * 1000, (process_time() - start) / 20 / gif

            yield sample


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
