"""Warnings about parts of a record that a reader changed or doubted without refusing it."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

MAX_WARNINGS: Final = 20
"""The most warnings of a record that are reported one by one."""


class ReaderWarning(Struct, frozen=True):
    """A part of a record that was not read as it was written; the record is stored.

    Every reader of records (text records, formats of games, archives) makes these, and every door
    shows them beside the faults: `import` and `check`, `POST /records` and `/records/check`, the
    import page. `record` counts the records of the file from 1, or the matches of an archive. Line
    and column count from 1, in code points, in the file as it was sent. `message` names the problem
    and what was done about it: "left out the invisible character U+202E". A refused record has
    faults only.
    """

    record: int
    """The number of the record in the file, from 1."""
    line: int
    """The line of the file, from 1."""
    column: int
    """The column of the place, from 1."""
    message: str
    """The problem, and what was done about it."""

    def words(self) -> str:
        """Describe the warning in one line."""
        return f"line {self.line}, column {self.column}: {self.message} (warning)"


class Warnings:
    """Collects the warnings of one record; the first `MAX_WARNINGS` are kept, the others counted.

    A reader calls `add` for each part that it does not read as written, and puts `listed()` into
    its `Record`.
    """

    def __init__(self, record: int) -> None:
        self._record = record
        self._kept: list[ReaderWarning] = []
        self._more = 0

    def add(self, line: int, column: int, message: str) -> None:
        """Add a warning about a place; an empty message adds nothing."""
        if not message:
            return
        if len(self._kept) < MAX_WARNINGS:
            self._kept.append(ReaderWarning(self._record, line, column, message))
        else:
            self._more += 1

    def listed(self) -> tuple[ReaderWarning, ...]:
        """Return the warnings in order; the last warning counts those that are not listed."""
        if not self._more:
            return tuple(self._kept)
        last = self._kept[-1]
        counted = f"{self._more} more warnings of this record are not listed"
        return (*self._kept, ReaderWarning(last.record, last.line, last.column, counted))
