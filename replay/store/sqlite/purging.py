"""Delete streams. The guards let nobody shorten a log: a carrier is deleted and inserted again."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final, NamedTuple

from replay.store import validation
from replay.store.protocol import Stream
from replay.store.sql.purging import BESIDE
from replay.store.sqlite.sqlite_library import Connection

PURGE: Final = (
    "INSERT INTO purging VALUES (?)",  # the delete triggers consult it
    "DELETE FROM sealed WHERE event IN (SELECT pos FROM events WHERE stream = ?)",
    "DELETE FROM events WHERE stream = ?",
    *(f"DELETE FROM {table} WHERE stream = ?" for table in ("segments", "facts", *BESIDE)),
    "DELETE FROM streams WHERE id = ?",
    "DELETE FROM purging WHERE stream = ?",
)


class _Copy(NamedTuple):
    """A table of which a carrier keeps rows: which of them, and how they are written again.

    Texts are read as bytes, so that damaged ones stay what they are.
    """

    select: str
    insert: str


EVENTS: Final = _Copy(
    "SELECT pos, stream, version, event_id, CAST(type AS BLOB), CAST(actor AS BLOB), at, "
    "CAST(data AS BLOB), hash FROM events "
    "WHERE stream = :stream AND version <= :until ORDER BY version",
    "INSERT INTO events VALUES (?, ?, ?, ?, CAST(? AS TEXT), CAST(? AS TEXT), ?, "
    "CAST(? AS TEXT), ?)",
)
SEALED: Final = _Copy(
    "SELECT event, payload FROM sealed JOIN events ON pos = event "
    "WHERE stream = :stream AND version <= :until",
    "INSERT INTO sealed VALUES (?, ?)",
)
SEGMENTS: Final = _Copy(
    "SELECT stream, lo, hi, src FROM segments WHERE stream = :stream",
    "INSERT INTO segments VALUES (?, ?, ?, ?)",
)
FACTS: Final = _Copy(
    "SELECT stream, CAST(name AS BLOB), CAST(value AS BLOB) FROM facts "
    "WHERE stream = :stream ORDER BY pos",
    "INSERT INTO facts (stream, name, value) VALUES (?, CAST(? AS TEXT), CAST(? AS TEXT))",
)
CARRIER: Final = _Copy(
    "SELECT id, :carrier, CAST(header AS BLOB), parent_id, fork_version, fork_ply, origin, "
    "ifnull(fork_version, 0), origin FROM streams WHERE id = :stream",
    "INSERT INTO streams (id, public_id, kind, header, parent_id, fork_version, fork_ply, "
    "origin, head, head_hash, trashed) "
    "VALUES (?, ?, 'match', CAST(? AS TEXT), ?, ?, ?, ?, ?, ?, 1)",
)


def delete(connection: Connection, number: int) -> None:
    """Delete everything of a stream."""
    for statement in PURGE:
        connection.execute(statement, (number,))


def carry(
    connection: Connection, stream: Stream, until: int, facts: Collection[str] | None
) -> None:
    """Replace a stream by a carrier with its events up to a version."""
    bounds = {"stream": stream.id, "until": until, "carrier": validation.carrier_id(stream.id)}
    kept = [
        (copy.insert, connection.execute(copy.select, bounds).fetchall())
        for copy in (CARRIER, EVENTS, SEALED, SEGMENTS)
    ]
    there = connection.execute(FACTS.select, bounds).fetchall()
    names = None if facts is None else {name.encode() for name in facts}
    kept.append((FACTS.insert, [row for row in there if names is None or row[1] in names]))
    connection.execute("PRAGMA defer_foreign_keys = ON")  # forks name a parent that is away
    delete(connection, stream.id)
    for insert, rows in kept:
        connection.executemany(insert, rows)
    connection.execute("PRAGMA defer_foreign_keys = OFF")
