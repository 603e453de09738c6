"""A connection to a SQLite file, and the statements that only SQLite knows."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from operator import methodcaller
from typing import Any, ClassVar, Final, NamedTuple, Self

from replay.store import validation
from replay.store.people_chain import SEAT
from replay.store.search_words import folded
from replay.store.sql.dialect import Row
from replay.store.sql.purging import MATCH_TABLES
from replay.store.sqlite import events, full_text
from replay.store.sqlite.driver import sqlite3
from replay.store.types import NewEvent, StoredEvent, Stream, Text

PUT_FACT: Final = (
    "INSERT INTO facts (stream, name, value, folded) VALUES (?, ?, ?, ?) "
    "ON CONFLICT (stream, name) DO UPDATE SET value = excluded.value, folded = excluded.folded"
)
PUT_TEXT: Final = "INSERT INTO texts (stream, kind, name, text, words) VALUES (?, ?, ?, ?, ?)"
INDEXES: Final = "SELECT name FROM sqlite_schema WHERE type = 'index'"
BY_WORDS: Final = "texts_fts AS f JOIN texts AS t ON t.id = f.rowid"

PURGE: Final = (
    "INSERT INTO purging VALUES (?)",  # the delete triggers consult it
    "DELETE FROM sealed WHERE event IN (SELECT pos FROM events WHERE stream = ?)",
    "DELETE FROM events WHERE stream = ?",
    *(f"DELETE FROM {table} WHERE stream = ?" for table in (*MATCH_TABLES, "segments", "facts")),
    "DELETE FROM streams WHERE id = ?",
    "DELETE FROM purging WHERE stream = ?",
)


class _Copy(NamedTuple):
    """A table of which a carrier keeps rows: select them, and insert them again.

    Texts are read as bytes, so that damaged texts do not change.
    """

    select: str
    insert: str


EVENTS: Final = _Copy(
    "SELECT pos, stream, version, event_id, CAST(type AS BLOB), CAST(actor AS BLOB), at, "
    "CAST(data AS BLOB), hash FROM events "
    "WHERE stream = :stream AND version <= :until ORDER BY version",
    "INSERT INTO events VALUES (?, ?, ?, ?, CAST(? AS TEXT), CAST(? AS TEXT), ?, "
    "CAST(? AS TEXT), ?)",
)
SEALED: Final = _Copy(
    "SELECT event, payload FROM sealed JOIN events ON pos = event "
    "WHERE stream = :stream AND version <= :until",
    "INSERT INTO sealed VALUES (?, ?)",
)
SEGMENTS: Final = _Copy(
    "SELECT stream, lo, hi, src FROM segments WHERE stream = :stream",
    "INSERT INTO segments VALUES (?, ?, ?, ?)",
)
FACTS: Final = _Copy(
    "SELECT stream, CAST(name AS BLOB), CAST(value AS BLOB), CAST(folded AS BLOB) FROM facts "
    "WHERE stream = :stream ORDER BY pos",
    "INSERT INTO facts (stream, name, value, folded) "
    "VALUES (?, CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT))",
)
CARRIER: Final = _Copy(
    "SELECT id, :carrier, CAST(header AS BLOB), parent_id, fork_version, fork_ply, origin, "
    "ifnull(fork_version, 0), origin FROM streams WHERE id = :stream",
    "INSERT INTO streams (id, public_id, kind, header, parent_id, fork_version, fork_ply, "
    "origin, head, head_hash, trashed) "
    "VALUES (?, ?, 'match', CAST(? AS TEXT), ?, ?, ?, ?, ?, ?, 1)",
)


class SqliteConnection(sqlite3.Connection):
    """A connection that wants its transactions begun and ended by statements."""

    NEXT_STREAM: ClassVar = """
        SELECT 1 + max(
            ifnull((SELECT seq FROM sqlite_sequence WHERE name = 'streams'), 0),
            ifnull((SELECT max(id) FROM streams), 0)
        )
    """
    OF_SEAT: ClassVar = f"{{fact}}.name GLOB '{SEAT}'"
    FIELD: ClassVar = "json_extract(data, '$.{name}')"

    def __init__(self, *args: Any, **names: Any) -> None:
        super().__init__(*args, **names)
        # A damaged text must not stop the reader: it gets U+FFFD here and is found by its hash.
        self.text_factory = methodcaller("decode", "utf-8", "replace")

    def transaction(self) -> Self:
        self.execute("BEGIN")
        return self  # at its end it commits

    def insert_all(self, table: str, rows: Sequence[Row]) -> None:
        if rows:
            values = ", ".join("?" * len(rows[0]))
            self.executemany(f"INSERT INTO {table} VALUES ({values})", rows)

    def put_metadata(self, number: int, metadata: Mapping[str, str]) -> None:
        rows = [(number, name, value, folded(value)) for name, value in metadata.items()]
        self.executemany(PUT_FACT, rows)

    def put_text(self, number: int, text: Text, found: Sequence[str]) -> None:
        self.execute(PUT_TEXT, (number, text.kind, text.name, text.text, " ".join(found)))

    def matching(
        self, begun: Sequence[str], inside: Sequence[str]
    ) -> tuple[str, list[str], list[Any]]:
        there = ["instr(t.words, ?)"] * len(inside)
        if not begun:
            return "texts AS t", there, [*inside]
        asked = " ".join(f'"{word}"*' for word in begun)
        return BY_WORDS, ["texts_fts MATCH ?", *there], [asked, *inside]

    def events(self, number: int, after: int, until: int) -> list[StoredEvent]:
        return events.read(self, number, after, until)

    def present(self, number: int, new: Sequence[NewEvent]) -> list[StoredEvent]:
        return events.present(self, number, new)

    def put_events(self, number: int, new: Sequence[StoredEvent]) -> None:
        if new:
            events.insert(self, [(number, event) for event in new])

    def delete_stream(self, number: int) -> None:
        for statement in PURGE:
            self.execute(statement, (number,))

    def carry(self, stream: Stream, until: int, metadata: Collection[str] | None) -> None:
        """Replace the stream by its carrier; the guards forbid to shorten a log instead."""
        bounds = {"stream": stream.id, "until": until, "carrier": validation.carrier_id(stream.id)}
        kept = [
            (copy.insert, self.execute(copy.select, bounds).fetchall())
            for copy in (CARRIER, EVENTS, SEALED, SEGMENTS)
        ]
        stored = self.execute(FACTS.select, bounds).fetchall()
        names = None if metadata is None else {name.encode() for name in metadata}
        kept.append((FACTS.insert, [row for row in stored if names is None or row[1] in names]))
        self.execute("PRAGMA defer_foreign_keys = ON")  # forks name a parent that is away
        self.delete_stream(stream.id)
        for insert, rows in kept:
            self.executemany(insert, rows)
        self.execute("PRAGMA defer_foreign_keys = OFF")

    def reindex(self) -> None:
        for (name,) in self.execute(INDEXES).fetchall():  # one alone takes less memory
            self.execute(f'REINDEX "{name}"')
        self.execute(full_text.REBUILD)
