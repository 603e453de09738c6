"""Short ways to write and read text records in tests."""

from __future__ import annotations

from replay.records.model import Fault, Record
from replay.records.reader import read_records

OPENING = "M@c1 S@c6 c1>S@c3 c6>M@a6"
"""Four legal plies of Poptrix."""


def poptrix(movetext: str, *tags: str) -> str:
    """Return a record of Poptrix with more tag lines."""
    return "\n".join(['[Game "poptrix"]', *tags, "", movetext, "", ""])


def accepted(text: str | bytes) -> Record:
    """Read the only record of a text, which must be in order."""
    [record] = read_records(text)
    assert isinstance(record, Record), record
    return record


def rejected(text: str | bytes) -> Fault:
    """Read the only record of a text, which must be rejected."""
    [fault] = read_records(text)
    assert isinstance(fault, Fault), "the record was accepted"
    return fault


def place(fault: Fault) -> tuple[int, int]:
    """Return line and column."""
    return fault.line, fault.column
