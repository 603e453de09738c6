"""Read the events of streams, find events by their ids, and insert events."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from replay.store.sql import queries
from replay.store.sql.dialect import Connection, Row
from replay.store.types import NewEvent, StoredEvent

EVENT: Final = (
    "SELECT e.version, e.event_id, e.type, e.actor, e.at, e.data, e.hash, x.payload "
    "FROM segments AS s JOIN events AS e ON e.stream = s.src "
)
SEALED: Final = "LEFT JOIN sealed AS x ON x.event = e.pos WHERE s.stream = ? "
SLICE: Final = (
    f"{EVENT} AND e.version BETWEEN greatest(s.lo, ?) AND least(s.hi, ?) {SEALED} "
    "ORDER BY e.version"
)
BY_ID: Final = (
    f"{EVENT} AND e.event_id = ANY(?) {SEALED} AND e.version BETWEEN s.lo AND s.hi "
    "ORDER BY e.version"
)
INSERT: Final = """
    INSERT INTO events (pos, stream, version, event_id, type, actor, at, data, hash)
    SELECT (SELECT coalesce(max(pos), 0) FROM events) + a.place,
        a.stream, a.version, a.id, a.type, a.actor, a.at, a.data, a.hash
    FROM unnest(?::bigint[], ?::bigint[], ?::bytea[], ?::text[], ?::text[], ?::bigint[],
        ?::text[], ?::bytea[])
        WITH ORDINALITY AS a(stream, version, id, type, actor, at, data, hash, place)
    ORDER BY a.place
"""
SEAL: Final = """
    INSERT INTO sealed SELECT e.pos, a.payload
    FROM unnest(?::bigint[], ?::bigint[], ?::bytea[]) AS a(stream, version, payload)
    JOIN events AS e ON e.stream = a.stream AND e.version = a.version
"""


def read(connection: Connection, number: int, after: int, until: int) -> list[StoredEvent]:
    """Return the events of a stream, shared ones included, with after < version <= until."""
    bounds = (queries.clamp_version(after) + 1, queries.clamp_version(until), number)
    found = [_event(row) for row in connection.execute(SLICE, bounds).fetchall()]
    return found or list(queries.require_stream(connection, number))


def present(connection: Connection, number: int, new: Sequence[NewEvent]) -> list[StoredEvent]:
    """Return the events of a stream that have the ids of new ones, in their order."""
    rows = connection.execute(BY_ID, ([event.id for event in new], number)).fetchall()
    return [_event(row) for row in rows]


def insert(connection: Connection, new: Sequence[tuple[int, StoredEvent]]) -> None:
    """Store events with the numbers of their streams, each stream's in the order of versions."""
    if not new:
        return
    rows = [
        (number, one.version, one.id, one.type, one.actor, one.at, one.data.decode(), one.hash)
        for number, one in new
    ]
    connection.execute(INSERT, [list(column) for column in zip(*rows, strict=True)])
    sealed = [(number, one.version, one.sealed) for number, one in new if one.sealed is not None]
    if sealed:
        connection.execute(SEAL, [list(column) for column in zip(*sealed, strict=True)])


def _event(row: Row) -> StoredEvent:
    version, event_id, kind, actor, at, data, hashed, sealed = row
    return StoredEvent(version, event_id, kind, actor, at, data.encode(), hashed, sealed)
