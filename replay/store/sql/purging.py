"""Delete matches for good, and leave carriers of the events that their forks share.

A carrier has the header and the shared events, and a public id that no match has.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from replay.store import validation
from replay.store.protocol import Stream
from replay.store.sql import queries
from replay.store.sql.dialect import Connection

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
    queries.writable(connection, number)
    # A fork is younger than what it leaves, so it goes first.
    for one in sorted({number, *taking}, reverse=True):
        stream = queries.stream(connection, one)
        forks = queries.forks(connection, one)
        needing = (fork for fork in forks if not (fork.is_carrier or fork.id in leaving))
        if fork := next(needing, None):
            raise validation.fork_needs_log_error(stream, fork.public_id)
        _reduce(connection, stream, forks, facts)
        _relieve(connection, stream.parent)
    return True


def _reduce(
    connection: Connection, stream: Stream, forks: Sequence[Stream], facts: Collection[str] | None
) -> None:
    """Delete a stream, or replace it by a carrier if it has forks."""
    if notes := queries.notes(connection, stream.id):
        connection.delete_stream(notes.id)
    if forks:
        connection.carry(stream, max(fork.fork_version or 0 for fork in forks), facts)
    else:
        connection.delete_stream(stream.id)


def _relieve(connection: Connection, number: int | None) -> None:
    """Delete or shorten the carriers that a deleted fork needed."""
    while number is not None:
        stream = queries.stream(connection, number)
        if not stream.is_carrier:
            return
        forks = queries.forks(connection, number)
        _reduce(connection, stream, forks, None)
        number = None if forks else stream.parent
