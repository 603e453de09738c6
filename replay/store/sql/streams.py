"""Streams: look one up, list matches, trash and delete them."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from concurrent.futures import Future
from typing import Final

from replay.store import validation
from replay.store.protocol import Fact, Stream
from replay.store.sql import purging, queries
from replay.store.sql.dialect import Connection
from replay.store.sql.part import SqlPart

PAGE: Final = 100
ALL: Final = (
    f"{queries.STREAM} WHERE {queries.MATCH} AND trashed = ? AND id < ? ORDER BY id DESC LIMIT ?"
)
HAVING: Final = (
    f"{queries.STREAM} JOIN facts AS f ON f.stream = streams.id "
    "WHERE f.name = ? AND f.value = ? "
    f"AND f.stream < ? AND {queries.MATCH} AND trashed = ? ORDER BY f.stream DESC LIMIT ?"
)


class SqlStreams(SqlPart):
    """The part `Streams` of the protocol."""

    def find(self, public_id: str) -> Stream:
        public_id = validation.as_text(public_id)
        return validation.match_by_prefix(
            public_id, self._query(queries.streams_by_prefix, public_id)
        )

    def stream(self, stream: int) -> Stream:
        return self._query(queries.stream, stream)

    def notes(self, subject: int) -> Stream | None:
        return self._query(queries.notes, subject)

    def forks(self, stream: int) -> list[Stream]:
        return self._query(queries.forks, stream)

    def matches(
        self, *, trashed: bool = False, before: int | None = None, having: Fact | None = None
    ) -> Iterator[Stream]:
        last = validation.LAST if before is None else before
        while found := self._query(page, trashed, last, having):  # no read stays open in between
            yield from found
            last = found[-1].id

    def trash(self, stream: int, trashed: bool = True) -> Future[None]:
        return self._submit(set_trashed, stream, trashed)

    def purge(
        self,
        stream: int,
        taking: Collection[int] = (),
        leaving: Collection[int] = (),
        facts: Collection[str] = (),
    ) -> Future[None]:
        return self._submit_erasure(purging.purge, stream, taking, leaving, facts)


def page(connection: Connection, trashed: bool, before: int, having: Fact | None) -> list[Stream]:
    """Return the newest matches with a number below `before`, or those that have a fact."""
    if having is None:
        rows = connection.execute(ALL, (trashed, before, PAGE))
    else:
        rows = connection.execute(HAVING, (having.name, having.value, before, trashed, PAGE))
    return [queries.as_stream(row) for row in rows.fetchall()]


def set_trashed(connection: Connection, number: int, trashed: bool) -> None:
    """Put a match into the trash, or take it out."""
    queries.writable(connection, number)
    connection.execute("UPDATE streams SET trashed = ? WHERE id = ?", (trashed, number))
