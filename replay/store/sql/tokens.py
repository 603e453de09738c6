"""Tokens: the digests of capabilities, with the rights of their bearers, and of operators."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from types import MappingProxyType
from typing import Final

from replay.errors import Usage
from replay.store import validation
from replay.store.sql import people, queries
from replay.store.sql.dialect import Connection
from replay.store.sql.part import SqlPart, reads, writes, writes_within_epoch
from replay.store.types import Author, Capability, Stream

PUT: Final = (
    "INSERT INTO keys VALUES (?, ?, ?, ?) ON CONFLICT (stream, digest) "
    "DO UPDATE SET role = excluded.role, seat = excluded.seat"
)
RETIRE: Final = (
    "UPDATE keys SET role = 'viewer' WHERE stream = ? AND role = 'seat' AND seat = ? "
    "AND digest NOT IN (SELECT digest FROM accounts UNION SELECT digest FROM asking)"
)
PUT_OPERATOR: Final = (
    "INSERT INTO operators VALUES (?, ?) "
    "ON CONFLICT (digest) DO UPDATE SET created = excluded.created"
)
OPENED: Final = (
    # SQLite keeps the order of a CROSS JOIN. It looks up the few matches first, because a digest
    # may open many others.
    f"SELECT k.digest, {queries.COLUMNS} FROM streams CROSS JOIN keys AS k "
    f"WHERE {queries.MATCH} AND streams.public_id IN ({{}}) "
    "AND k.stream = streams.id AND k.digest IN ({}) ORDER BY streams.id, k.digest"
)

Holding = Callable[[Mapping[str, bytes]], Mapping[str, bytes]]
"""Returns the private values to add to a match, given its present ones."""


class Tokens(SqlPart):
    """Capabilities by stream and digest, and operators by digest. The store has no token itself.

    A match in the trash keeps its tokens.
    """

    @writes
    def add_key(
        self,
        connection: Connection,
        stream: int,
        digest: bytes,
        role: str,
        seat: int | None,
        held: Mapping[str, bytes] = MappingProxyType({}),
    ) -> None:
        """Add a capability: the SHA-256 of a token, and the rights of its bearer.

        A second one with the same digest replaces the first. Private values that are `held` with it
        are stored in the same transaction; raises `Usage` if the stream has one of them already.
        """
        queries.writable(connection, stream)
        validation.check_held(held)
        for name in held:
            if queries.private_value(connection, stream, name) is not None:
                raise Usage(f"there is a private value {name!r} already")
        put(connection, stream, (digest, role, seat))
        hold(connection, stream, held)

    @reads
    def key(
        self, connection: Connection, stream: int, digest: bytes
    ) -> tuple[str, int | None] | None:
        """Return the role and seat of a capability of this stream, or `None`.

        A stream that does not exist has no capabilities; that is not an error.
        """
        query = "SELECT role, seat FROM keys WHERE stream = ? AND digest = ?"
        row = connection.execute(query, (stream, digest)).fetchone()
        return None if row is None else (row[0], row[1])

    @reads
    def keys(self, connection: Connection, stream: int) -> list[Capability]:
        """Return the capabilities of a stream, by digest. Raises `UnknownMatch`."""
        return _keys(connection, stream) or list(queries.require_stream(connection, stream))

    def matches_for_tokens(
        self, matches: Collection[str], digests: Collection[bytes]
    ) -> list[tuple[bytes, Stream]]:
        """Return each capability of these matches that has one of these digests, with its match.

        The oldest match comes first. There may be some thousand ids and digests, and the cost does
        not depend on the other matches that a digest opens.
        """
        return self._opened_among(matches, digests) if matches and digests else []

    @reads
    def _opened_among(
        self, connection: Connection, matches: Collection[str], digests: Collection[bytes]
    ) -> list[tuple[bytes, Stream]]:
        query = OPENED.format(queries.placeholders(matches), queries.placeholders(digests))
        rows = connection.execute(query, (*matches, *digests))
        return [(row[0], queries.as_stream(row[1:])) for row in rows.fetchall()]

    @writes
    def drop_key(self, connection: Connection, stream: int, digest: bytes) -> None:
        """Delete a capability, if it exists. Raises `UnknownMatch`."""
        queries.stream(connection, stream)
        connection.execute("DELETE FROM keys WHERE stream = ? AND digest = ?", (stream, digest))

    @writes_within_epoch
    def hold(self, connection: Connection, stream: int, choose: Holding) -> None:
        """Add the private values that a function returns for those of a match."""
        queries.writable(connection, stream)
        hold(connection, stream, choose(queries.private_values(connection, stream)))

    @writes
    def replace_phone(
        self,
        connection: Connection,
        stream: int,
        new: Capability,
        choose: Holding,
        author: Author,
    ) -> None:
        """Add the capability of a seat; former ones, but those of accounts, only read from now on.

        It comes with the private values that a function returns for those of the match; the
        function may raise an error. No write comes in between. A repetition changes nothing.
        """
        found, (_, _, seat) = queries.writable(connection, stream), new
        if new in _keys(connection, stream):
            return
        hold(connection, stream, choose(queries.private_values(connection, stream)))
        connection.execute(RETIRE, (stream, seat))
        put(connection, stream, new)
        people.note_phone(connection, found, seat or 0, author)

    @writes_within_epoch
    def add_operator(self, connection: Connection, digest: bytes, created: int) -> None:
        """Add an operator: the SHA-256 of a token, and a time in milliseconds since 1970."""
        connection.execute(PUT_OPERATOR, (digest, created))

    @reads
    def is_operator(self, connection: Connection, digest: bytes) -> bool:
        """Return whether this is the digest of an operator's token."""
        query = "SELECT 1 FROM operators WHERE digest = ?"
        return connection.execute(query, (digest,)).fetchone() is not None

    @reads
    def operators(self, connection: Connection) -> list[tuple[bytes, int]]:
        """Return the operators' digests with their times, oldest first."""
        query = "SELECT digest, created FROM operators ORDER BY created, digest"
        return connection.execute(query).fetchall()

    @writes_within_epoch
    def drop_operator(self, connection: Connection, digest: bytes) -> None:
        """Delete an operator, if it exists."""
        connection.execute("DELETE FROM operators WHERE digest = ?", (digest,))


def _keys(connection: Connection, number: int) -> list[Capability]:
    query = "SELECT digest, role, seat FROM keys WHERE stream = ? ORDER BY digest"
    return connection.execute(query, (number,)).fetchall()


def hold(connection: Connection, number: int, held: Mapping[str, bytes]) -> None:
    """Add private values to a stream that exists."""
    for name, value in held.items():
        connection.execute("INSERT INTO held VALUES (?, ?, ?)", (number, name, value))


def put(connection: Connection, number: int, new: Capability) -> None:
    """Add a capability to a stream that exists."""
    connection.execute(PUT, (number, *new))
