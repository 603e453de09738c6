"""The trash, and deleting matches for good.

A deleted match leaves a carrier of the events that its forks share: it has the header and these
events, and a public id that no match has.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from replay.store import validation
from replay.store.sql import queries
from replay.store.sql.dialect import Connection
from replay.store.sql.part import SqlPart, erases, writes
from replay.store.types import Stream

MATCH_TABLES: Final = (
    "people_texts",
    "people",
    "people_heads",
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
    "positions_due",
    "texts_due",
)
"""The tables of which a carrier keeps no row.

Erase the tables of due data last, because triggers fill them.
"""


class Purging(SqlPart):
    """Put matches into the trash, and delete them for good."""

    @writes
    def trash(self, connection: Connection, stream: int, trashed: bool = True) -> None:
        """Put a match into the trash, or take it out. Repeating it changes nothing."""
        queries.writable(connection, stream)
        connection.execute("UPDATE streams SET trashed = ? WHERE id = ?", (trashed, stream))

    @erases
    def purge(
        self,
        connection: Connection,
        stream: int,
        taking: Collection[int] = (),
        leaving: Collection[int] = (),
        metadata: Collection[str] = (),
    ) -> bool:
        """Delete a match with its notes for good, and the forks `taking` that descend from it.

        Its metadata, capabilities, private values, hooks and index entries are deleted with it. The
        deleted data must soon be unreadable in the files of the database too.

        For the forks `leaving` a carrier takes the place of the stream they fork from. It keeps the
        number, the header, the shared events and the items of `metadata`; its public id is `~` and
        its number. A carrier shrinks when a fork is purged, and disappears with the last one.
        Raises `Usage`, and deletes nothing, if any other fork needs the log.
        """
        queries.writable(connection, stream)
        # A fork is younger than its parent, so it goes first.
        for number in sorted({stream, *taking}, reverse=True):
            one = queries.stream(connection, number)
            forks = queries.forks(connection, number)
            needing = (fork for fork in forks if not (fork.is_carrier or fork.id in leaving))
            if fork := next(needing, None):
                raise validation.fork_needs_log_error(one, fork.public_id)
            _reduce(connection, one, forks, metadata)
            _relieve(connection, one.parent)
        return True


def _reduce(
    connection: Connection,
    stream: Stream,
    forks: Sequence[Stream],
    metadata: Collection[str] | None,
) -> None:
    """Delete a stream, or replace it by a carrier if it has forks."""
    if notes := queries.notes(connection, stream.id):
        connection.delete_stream(notes.id)
    if forks:
        connection.carry(stream, max(fork.fork_version or 0 for fork in forks), metadata)
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
