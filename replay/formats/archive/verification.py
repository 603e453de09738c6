"""Verify an archive: its lines first, then its events by the rules."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import BinaryIO

from replay.book import Book
from replay.errors import BadLine
from replay.formats.archive.reader import Archive, read_archive
from replay.referee.verification import Verdict, verify_match


def verify_archive(file: BinaryIO) -> list[Verdict]:
    """Return a verdict for each match of an archive, all good.

    Raises `BadLine` for the first line that was changed, moved, removed or added, and for the first
    event that breaks the rules.
    """
    with closing(read_archive(file)) as archive:
        return list(verdicts(archive))


def verdicts(archive: Archive) -> Iterator[Verdict]:
    """Referee the matches of an archive. Raises `BadLine`."""
    book = Book(archive.store)
    for stream in archive.matches:
        verdict = verify_match(book, stream)
        if verdict.fault is not None:
            raise BadLine(archive.line(stream, verdict.version), verdict.fault)
        yield verdict
