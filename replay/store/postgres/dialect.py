"""A connection to a database of PostgreSQL, and the statements that only PostgreSQL knows."""

from __future__ import annotations

import contextlib
import re
import time
from collections.abc import Collection, Generator, Mapping, Sequence
from functools import lru_cache
from typing import Any, ClassVar, Final, TypeVar

import psycopg

from replay.store import validation
from replay.store.people_chain import SEAT
from replay.store.postgres import events
from replay.store.search_words import folded
from replay.store.sql.dialect import Row
from replay.store.sql.purging import MATCH_TABLES
from replay.store.types import NewEvent, StoredEvent, Stream, Text

HINT: Final = re.compile(r"(?<![\w)])\+(?=[a-z])")
"""The + before a column, which SQLite's planner understands."""
TOO_LATE: Final = "the answer came too late"
T = TypeVar("T")
TYPE_OF_PERSON: Final = ("bigint", "bigint", "text", *["bigint"] * 2, "text", *["bigint"] * 2)
TYPES: Final = {
    "segments": ("bigint", "bigint", "bigint", "bigint"),
    "steps": ("bigint", "bigint", "bytea", "bigint", "text"),
    "people": (*TYPE_OF_PERSON, "bytea", "bytea", "bytea"),
    "people_texts": ("bigint", "bigint", "text", "bytea", "text"),
    "written": (*["bigint"] * 5, *["text"] * 2, "boolean", "text"),
}
"""The types of the columns of tables."""
PUT_FACTS: Final = """
    INSERT INTO facts (stream, name, value, folded)
    SELECT ?, a.name, a.value, a.folded FROM unnest(?::text[], ?::text[], ?::text[])
        WITH ORDINALITY AS a(name, value, folded, place) ORDER BY a.place
    ON CONFLICT (stream, name) DO UPDATE SET value = excluded.value, folded = excluded.folded
"""
PUT_TEXT: Final = """
    INSERT INTO texts (stream, kind, name, text, words, begun)
    VALUES (?, ?, ?, ?, ?, array_to_tsvector(?))
"""
BY_WORDS: Final = "(SELECT * FROM texts WHERE begun @@ ?::tsquery OFFSET 0) AS t"
"""SQL for the texts that contain some words.

With `OFFSET 0` the index of words finds them: the planner expects every prefix in 2 % of the texts,
and would read all texts from the newest on for a rare word.
"""
MAX_LETTERS: Final = 500
"""The letters of a word that are indexed; PostgreSQL allows at most 2,046 bytes for a word."""
MAX_INDEXED_KB: Final = 250
"""The size in kB up to which a text is indexed; a `tsvector` holds at most 1 MB."""

CUT: Final = (
    "DELETE FROM sealed WHERE event IN (SELECT pos FROM events WHERE stream = ? AND version > ?)",
    "DELETE FROM events WHERE stream = ? AND version > ?",
)
CARRIER: Final = """
    UPDATE streams SET public_id = ?, trashed = true,
        head = coalesce((SELECT max(version) FROM events WHERE stream = streams.id),
            fork_version, 0),
        head_hash = coalesce((SELECT hash FROM events WHERE stream = streams.id
            ORDER BY version DESC LIMIT 1), origin)
    WHERE id = ?
"""


@lru_cache(maxsize=1000)
def translated(statement: str) -> str:
    """Return a statement with the placeholders of psycopg, and without hints to SQLite."""
    return HINT.sub("", statement).replace("?", "%s")


class PostgresConnection(psycopg.Connection[Row]):
    """A connection that takes statements of `replay.store.sql` and of psycopg."""

    NEXT_STREAM: ClassVar = "UPDATE plybook SET streams = streams + 1 RETURNING streams"
    OF_SEAT: ClassVar = f"{{fact}}.name ~ '^{SEAT}$'"
    FIELD: ClassVar = "(data::json ->> '{name}')"

    deadline: float | None = None
    """When the wait for an answer ends, by the monotonic clock."""

    def wait(self, gen: Generator[Any, Any, T], *args: Any, **names: Any) -> T:
        """Wait for the server. At the deadline close, and raise `OperationalError`."""
        until = self._until(gen, self.deadline) if self.deadline is not None else gen
        return super().wait(until, *args, **names)

    def _until(self, gen: Generator[Any, Any, T], deadline: float) -> Generator[Any, Any, T]:
        state, ready = next(gen), None
        while ready or time.monotonic() < deadline:
            ready = yield state
            try:
                state = gen.send(ready)
            except StopIteration as end:
                answer: T = end.value
                return answer
        self.pgconn.finish()
        with contextlib.suppress(psycopg.Error):
            gen.close()
        raise psycopg.OperationalError(TOO_LATE)

    def execute(self, query: Any, params: Any = None, **names: Any) -> psycopg.Cursor[Row]:
        if isinstance(query, str):
            query = translated(query)
        return super().execute(query, params, **names)

    def insert_all(self, table: str, rows: Sequence[Row]) -> None:
        if rows:
            arrays = ", ".join(f"?::{name}[]" for name in TYPES[table])
            columns = [list(column) for column in zip(*rows, strict=True)]
            self.execute(f"INSERT INTO {table} SELECT * FROM unnest({arrays})", columns)

    def put_metadata(self, number: int, metadata: Mapping[str, str]) -> None:
        if metadata:
            values = list(metadata.values())
            self.execute(PUT_FACTS, (number, list(metadata), values, list(map(folded, values))))

    def put_text(self, number: int, text: Text, found: Sequence[str]) -> None:
        row = (number, text.kind, text.name, text.text, " ".join(found), _indexed(found))
        self.execute(PUT_TEXT, row)

    def matching(
        self, begun: Sequence[str], inside: Sequence[str]
    ) -> tuple[str, list[str], list[Any]]:
        there = ["position(? in t.words) > 0"] * len(inside)
        if not begun:
            return "texts AS t", there, [*inside]
        asked = " & ".join(f"'{word[:MAX_LETTERS]}':*" for word in begun)
        return BY_WORDS, ["true", *there], [asked, *inside]

    def events(self, number: int, after: int, until: int) -> list[StoredEvent]:
        return events.read(self, number, after, until)

    def present(self, number: int, new: Sequence[NewEvent]) -> list[StoredEvent]:
        return events.present(self, number, new)

    def put_events(self, number: int, new: Sequence[StoredEvent]) -> None:
        events.insert(self, [(number, event) for event in new])

    def delete_stream(self, number: int) -> None:
        self._cut(number, 0)
        for table in ("segments", "facts"):
            self.execute(f"DELETE FROM {table} WHERE stream = ?", (number,))
        self.execute("DELETE FROM streams WHERE id = ?", (number,))
        self.execute("DELETE FROM purging WHERE stream = ?", (number,))

    def carry(self, stream: Stream, until: int, metadata: Collection[str] | None) -> None:
        self._cut(stream.id, until)
        if metadata is not None:
            self.execute(
                "DELETE FROM facts WHERE stream = ? AND name <> ALL(?)", (stream.id, list(metadata))
            )
        self.execute(CARRIER, (validation.carrier_id(stream.id), stream.id))
        self.execute("DELETE FROM purging WHERE stream = ?", (stream.id,))

    def _cut(self, number: int, until: int) -> None:
        """Delete the events after a version, and the match's tokens, hooks and index entries."""
        self.execute("INSERT INTO purging VALUES (?)", (number,))  # the guards read this table
        for statement in CUT:
            self.execute(statement, (number, until))
        for table in MATCH_TABLES:
            self.execute(f"DELETE FROM {table} WHERE stream = ?", (number,))

    def reindex(self) -> None:
        """Do nothing: PostgreSQL maintains its indexes."""


def _indexed(found: Sequence[str]) -> list[str]:
    """Return different words, as many as the index takes."""
    room, kept = MAX_INDEXED_KB * 1000, list[str]()
    for word in dict.fromkeys(word[:MAX_LETTERS] for word in found):
        room -= len(word)
        if room < 0:
            break
        kept.append(word)
    return kept
