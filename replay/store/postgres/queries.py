"""Queries that several parts use, and rows as the structs of the protocol."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any, Final

import psycopg

from replay.store import validation
from replay.store.postgres.library import Connection
from replay.store.protocol import CARRIER, NewEvent, StoredEvent, Stream

Row = tuple[Any, ...]
Cursor = psycopg.Cursor[Row]

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
MATCH: Final = f"streams.kind = 'match' AND NOT starts_with(streams.public_id, '{CARRIER}')"
"""A condition: the stream is a match, and no carrier."""
EVENT: Final = (
    "SELECT e.version, e.event_id, e.type, e.actor, e.at, e.data, e.hash, x.payload "
    "FROM segments AS s JOIN events AS e ON e.stream = s.src "
)
SEALED: Final = "LEFT JOIN sealed AS x ON x.event = e.pos WHERE s.stream = %s "
SLICE: Final = (
    f"{EVENT} AND e.version BETWEEN greatest(s.lo, %s) AND least(s.hi, %s) {SEALED} "
    "ORDER BY e.version"
)
BY_ID: Final = (
    f"{EVENT} AND e.event_id = ANY(%s) {SEALED} AND e.version BETWEEN s.lo AND s.hi "
    "ORDER BY e.version"
)
KNOWN: Final = """
    SELECT a.stream, a.id FROM unnest(%s::bigint[], %s::bytea[]) AS a(stream, id)
    JOIN segments AS s ON s.stream = a.stream
    JOIN events AS e ON e.stream = s.src AND e.event_id = a.id
    WHERE e.version BETWEEN s.lo AND s.hi
"""


def stream(connection: Connection, number: int) -> Stream:
    """Return a stream by its number. Raises `UnknownMatch`."""
    row = connection.execute(f"{STREAM} WHERE id = %s", (number,)).fetchone()
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
    if validation.NUL in public_id:
        return []
    rows = connection.execute(
        f"{STREAM} WHERE {MATCH} AND public_id BETWEEN %s AND %s ORDER BY public_id LIMIT %s",
        (public_id, public_id + chr(0x10FFFF), validation.NAMED + 1),
    )
    return [as_stream(row) for row in rows.fetchall()]


def notes(connection: Connection, subject: int) -> Stream | None:
    """Return the notes about a match, if there are any."""
    row = connection.execute(f"{STREAM} WHERE subject = %s", (subject,)).fetchone()
    return None if row is None else as_stream(row)


def forks(connection: Connection, parent: int) -> list[Stream]:
    """Return the forks of a stream, oldest first. Raises `UnknownMatch`."""
    rows = connection.execute(f"{STREAM} WHERE parent_id = %s ORDER BY id", (parent,)).fetchall()
    return [as_stream(row) for row in rows] or list(nothing_of(connection, parent))


def events(connection: Connection, number: int, after: int, until: int) -> list[StoredEvent]:
    """Return the events of a stream, shared ones included, with after < version <= until."""
    bounds = (_bounded(after) + 1, _bounded(until), number)
    found = [as_event(row) for row in connection.execute(SLICE, bounds).fetchall()]
    return found or list(nothing_of(connection, number))


def present(connection: Connection, number: int, new: Sequence[NewEvent]) -> list[StoredEvent]:
    """Return the events of a stream that have the ids of new ones, in their order."""
    rows = connection.execute(BY_ID, ([event.id for event in new], number)).fetchall()
    return [as_event(row) for row in rows]


def send_streams(connection: Connection, numbers: Collection[int]) -> Cursor:
    """Ask for streams by their numbers; those that do not exist are left out."""
    inside = [number for number in numbers if 0 < number <= validation.LAST]
    return connection.execute(f"{STREAM} WHERE id = ANY(%s)", (inside,))


def send_known(connection: Connection, asked: Collection[tuple[int, bytes]]) -> Cursor:
    """Ask which of these event ids, each with a stream, are in those streams."""
    inside = [(number, event) for number, event in asked if 0 < number <= validation.LAST]
    numbers, ids = [number for number, _ in inside], [event for _, event in inside]
    return connection.execute(KNOWN, (numbers, ids))


def facts(connection: Connection, number: int) -> dict[str, str]:
    """Return the facts of a stream in their order. Raises `UnknownMatch`."""
    query = "SELECT name, value FROM facts WHERE stream = %s ORDER BY pos"
    rows = connection.execute(query, (number,)).fetchall()
    return dict(rows or nothing_of(connection, number))


def private_value(connection: Connection, number: int, name: str) -> bytes | None:
    """Return a private value of a stream, if it has it. Raises `UnknownMatch`."""
    return private_values(connection, number).get(name)


def private_values(connection: Connection, number: int) -> dict[str, bytes]:
    """Return the private values of a stream by name. Raises `UnknownMatch`."""
    query = "SELECT name, value FROM held WHERE stream = %s ORDER BY name"
    rows = connection.execute(query, (number,)).fetchall()
    return dict(rows or nothing_of(connection, number))


def nothing_of(connection: Connection, number: int) -> Iterator[Any]:
    """Yield nothing. Raises `UnknownMatch` if there is no such stream."""
    stream(connection, number)
    yield from ()


def _bounded(version: int) -> int:
    return min(max(version, 0), validation.LAST - 1)


def as_stream(row: Row) -> Stream:
    """Return a row of `STREAM` as the struct."""
    number, public_id, kind, header, subject, parent, version, ply, origin, head, last, trash = row
    return Stream(
        id=number,
        public_id=public_id,
        kind=kind,
        header=header.encode(),
        subject=subject,
        parent=parent,
        fork_version=version,
        fork_ply=ply,
        origin=origin,
        head=head,
        head_hash=last,
        trashed=trash,
    )


def as_event(row: Row) -> StoredEvent:
    """Return a row of an event as the struct."""
    version, event_id, kind, actor, at, data, hashed, sealed = row
    return StoredEvent(version, event_id, kind, actor, at, data.encode(), hashed, sealed)
