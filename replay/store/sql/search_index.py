"""Full-text search over texts derived from notes and metadata; never part of an append.

`searchable` has the number of notes that the texts of a match were made from. A match without a
row, or with more notes than its row says, is outdated; triggers put it into `texts_due`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from replay.store import validation
from replay.store.search_words import is_unspaced, words
from replay.store.sql import queries
from replay.store.sql.dialect import Connection
from replay.store.sql.part import SqlPart, reads, reads_snapshot, writes, writes_within_epoch
from replay.store.types import Hit, IndexedTexts, Stream, Text

SEARCH: Final = (
    f"SELECT {queries.COLUMNS}, t.kind, t.name, t.text "
    "FROM {source} JOIN streams ON streams.id = t.stream WHERE {conditions} "
    "AND NOT trashed AND t.stream < ? ORDER BY t.stream DESC, t.id LIMIT ?"
)


class Texts(SqlPart):
    """Full-text search. The texts are derived data: an indexer stores them after the events.

    `replay.store.search_words` splits and folds texts and queries, the same in every database.
    """

    @reads
    def texts_due(self, connection: Connection, limit: int | None = None) -> list[Stream]:
        """Return the matches whose texts are missing or outdated, oldest first.

        The cost does not depend on the other matches. Texts are outdated when the match has more
        notes than they were made from. Setting metadata, and erasing notes, deletes them.
        """
        return queries.due(connection, "texts_due", limit)

    @writes_within_epoch
    def index(
        self,
        connection: Connection,
        stream: int,
        texts: Sequence[Text],
        notes: int,
        metadata: Mapping[str, str],
    ) -> None:
        """Replace the texts of a match, made from its first `notes` notes and its metadata.

        If the metadata differ by now nothing happens, and the match stays outdated.
        """
        replace(connection, stream, IndexedTexts(notes, texts, metadata))

    @reads
    def search(
        self, connection: Connection, query: str, limit: int, before: int | None = None
    ) -> list[Hit]:
        """Return texts in which every word of the query begins a word, newest match first.

        Case and accents do not count; the trash is left out; a query without words finds nothing.
        The texts of one match come in the order they were stored in. `before` leaves out the stream
        of that number and all newer streams.

        The index has only the beginnings of words, so words of scripts without spaces are sought in
        every text.
        """
        asked = words(query)
        if not asked:
            return []
        source, conditions, values = connection.matching(
            [word for word in asked if not is_unspaced(word)], list(filter(is_unspaced, asked))
        )
        search = SEARCH.format(source=source, conditions=" AND ".join(conditions))
        last = validation.MAX_VERSION if before is None else before
        rows = connection.execute(search, (*values, last, max(limit, 0))).fetchall()
        return [Hit(queries.as_stream(row[:12]), Text(*row[12:])) for row in rows]

    @writes
    def forget_texts(self, connection: Connection) -> None:
        """Delete all texts: every match is outdated then."""
        for table in ("texts", "searchable"):
            connection.execute(f"DELETE FROM {table}")

    @reads_snapshot
    def indexed_texts(self, connection: Connection, stream: int) -> IndexedTexts | None:
        """Return the texts of a match without its metadata, or `None` if it is not indexed."""
        query = "SELECT notes FROM searchable WHERE stream = ?"
        row = connection.execute(query, (stream,)).fetchone()
        if row is None:
            return None
        query = "SELECT kind, name, text FROM texts WHERE stream = ? ORDER BY id"
        rows = connection.execute(query, (stream,)).fetchall()
        return IndexedTexts(row[0], [Text(*parts) for parts in rows])


def replace(connection: Connection, number: int, indexed: IndexedTexts) -> None:
    """Replace the texts of a match, unless its metadata have changed meanwhile."""
    queries.writable(connection, number)
    if queries.metadata(connection, number) == dict(indexed.metadata):
        forget(connection, number)
        put(connection, number, indexed.texts, indexed.notes)


def put(connection: Connection, number: int, texts: Sequence[Text], notes: int) -> None:
    """Add the texts of a match that is not indexed yet, made from its first `notes`."""
    validation.check_texts(texts)
    for text in texts:
        connection.put_text(number, text, words(text.text))
    connection.execute("INSERT INTO searchable VALUES (?, ?)", (number, notes))


def forget(connection: Connection, number: int) -> None:
    """Delete the texts of a match, so that searches cannot find erased words."""
    for table in ("texts", "searchable"):
        connection.execute(f"DELETE FROM {table} WHERE stream = ?", (number,))
