"""The events of streams: read them, look for their ids, store them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache
from types import NoneType
from typing import Final

from replay.store import validation
from replay.store.sql import queries
from replay.store.sql.dialect import Connection, Row
from replay.store.sqlite.driver import sqlite3
from replay.store.types import NewEvent, StoredEvent, Stream

# As bytes, to save time; the hash reveals damaged bytes.
EVENT: Final = (
    "SELECT e.version, e.event_id, CAST(e.type AS BLOB), CAST(e.actor AS BLOB), e.at, "
    "CAST(e.data AS BLOB), e.hash, x.payload "
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
    f"FROM ({queries.STREAM} WHERE id = ?) AS one"
)
INSERT: Final = (
    "INSERT INTO events (stream, version, event_id, type, actor, at, data, hash) "
    "VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
)
SEAL: Final = "INSERT INTO sealed SELECT pos, ? FROM events WHERE stream = ? AND version = ?"
EVENT_TYPES: Final[Sequence[queries.Types]] = (
    *((int,), (bytes,), (bytes,), (bytes,), (int,), (bytes,), (bytes,)),
    (bytes, NoneType),
)
EVENTS: Final = queries.rows_of(EVENT_TYPES)


def read(connection: Connection, number: int, after: int, until: int) -> list[StoredEvent]:
    """Return the events of a stream, shared ones included, with after < version <= until."""
    bounds = (queries.clamp_version(after) + 1, queries.clamp_version(until), number)
    found = [_event(row, number) for row in connection.execute(SLICE, bounds).fetchall()]
    return found or list(queries.require_stream(connection, number))


def stream_to_extend(
    connection: Connection, number: int, new: Sequence[NewEvent]
) -> tuple[Stream, bool]:
    """Return a stream, and whether any of the new events is in it. Raises `UnknownMatch`.

    One query answers both: between two queries, another thread may hold the interpreter.
    """
    query = KNOWN.format(ids=queries.placeholders(new))
    row = connection.execute(query, (*(event.id for event in new), number)).fetchone()
    if row is None or (found := queries.as_stream(row[:-1])).is_carrier:
        raise validation.unknown_stream_error(number)
    return found, bool(row[-1])


def present(connection: Connection, number: int, new: Sequence[NewEvent]) -> list[StoredEvent]:
    """Return the events of a stream that have the ids of new ones, in their order."""
    rows: list[Row] = []
    for event in new:
        rows += connection.execute(BY_ID, (event.id, number)).fetchall()
    return sorted((_event(row, number) for row in rows), key=lambda event: event.version)


def insert(connection: sqlite3.Connection, new: Collection[tuple[int, StoredEvent]]) -> None:
    """Store the next events of streams, with their sealed parts."""
    rows = [
        (number, one.version, one.id, one.type, one.actor, one.at, one.data.decode(), one.hash)
        for number, one in new
    ]
    connection.executemany(INSERT, rows)
    for number, event in new:
        if event.sealed is not None:
            connection.execute(SEAL, (event.sealed, number, event.version))


def _event(row: Row, number: int) -> StoredEvent:
    if tuple(map(type, row)) not in EVENTS:
        raise queries.damaged(f"event {row[0]} of stream {number}", row, EVENT_TYPES)
    version, event_id, kind, actor, at, data, hashed, sealed = row
    return StoredEvent(version, event_id, _word(kind), _word(actor), at, data, hashed, sealed)


@lru_cache(maxsize=1024)
def _word(stored: bytes) -> str:
    """Return one text for all equal types or actors, which saves events a tenth of their memory."""
    return str(stored, "utf-8", "replace")
