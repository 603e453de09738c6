"""Delete matches for good. A carrier is a stream that was cut down to what its forks share."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final, NamedTuple

from replay.store import purging, validation
from replay.store.postgres import queries
from replay.store.postgres.library import Connection
from replay.store.protocol import Stream

BESIDE: Final = (
    "held",
    "hooks",
    "keys",
    "texts",
    "searchable",
    "steps",
    "written",
    "indexed",
    "summaries",
    "summaries_due",
)
"""Tables of which nothing is left of a match."""
CUT: Final = (
    "DELETE FROM sealed WHERE event IN (SELECT pos FROM events WHERE stream = %s AND version > %s)",
    "DELETE FROM events WHERE stream = %s AND version > %s",
)
CARRIER: Final = """
    UPDATE streams SET public_id = %s, trashed = true,
        head = coalesce((SELECT max(version) FROM events WHERE stream = streams.id),
            fork_version, 0),
        head_hash = coalesce((SELECT hash FROM events WHERE stream = streams.id
            ORDER BY version DESC LIMIT 1), origin)
    WHERE id = %s
"""


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
        _carry(self.connection, stream.id, until, facts)


def purge(
    connection: Connection,
    number: int,
    taking: Collection[int],
    leaving: Collection[int],
    facts: Collection[str],
) -> None:
    """Delete a match, its notes and the forks `taking`; `leaving` are those that stay."""
    purging.purge(Transaction(connection), number, taking, leaving, facts)


def delete(connection: Connection, number: int) -> None:
    """Delete everything of a stream."""
    _cut(connection, number, 0)
    for table in ("segments", "facts"):
        connection.execute(f"DELETE FROM {table} WHERE stream = %s", (number,))
    connection.execute("DELETE FROM streams WHERE id = %s", (number,))
    connection.execute("DELETE FROM purging WHERE stream = %s", (number,))


def _carry(connection: Connection, number: int, until: int, facts: Collection[str] | None) -> None:
    """Make a carrier of a stream, with its events up to a version."""
    _cut(connection, number, until)
    if facts is not None:
        connection.execute(
            "DELETE FROM facts WHERE stream = %s AND name <> ALL(%s)", (number, list(facts))
        )
    connection.execute(CARRIER, (validation.carrier_id(number), number))
    connection.execute("DELETE FROM purging WHERE stream = %s", (number,))


def _cut(connection: Connection, number: int, until: int) -> None:
    """Delete the events beyond a version, and what stands beside a match."""
    connection.execute("INSERT INTO purging VALUES (%s)", (number,))  # the guards look there
    for statement in CUT:
        connection.execute(statement, (number, until))
    for table in BESIDE:
        connection.execute(f"DELETE FROM {table} WHERE stream = %s", (number,))
