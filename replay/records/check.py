"""What `plybook check` says of a file of text records, one answer a record."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal

from msgspec import Struct

from domain.game import Outcome
from replay.errors import Usage
from replay.records.model import Fault, Record
from replay.records.reader import read_records


class Won(Struct, frozen=True):
    """The outcome of a match that a seat has won."""

    winner: int
    clause: str


class Drawn(Struct, frozen=True):
    """The outcome of a match without a winner."""

    draw: Literal[True]
    clause: str


class Abandoned(Struct, frozen=True):
    """The outcome of a match that the scorekeeper broke off."""

    abandoned: Literal[True]
    clause: str


class Passed(Struct, frozen=True):
    """A record that is in order. `events` counts the main line; no outcome: unfinished."""

    file: str
    record: int
    ok: Literal[True]
    events: int
    outcome: Won | Drawn | Abandoned | None


class Failed(Struct, frozen=True):
    """A record that is rejected; the fields are those of `Fault`."""

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


def check_file(path: str | os.PathLike[str]) -> Iterator[Passed | Failed]:
    """Referee a file, record by record. Raises `Usage` if it cannot be read."""
    try:
        with Path(path).open("rb") as lines:
            yield from check_lines(lines, os.fspath(path))
    except OSError as error:
        raise Usage(f"{os.fspath(path)} cannot be read: {error.strerror}") from None


def check_lines(lines: Iterable[bytes], file: str) -> Iterator[Passed | Failed]:
    """Referee the lines of a text called `file`, record by record."""
    # A file name that is not UTF-8 must not keep the answer from being JSON.
    name = file.encode("utf-8", "replace").decode()
    for result in read_records(lines):
        yield _failed(name, result) if isinstance(result, Fault) else _passed(name, result)


def outcome_json(outcome: Outcome | None) -> Won | Drawn | Abandoned | None:
    """Return an outcome in the form scripts read."""
    if outcome is None:
        return None
    if outcome.winner is not None:
        return Won(outcome.winner, outcome.clause)
    return Abandoned(True, outcome.clause) if outcome.abandoned else Drawn(True, outcome.clause)


def _passed(file: str, record: Record) -> Passed:
    match = record.match
    return Passed(file, record.number, True, len(match.line), outcome_json(match.state.outcome))


def _failed(file: str, fault: Fault) -> Failed:
    return Failed(
        file,
        fault.record,
        False,
        fault.event,
        fault.line,
        fault.column,
        fault.token,
        fault.seat,
        fault.clause,
        fault.message,
    )
