"""Queries that several parts use, and rows as structs."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import product
from types import NoneType
from typing import Any, Final

from replay.errors import Damaged
from replay.store import validation
from replay.store.sql.dialect import Connection, Row
from replay.store.types import CARRIER, Stream

NAMES: Final = (
    "id",
    "public_id",
    "kind",
    "header",
    "subject",
    "parent_id",
    "fork_version",
    "fork_ply",
    "origin",
    "head",
    "head_hash",
    "trashed",
)
COLUMNS: Final = ", ".join(f"streams.{name}" for name in NAMES)
STREAM: Final = f"SELECT {COLUMNS} FROM streams "

# The + keeps SQLite's planner from sorting all matches by number, for the few of a page.
MATCH: Final = f"+streams.kind = 'match' AND substr(streams.public_id, 1, 1) <> '{CARRIER}'"
"""A condition: the stream is a match, and not a carrier."""

OF_DUE: Final = f"FROM {{}} AS d CROSS JOIN streams WHERE streams.id = d.stream AND {MATCH}"
DUE: Final = f"SELECT {COLUMNS} {OF_DUE} ORDER BY d.stream LIMIT ?"
COUNT_DUE: Final = f"SELECT count(*) {OF_DUE}"

Types = tuple[type, ...]
MAYBE_INT: Final = (int, NoneType)
STREAM_TYPES: Final[Sequence[Types]] = (
    *((int,), (str,), (str,), (str,)),
    *(MAYBE_INT, MAYBE_INT, MAYBE_INT, MAYBE_INT),
    *((bytes,), (int,), (bytes,), (int, bool)),
)
"""The types that each column may have."""


def rows_of(types: Sequence[Types]) -> frozenset[Types]:
    """Return the types that a row may have."""
    return frozenset(product(*types))


STREAMS: Final = rows_of(STREAM_TYPES)


def stream(connection: Connection, number: int) -> Stream:
    """Return a stream by its number. Raises `UnknownMatch`."""
    row = connection.execute(STREAM + "WHERE id = ?", (number,)).fetchone()
    if row is None:
        raise validation.unknown_stream_error(number)
    return as_stream(row)


def writable(connection: Connection, number: int) -> Stream:
    """Return a stream by its number, unless it is a carrier. Raises `UnknownMatch`."""
    found = stream(connection, number)
    if found.is_carrier:
        raise validation.unknown_stream_error(number)
    return found


def streams_by_prefix(connection: Connection, public_id: str) -> list[Stream]:
    """Return the first few matches whose ids begin with a text, in the order of their ids."""
    if validation.NUL in public_id:
        return []
    rows = connection.execute(
        f"{STREAM} WHERE kind = 'match' AND {MATCH} AND public_id BETWEEN ? AND ? "
        "ORDER BY public_id LIMIT ?",
        (public_id, public_id + chr(0x10FFFF), validation.MAX_NAMED + 1),
    )
    return [as_stream(row) for row in rows.fetchall()]


def notes(connection: Connection, subject: int) -> Stream | None:
    """Return the notes about a match, or `None`."""
    row = connection.execute(STREAM + "WHERE subject = ?", (subject,)).fetchone()
    return None if row is None else as_stream(row)


def forks(connection: Connection, parent: int) -> list[Stream]:
    """Return the forks of a stream, oldest first. Raises `UnknownMatch`."""
    rows = connection.execute(STREAM + "WHERE parent_id = ? ORDER BY id", (parent,)).fetchall()
    return [as_stream(row) for row in rows] or list(require_stream(connection, parent))


def metadata(connection: Connection, number: int) -> dict[str, str]:
    """Return the metadata of a stream in their order. Raises `UnknownMatch`."""
    query = "SELECT name, value FROM facts WHERE stream = ? ORDER BY pos"
    rows = connection.execute(query, (number,)).fetchall()
    return dict(rows or require_stream(connection, number))


def due(connection: Connection, table: str, limit: int | None = None) -> list[Stream]:
    """Return the matches in a table of due matches, oldest first."""
    most = validation.MAX_VERSION if limit is None else limit
    return [as_stream(row) for row in connection.execute(DUE.format(table), (most,)).fetchall()]


def private_value(connection: Connection, number: int, name: str) -> bytes | None:
    """Return a private value of a stream, or `None`. Raises `UnknownMatch`."""
    query = "SELECT value FROM held WHERE stream = ? AND name = ?"
    row = connection.execute(query, (number, name)).fetchone()
    if row is None:
        stream(connection, number)
        return None
    value: bytes = row[0]
    return value


def private_values(connection: Connection, number: int) -> dict[str, bytes]:
    """Return the private values of a stream. Raises `UnknownMatch`."""
    query = "SELECT name, value FROM held WHERE stream = ? ORDER BY name"
    rows = connection.execute(query, (number,)).fetchall()
    return dict(rows or require_stream(connection, number))


def require_stream(connection: Connection, number: int) -> Iterator[Any]:
    """Yield nothing, but require that a stream exists.

    Raises `UnknownMatch` if the stream does not exist.
    """
    stream(connection, number)
    yield from ()


def placeholders(values: Collection[Any]) -> str:
    """Return a `?` for each value of a list after `IN`; an empty list contains no value."""
    return ", ".join("?" * len(values)) or "NULL"


def clamp_version(version: int) -> int:
    """Return the nearest version that a stream can have."""
    return min(max(version, 0), validation.MAX_VERSION - 1)


def as_stream(row: Row) -> Stream:
    """Return a row of `STREAM` as the struct. Raises `Damaged`."""
    if tuple(map(type, row)) not in STREAMS:
        raise damaged(f"stream {row[0]}", row, STREAM_TYPES)
    values = [*row[:3], row[3].encode(), *row[4:-1], bool(row[-1])]
    return Stream(*values)


def damaged(what: str, row: Row, types: Sequence[Types]) -> Damaged:
    """Return the error for a row with a value that its table refuses."""
    found, right = next(
        (type(value), allowed[0])
        for value, allowed in zip(row, types, strict=True)
        if type(value) not in allowed
    )
    return Damaged(f"{what} holds {found.__name__} instead of {right.__name__}")
