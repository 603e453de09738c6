"""Full-text search over texts derived from notes and facts; never part of an append.

The table `texts` holds the texts, `texts_fts` (made by sqlite-utils, updated by triggers) their
words. `searchable` has the number of notes that the texts of a match were made from; a match that
is not in it, or has more by now, is outdated.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from typing import Final

from replay.store import validation
from replay.store.protocol import Hit, IndexedTexts, Stream, Text
from replay.store.search_words import is_unspaced, words
from replay.store.sqlite import queries
from replay.store.sqlite.part import Part
from replay.store.sqlite.sqlite_library import Connection, sqlite3

OUTDATED: Final = (
    f"{queries.STREAM} WHERE {queries.MATCH} AND NOT EXISTS (SELECT 1 FROM searchable AS t "
    "WHERE t.stream = streams.id AND t.notes >= "
    "ifnull((SELECT n.head FROM streams AS n WHERE n.subject = streams.id), 0)) ORDER BY id"
)
SEARCH: Final = (
    "SELECT t.stream, t.kind, t.name, t.text FROM {source} JOIN streams AS s ON s.id = t.stream "
    "WHERE {conditions} AND NOT s.trashed AND t.stream < ? ORDER BY t.stream DESC, t.id LIMIT ?"
)
BY_WORDS: Final = "texts_fts AS f JOIN texts AS t ON t.id = f.rowid"
WITH_SECURE_DELETE: Final = (3, 42, 0)
"""The first SQLite whose full-text index overwrites at once what is deleted."""
FORGET: Final = ("DELETE FROM texts WHERE stream = ?", "DELETE FROM searchable WHERE stream = ?")


class SqliteTexts(Part):
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
        return self._query(indexed, stream)


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
    inner = list(filter(is_unspaced, asked))
    begun = " ".join(f'"{word}"*' for word in asked if not is_unspaced(word))
    conditions = ["texts_fts MATCH ?"] * bool(begun) + ["instr(t.words, ?)"] * len(inner)
    search = SEARCH.format(
        source=BY_WORDS if begun else "texts AS t", conditions=" AND ".join(conditions)
    )
    given = (*([begun] if begun else []), *inner, before, max(limit, 0))
    rows = connection.execute(search, given).fetchall()
    return [
        Hit(queries.stream(connection, stream), Text(*(str(part, "utf-8") for part in parts)))
        for stream, *parts in rows
    ]


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
        connection.execute(
            "INSERT INTO texts (stream, kind, name, text, words) VALUES (?, ?, ?, ?, ?)",
            (number, text.kind, text.name, text.text, " ".join(words(text.text))),
        )
    connection.execute("INSERT INTO searchable VALUES (?, ?)", (number, notes))


def indexed(connection: Connection, number: int) -> IndexedTexts | None:
    """Return the texts that a match is found by, if there are any."""
    query = "SELECT notes FROM searchable WHERE stream = ?"
    row = connection.execute(query, (number,)).fetchone()
    if row is None:
        return None
    query = "SELECT kind, name, text FROM texts WHERE stream = ? ORDER BY id"
    rows = connection.execute(query, (number,)).fetchall()
    return IndexedTexts(row[0], [Text(*(str(part, "utf-8") for part in parts)) for parts in rows])


def overwrite_deleted_words(connection: Connection) -> None:
    """Let the full-text index overwrite what is deleted, where SQLite can."""
    if sqlite3.sqlite_version_info >= WITH_SECURE_DELETE:
        connection.execute("INSERT INTO texts_fts (texts_fts, rank) VALUES ('secure-delete', 1)")


def forget(connection: Connection, number: int) -> None:
    """Delete the texts of a match, so that what was erased cannot be found."""
    for statement in FORGET:
        connection.execute(statement, (number,))


def forget_all(connection: Connection) -> None:
    """Delete all texts, to have them derived again."""
    connection.execute("DELETE FROM texts")
    connection.execute("DELETE FROM searchable")
