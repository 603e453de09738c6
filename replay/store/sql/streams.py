"""Streams by number, id and kinship, and their mutable metadata: player names, tags."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from typing import Final

from replay.store import validation
from replay.store.sql import people, queries, search_index
from replay.store.sql.dialect import Connection
from replay.store.sql.part import SqlPart, erases, reads, reads_snapshot
from replay.store.types import NOBODY, Author, Family, MetadataItem, Stream

PAGE_SIZE: Final = 100
ALL: Final = (
    f"{queries.STREAM} WHERE {queries.MATCH} AND trashed = ? AND id < ? ORDER BY id DESC LIMIT ?"
)
COUNT: Final = f"SELECT count(*) FROM streams WHERE {queries.MATCH}"
FAMILY: Final = """
    WITH RECURSIVE family(id) AS (
        SELECT id FROM streams WHERE id = ?
        UNION ALL SELECT s.id FROM family JOIN streams AS s ON s.parent_id = family.id
    )
"""
MEMBERS: Final = (
    f"{FAMILY} SELECT {queries.COLUMNS} FROM family JOIN streams ON streams.id = family.id "
    "ORDER BY streams.id"
)
NOTES: Final = (
    f"{FAMILY} SELECT {queries.COLUMNS} FROM family JOIN streams ON streams.subject = family.id"
)
FACTS: Final = (
    f"{FAMILY} SELECT f.stream, f.name, f.value FROM family "
    "JOIN facts AS f ON f.stream = family.id ORDER BY f.stream, f.pos"
)
HAVING: Final = (
    f"{queries.STREAM} JOIN facts AS f ON f.stream = streams.id "
    "WHERE f.name = ? AND f.value = ? "
    f"AND f.stream < ? AND {queries.MATCH} AND trashed = ? ORDER BY f.stream DESC LIMIT ?"
)


class Streams(SqlPart):
    """Streams by number, id and kinship, with their metadata.

    Everything in a `Stream` but `head`, `head_hash` and `trashed` never changes, until a purge
    turns a match into a carrier or removes it. Another thread or process may append, trash or purge
    between two calls, so a `Stream` describes a moment.
    """

    @reads
    def find(self, connection: Connection, public_id: str) -> Stream:
        """Return the match whose public id is, or begins with, a text (at least 4 characters).

        A match in the trash is found, a carrier is not. An exact id wins over a longer id that
        begins with it. Case counts. Raises `UnknownMatch`, or `AmbiguousMatch` if several ids begin
        with the text.
        """
        public_id = validation.as_text(public_id)
        found = queries.streams_by_prefix(connection, public_id)
        return validation.match_by_prefix(public_id, found)

    @reads
    def stream(self, connection: Connection, stream: int) -> Stream:
        """Return a stream of any kind, even a carrier, by its number. Raises `UnknownMatch`."""
        return queries.stream(connection, stream)

    @reads
    def notes(self, connection: Connection, subject: int) -> Stream | None:
        """Return the stream of annotations of a match, or `None` without annotations."""
        return queries.notes(connection, subject)

    @reads
    def forks(self, connection: Connection, stream: int) -> list[Stream]:
        """Return the direct forks of a stream, oldest first, even forks in the trash.

        Raises `UnknownMatch`.
        """
        return queries.forks(connection, stream)

    @reads_snapshot
    def family(self, connection: Connection, stream: int) -> Family:
        """Return a stream and its descendants, with their metadata and notes.

        It takes as many statements for one match as for hundreds. Raises `UnknownMatch`.
        """
        rows = connection.execute(MEMBERS, (stream,)).fetchall()
        streams = map(queries.as_stream, rows or queries.require_stream(connection, stream))
        by_number = {each.id: each for each in streams}
        metadata: dict[int, dict[str, str]] = {number: {} for number in by_number}
        for number, name, value in connection.execute(FACTS, (stream,)).fetchall():
            metadata[number][name] = value
        notes = map(queries.as_stream, connection.execute(NOTES, (stream,)).fetchall())
        return Family(by_number, metadata, {each.subject: each for each in notes if each.subject})

    def matches(
        self,
        *,
        trashed: bool = False,
        before: int | None = None,
        having: MetadataItem | None = None,
    ) -> Iterator[Stream]:
        """Return all matches, newest first: either in the trash, or not.

        `before` leaves out the stream of that number and all newer streams, `having` all matches
        without the item. Carriers are left out. They are read page by page, so that a few cost
        little however many there are; each page may see a later moment, but no match comes twice,
        and no match that fits throughout is left out.
        """
        last = validation.MAX_VERSION if before is None else before
        while found := self._page(trashed, last, having):  # no read stays open in between
            yield from found
            last = found[-1].id

    @reads
    def count_matches(self, connection: Connection) -> int:
        """Count all matches, with the trash."""
        found: int = connection.execute(COUNT).fetchone()[0]
        return found

    @reads
    def _page(
        self, connection: Connection, trashed: bool, before: int, having: MetadataItem | None
    ) -> list[Stream]:
        if having is None:
            rows = connection.execute(ALL, (trashed, before, PAGE_SIZE))
        else:
            values = (having.name, having.value, before, trashed, PAGE_SIZE)
            rows = connection.execute(HAVING, values)
        return [queries.as_stream(row) for row in rows.fetchall()]

    @reads
    def metadata(self, connection: Connection, stream: int) -> dict[str, str]:
        """Return the metadata of a stream in the order in which they were first set.

        They are texts by name, outside the hash chain.
        """
        return queries.metadata(connection, stream)

    @reads
    def valued(self, connection: Connection, name: str) -> dict[int, str]:
        """Return the value of an item in each stream that has it; the cost grows with these."""
        query = "SELECT stream, value FROM facts WHERE name = ? ORDER BY stream"
        return dict(connection.execute(query, (name,)).fetchall())

    def set_metadata(self, stream: int, metadata: Mapping[str, str | None]) -> Future[None]:
        """Set items of metadata, or erase items whose value is `None`; the last write wins."""
        return self.change_metadata(stream, lambda _: metadata)

    @erases
    def change_metadata(
        self,
        connection: Connection,
        stream: int,
        change: Callable[[Mapping[str, str]], Mapping[str, str | None]],
        at: int | None = None,
        author: Author = NOBODY,
    ) -> bool:
        """Set or erase the items that a function returns for the current items; other items stay.

        No write comes in between. A changed item keeps its place in the order; an erased item comes
        last when it is set again. An old value must soon be unreadable in the files of the
        database. The match is outdated for search afterwards, and its texts are no longer found.
        The `author` is noted with each name of a player.

        Raises `Stale` unless the log is `at` this version, if one is given.
        """
        found = queries.writable(connection, stream)
        if at is not None:
            validation.check_head(found, at)
        before = queries.metadata(connection, stream)
        metadata = change(before)
        validation.check_metadata(metadata)
        for name, value in metadata.items():
            if value is None:
                connection.execute(
                    "DELETE FROM facts WHERE stream = ? AND name = ?", (stream, name)
                )
        kept = {name: value for name, value in metadata.items() if value is not None}
        connection.put_metadata(stream, kept)
        after = {name: text for name, text in {**before, **metadata}.items() if text is not None}
        people.note(connection, found, before, after, author)
        search_index.forget(connection, stream)
        return any(name in before and before[name] != metadata[name] for name in metadata)
