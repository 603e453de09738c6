"""Delete streams. A carrier is a stream that was cut down to what its forks share."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from replay.store import validation
from replay.store.sql.dialect import Connection
from replay.store.sql.purging import BESIDE

CUT: Final = (
    "DELETE FROM sealed WHERE event IN (SELECT pos FROM events WHERE stream = ? AND version > ?)",
    "DELETE FROM events WHERE stream = ? AND version > ?",
)
CARRIER: Final = """
    UPDATE streams SET public_id = ?, trashed = true,
        head = coalesce((SELECT max(version) FROM events WHERE stream = streams.id),
            fork_version, 0),
        head_hash = coalesce((SELECT hash FROM events WHERE stream = streams.id
            ORDER BY version DESC LIMIT 1), origin)
    WHERE id = ?
"""


def delete(connection: Connection, number: int) -> None:
    """Delete everything of a stream."""
    _cut(connection, number, 0)
    for table in ("segments", "facts"):
        connection.execute(f"DELETE FROM {table} WHERE stream = ?", (number,))
    connection.execute("DELETE FROM streams WHERE id = ?", (number,))
    connection.execute("DELETE FROM purging WHERE stream = ?", (number,))


def carry(connection: Connection, number: int, until: int, facts: Collection[str] | None) -> None:
    """Make a carrier of a stream, with its events up to a version."""
    _cut(connection, number, until)
    if facts is not None:
        connection.execute(
            "DELETE FROM facts WHERE stream = ? AND name <> ALL(?)", (number, list(facts))
        )
    connection.execute(CARRIER, (validation.carrier_id(number), number))
    connection.execute("DELETE FROM purging WHERE stream = ?", (number,))


def _cut(connection: Connection, number: int, until: int) -> None:
    """Delete the events after a version, and the match's metadata, tokens and hooks."""
    connection.execute("INSERT INTO purging VALUES (?)", (number,))  # the guards look there
    for statement in CUT:
        connection.execute(statement, (number, until))
    for table in BESIDE:
        connection.execute(f"DELETE FROM {table} WHERE stream = ?", (number,))
