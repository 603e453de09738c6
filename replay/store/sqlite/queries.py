"""Queries that several parts use, and rows as the structs of the protocol."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, Final

from replay.errors import Damaged
from replay.store import validation
from replay.store.protocol import CARRIER, NewEvent, StoredEvent, Stream
from replay.store.sqlite.sqlite_library import Connection

Row = tuple[Any, ...]

COLUMNS: Final = (
    "id, public_id, kind, header, subject, parent_id, fork_version, fork_ply, "
    "origin, head, head_hash, trashed"
)
STREAM: Final = f"SELECT {COLUMNS} FROM streams "
EVENT: Final = (
    "SELECT e.version, e.event_id, e.type, e.actor, e.at, e.data, e.hash, x.payload "
    "FROM segments AS s JOIN events AS e ON e.stream = s.src "
)
SEALED: Final = "LEFT JOIN sealed AS x ON x.event = e.pos WHERE s.stream = ? "
SLICE: Final = (
    f"{EVENT} AND e.version BETWEEN max(s.lo, ?) AND min(s.hi, ?) {SEALED} ORDER BY s.lo, e.version"
)
BY_ID: Final = f"{EVENT} AND e.event_id = ? {SEALED} AND e.version BETWEEN s.lo AND s.hi"

# The + keeps the planner from looking through all versions for the few ids.
KNOWN: Final = (
    "SELECT *, EXISTS (SELECT 1 FROM segments AS s JOIN events AS e ON e.stream = s.src "
    "WHERE s.stream = one.id AND e.event_id IN ({ids}) AND +e.version BETWEEN s.lo AND s.hi) "
    f"FROM ({STREAM} WHERE id = ?) AS one"
)

# The + keeps the planner from sorting all matches by number, for the few of a page.
MATCH: Final = f"+streams.kind = 'match' AND substr(streams.public_id, 1, 1) <> '{CARRIER}'"
"""A condition: the stream is a match, and no carrier."""

STREAM_TYPES: Final = (int, bytes, bytes, bytes, *(int,) * 4, bytes, int, bytes, int)
EVENT_TYPES: Final = (int, bytes, bytes, bytes, int, bytes, bytes)


def stream(connection: Connection, number: int) -> Stream:
    """Return a stream by its number. Raises `UnknownMatch`."""
    row = connection.execute(STREAM + "WHERE id = ?", (number,)).fetchone()
    if row is None:
        raise validation.unknown(number)
    return as_stream(row)


def writable(connection: Connection, number: int) -> Stream:
    """Return a stream by its number, unless it is a carrier. Raises `UnknownMatch`."""
    found = stream(connection, number)
    if found.is_carrier:
        raise validation.unknown(number)
    return found


def beginning(connection: Connection, public_id: str) -> list[Stream]:
    """Return the first few matches whose ids begin with a text, in the order of their ids."""
    rows = connection.execute(
        f"{STREAM} WHERE kind = 'match' AND {MATCH} AND public_id BETWEEN ? AND ? "
        "ORDER BY public_id LIMIT ?",
        (public_id, public_id + chr(0x10FFFF), validation.NAMED + 1),
    )
    return [as_stream(row) for row in rows.fetchall()]


def notes(connection: Connection, subject: int) -> Stream | None:
    """Return the notes about a match, if there are any."""
    row = connection.execute(STREAM + "WHERE subject = ?", (subject,)).fetchone()
    return None if row is None else as_stream(row)


def forks(connection: Connection, parent: int) -> list[Stream]:
    """Return the forks of a stream, oldest first. Raises `UnknownMatch`."""
    rows = connection.execute(STREAM + "WHERE parent_id = ? ORDER BY id", (parent,)).fetchall()
    return [as_stream(row) for row in rows] or list(nothing_of(connection, parent))


def events(connection: Connection, number: int, after: int, until: int) -> list[StoredEvent]:
    """Return the events of a stream, shared ones included, with after < version <= until."""
    bounds = (_bounded(after) + 1, _bounded(until), number)
    found = [_event(row, number) for row in connection.execute(SLICE, bounds).fetchall()]
    return found or list(nothing_of(connection, number))


def stream_to_extend(
    connection: Connection, number: int, new: Sequence[NewEvent]
) -> tuple[Stream, bool]:
    """Return a stream, and whether any of the new events is in it. Raises `UnknownMatch`.

    One query for both: between two, another thread may hold the interpreter.
    """
    query = KNOWN.format(ids=", ".join("?" * len(new)) or "NULL")
    row = connection.execute(query, (*(event.id for event in new), number)).fetchone()
    if row is None or (found := as_stream(row[:-1])).is_carrier:
        raise validation.unknown(number)
    return found, bool(row[-1])


def present(connection: Connection, number: int, new: Sequence[NewEvent]) -> list[StoredEvent]:
    """Return the events of a stream that have the ids of new ones, in their order."""
    rows: list[Row] = []
    for event in new:
        rows += connection.execute(BY_ID, (event.id, number)).fetchall()
    return sorted((_event(row, number) for row in rows), key=lambda event: event.version)


def facts(connection: Connection, number: int) -> dict[str, str]:
    """Return the facts of a stream in their order. Raises `UnknownMatch`."""
    query = "SELECT name, value FROM facts WHERE stream = ? ORDER BY pos"
    rows = connection.execute(query, (number,)).fetchall()
    return {text(name): text(value) for name, value in rows or nothing_of(connection, number)}


def private_value(connection: Connection, number: int, name: str) -> bytes | None:
    """Return a private value of a stream, if it has it. Raises `UnknownMatch`."""
    query = "SELECT value FROM held WHERE stream = ? AND name = ?"
    row = connection.execute(query, (number, name)).fetchone()
    if row is None:
        stream(connection, number)
        return None
    value: bytes = row[0]
    return value


def private_values(connection: Connection, number: int) -> dict[str, bytes]:
    """Return the private values of a stream by name. Raises `UnknownMatch`."""
    query = "SELECT name, value FROM held WHERE stream = ? ORDER BY name"
    rows = connection.execute(query, (number,)).fetchall()
    return {text(name): value for name, value in rows or nothing_of(connection, number)}


def schema_version(connection: Connection) -> int:
    """Return the number of migrations that the database has had."""
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    return version


def has_log(connection: Connection) -> bool:
    """Tell whether the database has a write-ahead log, as it should."""
    mode: bytes = connection.execute("PRAGMA journal_mode").fetchone()[0]
    return mode == b"wal"


def nothing_of(connection: Connection, number: int) -> Iterator[Any]:
    """Yield nothing. Raises `UnknownMatch` if there is no such stream."""
    stream(connection, number)
    yield from ()


def _bounded(version: int) -> int:
    return min(max(version, 0), validation.LAST - 1)


def as_stream(row: Row) -> Stream:
    """Return a row of `STREAM` as the struct. Raises `Damaged`."""
    _check_types(row, STREAM_TYPES, f"stream {row[0]}", optional=range(4, 8))
    number, public_id, kind, header, subject, parent, version, ply, origin, head, last, trash = row
    return Stream(
        id=number,
        public_id=text(public_id),
        kind=text(kind),
        header=header,
        subject=subject,
        parent=parent,
        fork_version=version,
        fork_ply=ply,
        origin=origin,
        head=head,
        head_hash=last,
        trashed=bool(trash),
    )


def _event(row: Row, number: int) -> StoredEvent:
    _check_types(row, EVENT_TYPES, f"event {row[0]} of stream {number}")
    version, event_id, kind, actor, at, data, hashed, sealed = row
    return StoredEvent(version, event_id, _word(kind), _word(actor), at, data, hashed, sealed)


def _check_types(row: Row, types: tuple[type, ...], what: str, optional: range = range(0)) -> None:
    """Raise `Damaged` for a row with values that a strict table refuses."""
    for column, expected in enumerate(types):
        if type(row[column]) is not expected and not (column in optional and row[column] is None):
            raise Damaged(
                f"{what} holds {type(row[column]).__name__} instead of {expected.__name__}"
            )


def text(stored: bytes) -> str:
    # A damaged byte becomes U+FFFD here and is found by the hash.
    return str(stored, "utf-8", "replace")


@lru_cache(maxsize=1024)
def _word(stored: bytes) -> str:
    """Return a type or an actor as one text for all events, which take a tenth less memory so."""
    return text(stored)
