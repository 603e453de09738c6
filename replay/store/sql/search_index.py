"""Full-text search over texts derived from notes and facts; never part of an append.

`searchable` has the number of notes that the texts of a match were made from; a match that is not
in it, or has more by now, is outdated.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from typing import Final

from replay.store import validation
from replay.store.protocol import Hit, IndexedTexts, Stream, Text
from replay.store.search_words import is_unspaced, words
from replay.store.sql import queries
from replay.store.sql.dialect import Connection
from replay.store.sql.part import SqlPart

OUTDATED: Final = (
    f"{queries.STREAM} WHERE {queries.MATCH} AND NOT EXISTS (SELECT 1 FROM searchable AS t "
    "WHERE t.stream = streams.id AND t.notes >= "
    "coalesce((SELECT n.head FROM streams AS n WHERE n.subject = streams.id), 0)) ORDER BY id"
)
SEARCH: Final = (
    f"SELECT {queries.COLUMNS}, t.kind, t.name, t.text "
    "FROM {source} JOIN streams ON streams.id = t.stream WHERE {conditions} "
    "AND NOT trashed AND t.stream < ? ORDER BY t.stream DESC, t.id LIMIT ?"
)


class SqlTexts(SqlPart):
    """The part `Texts` of the protocol."""

    def matches_to_index(self) -> list[Stream]:
        return self._query(outdated)

    def index(
        self, stream: int, texts: Sequence[Text], notes: int, facts: Mapping[str, str]
    ) -> Future[None]:
        return self._submit_within_epoch(index, stream, texts, notes, facts)

    def search(self, query: str, limit: int, before: int | None = None) -> list[Hit]:
        return self._query(hits, query, limit, validation.LAST if before is None else before)

    def forget_texts(self) -> Future[None]:
        return self._submit(forget_all)

    def indexed_texts(self, stream: int) -> IndexedTexts | None:
        return self._query_at_once(indexed, stream)


def outdated(connection: Connection) -> list[Stream]:
    """Return the matches whose texts are missing or older than their notes."""
    return [queries.as_stream(row) for row in connection.execute(OUTDATED).fetchall()]


def hits(connection: Connection, query: str, limit: int, before: int) -> list[Hit]:
    """Return the texts in which every word of the query begins a word, of streams before one.

    The index knows only where words begin, so words of scripts without spaces are sought in every
    text.
    """
    asked = words(query)
    if not asked:
        return []
    source, conditions, values = connection.matching(
        [word for word in asked if not is_unspaced(word)], list(filter(is_unspaced, asked))
    )
    search = SEARCH.format(source=source, conditions=" AND ".join(conditions))
    rows = connection.execute(search, (*values, before, max(limit, 0))).fetchall()
    return [Hit(queries.as_stream(row[:12]), Text(*row[12:])) for row in rows]


def index(
    connection: Connection, number: int, texts: Sequence[Text], notes: int, facts: Mapping[str, str]
) -> None:
    """Replace the texts of a match, unless its facts have changed meanwhile."""
    queries.writable(connection, number)
    if queries.facts(connection, number) == dict(facts):
        forget(connection, number)
        put(connection, number, texts, notes)


def put(connection: Connection, number: int, texts: Sequence[Text], notes: int) -> None:
    """Add the texts of a match that has none, made from its first notes."""
    validation.check_texts(texts)
    for text in texts:
        connection.put_text(number, text, words(text.text))
    connection.execute("INSERT INTO searchable VALUES (?, ?)", (number, notes))


def indexed(connection: Connection, number: int) -> IndexedTexts | None:
    """Return the texts that a match is found by, if there are any."""
    query = "SELECT notes FROM searchable WHERE stream = ?"
    row = connection.execute(query, (number,)).fetchone()
    if row is None:
        return None
    query = "SELECT kind, name, text FROM texts WHERE stream = ? ORDER BY id"
    rows = connection.execute(query, (number,)).fetchall()
    return IndexedTexts(row[0], [Text(*parts) for parts in rows])


def forget(connection: Connection, number: int) -> None:
    """Delete the texts of a match, so that what was erased cannot be found."""
    for table in ("texts", "searchable"):
        connection.execute(f"DELETE FROM {table} WHERE stream = ?", (number,))


def forget_all(connection: Connection) -> None:
    """Delete all texts, to have them derived again."""
    connection.execute("DELETE FROM texts")
    connection.execute("DELETE FROM searchable")
