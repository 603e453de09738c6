"""What search looks through: derived from notes and facts, and never part of an append.

`texts` holds what matches can be found by, `texts_fts` (made by sqlite-utils, kept alike by
triggers) its words. `searchable` tells how many notes the texts of a match were made from; a match
that is not in it, or has more by now, is outdated.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from replay.store import validation
from replay.store.protocol import Hit, IndexedTexts, Stream, Text
from replay.store.search_words import words
from replay.store.sqlite import queries
from replay.store.sqlite.sqlite_library import Connection

OUTDATED: Final = (
    f"{queries.STREAM} WHERE {queries.MATCH} AND NOT EXISTS (SELECT 1 FROM searchable AS t "
    "WHERE t.stream = streams.id AND t.notes >= "
    "ifnull((SELECT n.head FROM streams AS n WHERE n.subject = streams.id), 0)) ORDER BY id"
)
SEARCH: Final = (
    "SELECT t.stream, t.kind, t.name, t.text FROM texts_fts AS f JOIN texts AS t ON t.id = f.rowid "
    "JOIN streams AS s ON s.id = t.stream WHERE texts_fts MATCH ? AND NOT s.trashed "
    "AND t.stream < ? ORDER BY t.stream DESC, t.id LIMIT ?"
)
FORGET: Final = ("DELETE FROM texts WHERE stream = ?", "DELETE FROM searchable WHERE stream = ?")


def outdated(connection: Connection) -> list[Stream]:
    """Return the matches whose texts are not there or older than their notes."""
    return [queries.as_stream(row) for row in connection.execute(OUTDATED).fetchall()]


def hits(connection: Connection, query: str, limit: int, before: int) -> list[Hit]:
    """Return the texts with words that begin like those of the query, of streams before one."""
    asked = " ".join(f'"{word}"*' for word in words(query))
    if not asked:
        return []
    rows = connection.execute(SEARCH, (asked, before, max(limit, 0))).fetchall()
    return [
        Hit(queries.stream(connection, stream), Text(*(str(part, "utf-8") for part in parts)))
        for stream, *parts in rows
    ]


def index(
    connection: Connection, number: int, texts: Sequence[Text], notes: int, facts: Mapping[str, str]
) -> None:
    """Put a match's texts in place of those before, unless its facts have changed meanwhile."""
    validation.check_texts(texts)
    queries.writable(connection, number)
    if queries.facts(connection, number) != dict(facts):
        return
    forget(connection, number)
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


def forget(connection: Connection, number: int) -> None:
    """Forget the texts of a match, so that what was erased cannot be found."""
    for statement in FORGET:
        connection.execute(statement, (number,))


def forget_all(connection: Connection) -> None:
    """Forget all texts, to have them made anew."""
    connection.execute("DELETE FROM texts")
    connection.execute("DELETE FROM searchable")
