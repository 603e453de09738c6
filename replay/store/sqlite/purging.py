"""Delete matches for good, and leave carriers of the events that their forks share.

A carrier has the header and the shared events, and a public id that no match has. The guards stop
anybody from shortening a log, so a carrier is deleted and inserted again.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final, NamedTuple

from replay.store import purging, validation
from replay.store.protocol import Stream
from replay.store.sqlite import hooks, position_index, queries, search_index, summaries
from replay.store.sqlite.sqlite_library import Connection

PURGE: Final = (
    "INSERT INTO purging VALUES (?)",
    "DELETE FROM sealed WHERE event IN (SELECT pos FROM events WHERE stream = ?)",
    "DELETE FROM events WHERE stream = ?",
    "DELETE FROM segments WHERE stream = ?",
    "DELETE FROM facts WHERE stream = ?",
    "DELETE FROM held WHERE stream = ?",
    *hooks.FORGET,
    *search_index.FORGET,
    *position_index.FORGET,
    *summaries.FORGET,
    "DELETE FROM keys WHERE stream = ?",
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
    "SELECT pos, stream, version, event_id, type, actor, at, data, hash FROM events "
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
    "SELECT stream, name, value FROM facts WHERE stream = :stream ORDER BY pos",
    "INSERT INTO facts (stream, name, value) VALUES (?, CAST(? AS TEXT), CAST(? AS TEXT))",
)
CARRIER: Final = (
    "INSERT INTO streams (id, public_id, kind, header, parent_id, fork_version, fork_ply, "
    "origin, head, head_hash, trashed) VALUES (?, ?, 'match', CAST(? AS TEXT), ?, ?, ?, ?, ?, ?, 1)"
)


class Transaction(NamedTuple):
    """The transaction of a connection, as `replay.store.purging` needs it."""

    connection: Connection

    def stream(self, number: int) -> Stream:
        return queries.stream(self.connection, number)

    def notes(self, subject: int) -> Stream | None:
        return queries.notes(self.connection, subject)

    def forks(self, number: int) -> list[Stream]:
        return queries.forks(self.connection, number)

    def delete(self, number: int) -> None:
        delete(self.connection, number)

    def carry(self, stream: Stream, until: int, facts: Collection[str] | None) -> None:
        _carry(self.connection, stream, until, facts)


def purge(
    connection: Connection,
    number: int,
    taking: Collection[int],
    leaving: Collection[int],
    facts: Collection[str],
) -> bool:
    """Delete a match, its notes and the forks `taking`; `leaving` are those that stay.

    Return that something was erased.
    """
    purging.purge(Transaction(connection), number, taking, leaving, facts)
    return True


def delete(connection: Connection, number: int) -> None:
    """Delete everything of a stream."""
    for statement in PURGE:  # the delete triggers consult the table that it begins with
        connection.execute(statement, (number,))


def _carry(
    connection: Connection, stream: Stream, until: int, facts: Collection[str] | None
) -> None:
    """Replace a stream by a carrier with its events up to a version."""
    bounds = {"stream": stream.id, "until": until}
    kept = [
        (copy.insert, connection.execute(copy.select, bounds).fetchall())
        for copy in (EVENTS, SEALED, SEGMENTS)
    ]
    there = connection.execute(FACTS.select, bounds).fetchall()
    names = None if facts is None else {name.encode() for name in facts}
    kept.append((FACTS.insert, [row for row in there if names is None or row[1] in names]))
    connection.execute("PRAGMA defer_foreign_keys = ON")  # forks name a parent that is away
    delete(connection, stream.id)
    connection.execute(CARRIER, _row(stream))
    for insert, rows in kept:
        connection.executemany(insert, rows)
    connection.execute("PRAGMA defer_foreign_keys = OFF")


def _row(stream: Stream) -> tuple[Any, ...]:
    return (
        stream.id,
        validation.carrier_id(stream.id),
        stream.header,
        stream.parent,
        stream.fork_version,
        stream.fork_ply,
        stream.origin,
        stream.fork_version or 0,
        stream.origin,
    )
