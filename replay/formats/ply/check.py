"""The results of `plybook check` for a file of text records, one per record."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

from msgspec import Struct, structs

from domain.names import count
from replay.formats.import_bounds import UNBOUNDED, Bounds
from replay.formats.ply.model import Record, RecordFault
from replay.formats.ply.reader import read_records


class PassedRecord(Struct, frozen=True):
    """A valid record. `events` counts the main line; `outcome` is `None` if it is unfinished."""

    file: str
    record: int
    ok: Literal[True]
    events: int
    outcome: dict[str, int | bool | str] | None

    def words(self) -> str:
        """Describe the result in a line."""
        ended = "" if self.outcome is None else f", ended by {self.outcome['clause']}"
        return f"{self.file}: record {self.record}: ok, {count(self.events, 'event')}{ended}"


class FailedRecord(Struct, frozen=True):
    """A rejected record; the fields are those of `RecordFault`."""

    file: str
    record: int
    ok: Literal[False]
    event: int | None
    line: int
    column: int
    token: str | None
    seat: int | None
    clause: str
    message: str

    def words(self) -> str:
        """Describe the result in a line."""
        fault = RecordFault(**{name: getattr(self, name) for name in RecordFault.__struct_fields__})
        return f"{self.file}: record {self.record}: {fault.words()}"


def check_lines(
    lines: Iterable[bytes], file: str, bounds: Bounds = UNBOUNDED
) -> Iterator[PassedRecord | FailedRecord]:
    """Check the lines of a text with the name `file`, record by record."""
    # A file name that is not UTF-8 must still give valid JSON.
    name = file.encode("utf-8", "replace").decode()
    for result in read_records(lines, bounds):
        yield _failed(name, result) if isinstance(result, RecordFault) else _passed(name, result)


def _passed(file: str, record: Record) -> PassedRecord:
    match = record.match
    outcome = match.state.outcome
    return PassedRecord(
        file, record.number, True, len(match.line), outcome.to_dict() if outcome else None
    )


def _failed(file: str, fault: RecordFault) -> FailedRecord:
    return FailedRecord(file=file, ok=False, **structs.asdict(fault))
