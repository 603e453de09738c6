"""Tokens: the digests of capabilities, with what their bearers may do, and of operators."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from concurrent.futures import Future
from types import MappingProxyType
from typing import Final

from replay.errors import Usage
from replay.store import validation
from replay.store.protocol import Capability, Stream
from replay.store.sql import queries
from replay.store.sql.dialect import Connection
from replay.store.sql.part import SqlPart

PUT: Final = (
    "INSERT INTO keys VALUES (?, ?, ?, ?) ON CONFLICT (stream, digest) "
    "DO UPDATE SET role = excluded.role, seat = excluded.seat"
)
PUT_OPERATOR: Final = (
    "INSERT INTO operators VALUES (?, ?) "
    "ON CONFLICT (digest) DO UPDATE SET created = excluded.created"
)
OPENED: Final = (
    # SQLite keeps the order of a CROSS JOIN: a digest may open many other matches.
    f"SELECT k.digest, {queries.COLUMNS} FROM streams CROSS JOIN keys AS k "
    f"WHERE {queries.MATCH} AND streams.public_id IN ({{}}) "
    "AND k.stream = streams.id AND k.digest IN ({}) ORDER BY streams.id, k.digest"
)


class SqlTokens(SqlPart):
    """The part `Tokens` of the protocol."""

    def add_key(
        self,
        stream: int,
        digest: bytes,
        role: str,
        seat: int | None,
        held: Mapping[str, bytes] = MappingProxyType({}),
    ) -> Future[None]:
        return self._submit(add, stream, (digest, role, seat), held)

    def key(self, stream: int, digest: bytes) -> tuple[str, int | None] | None:
        return self._query(capability, stream, digest)

    def keys(self, stream: int) -> list[Capability]:
        return self._query(capabilities, stream)

    def matches_for_tokens(
        self, matches: Collection[str], digests: Collection[bytes]
    ) -> list[tuple[bytes, Stream]]:
        return self._query(opened_among, matches, digests) if matches and digests else []

    def drop_key(self, stream: int, digest: bytes) -> Future[None]:
        return self._submit(drop, stream, digest)

    def add_operator(self, digest: bytes, created: int) -> Future[None]:
        return self._submit_within_epoch(add_operator, digest, created)

    def is_operator(self, digest: bytes) -> bool:
        return self._query(is_operator, digest)

    def operators(self) -> list[tuple[bytes, int]]:
        return self._query(operators)

    def drop_operator(self, digest: bytes) -> Future[None]:
        return self._submit_within_epoch(drop_operator, digest)


def capability(connection: Connection, number: int, digest: bytes) -> tuple[str, int | None] | None:
    """Return role and seat of a capability, if it is one."""
    query = "SELECT role, seat FROM keys WHERE stream = ? AND digest = ?"
    row = connection.execute(query, (number, digest)).fetchone()
    return None if row is None else (row[0], row[1])


def capabilities(connection: Connection, number: int) -> list[Capability]:
    """Return the capabilities of a stream, by digest. Raises `UnknownMatch`."""
    query = "SELECT digest, role, seat FROM keys WHERE stream = ? ORDER BY digest"
    rows = connection.execute(query, (number,)).fetchall()
    return rows or list(queries.require_stream(connection, number))


def opened_among(
    connection: Connection, matches: Collection[str], digests: Collection[bytes]
) -> list[tuple[bytes, Stream]]:
    """Return each of these capabilities of these matches and its match, the oldest match first."""
    query = OPENED.format(queries.placeholders(matches), queries.placeholders(digests))
    rows = connection.execute(query, (*matches, *digests))
    return [(row[0], queries.as_stream(row[1:])) for row in rows.fetchall()]


def add(connection: Connection, number: int, new: Capability, held: Mapping[str, bytes]) -> None:
    """Add a capability, or change what it allows; add the private values that come with it."""
    queries.writable(connection, number)
    validation.check_held(held)
    for name in held:
        if queries.private_value(connection, number, name) is not None:
            raise Usage(f"there is a private value {name!r} already")
    put(connection, number, new)
    hold(connection, number, held)


def hold(connection: Connection, number: int, held: Mapping[str, bytes]) -> None:
    """Add private values to a stream that exists."""
    for name, value in held.items():
        connection.execute("INSERT INTO held VALUES (?, ?, ?)", (number, name, value))


def put(connection: Connection, number: int, new: Capability) -> None:
    """Add a capability to a stream that exists."""
    connection.execute(PUT, (number, *new))


def drop(connection: Connection, number: int, digest: bytes) -> None:
    """Delete a capability, if it exists."""
    queries.stream(connection, number)
    connection.execute("DELETE FROM keys WHERE stream = ? AND digest = ?", (number, digest))


def add_operator(connection: Connection, digest: bytes, created: int) -> None:
    """Add an operator, or change the time of one."""
    connection.execute(PUT_OPERATOR, (digest, created))


def is_operator(connection: Connection, digest: bytes) -> bool:
    """Return whether this is an operator's digest."""
    query = "SELECT 1 FROM operators WHERE digest = ?"
    return connection.execute(query, (digest,)).fetchone() is not None


def operators(connection: Connection) -> list[tuple[bytes, int]]:
    """Return the operators' digests with their times, oldest first."""
    query = "SELECT digest, created FROM operators ORDER BY created, digest"
    return connection.execute(query).fetchall()


def drop_operator(connection: Connection, digest: bytes) -> None:
    """Delete an operator, if it exists."""
    connection.execute("DELETE FROM operators WHERE digest = ?", (digest,))
