"""The moves of all matches by position: derived, and never part of an append.

The table `indexed` has the version at which the moves of a match were indexed, `steps` the moves,
by the position they were made in, `written` the moves as people write them.
"""

from __future__ import annotations

from concurrent.futures import Future
from typing import Final

from msgspec.structs import astuple

from replay.store.protocol import (
    Fact,
    IndexedMatch,
    IndexedStep,
    MoveCount,
    NotEqual,
    Stream,
    WrittenMove,
)
from replay.store.sql import queries
from replay.store.sql.dialect import Connection
from replay.store.sql.part import SqlPart

UNINDEXED: Final = (
    f"{queries.STREAM} WHERE {queries.MATCH} AND NOT EXISTS (SELECT 1 FROM indexed AS i "
    "WHERE i.stream = streams.id AND i.head >= streams.head) ORDER BY id"
)
INDEXED: Final = (
    "INSERT INTO indexed VALUES (?, ?) ON CONFLICT (stream) DO UPDATE SET head = excluded.head"
)


class SqlPositionIndex(SqlPart):
    """The part `PositionIndex` of the protocol."""

    def unindexed_matches(self) -> list[Stream]:
        return self._query(unindexed_matches)

    def index_match(self, stream: int, known: IndexedMatch, after: int = 0) -> Future[None]:
        return self._submit_within_epoch(index_match, stream, known, after)

    def move_counts(self, key: bytes, without: Fact | NotEqual | None = None) -> list[MoveCount]:
        return self._query(move_counts, key, without)

    def forget_index(self) -> Future[None]:
        return self._submit(forget_all)

    def indexed_match(self, stream: int) -> IndexedMatch | None:
        return self._query_at_once(indexed_match, stream)


def unindexed_matches(connection: Connection) -> list[Stream]:
    """Return the matches whose moves are not indexed, or older than their log."""
    return [queries.as_stream(row) for row in connection.execute(UNINDEXED).fetchall()]


def index_match(connection: Connection, number: int, known: IndexedMatch, after: int) -> None:
    """Replace the moves of a match beyond a version."""
    queries.writable(connection, number)
    for table in ("steps", "written"):
        connection.execute(f"DELETE FROM {table} WHERE stream = ? AND version > ?", (number, after))
    put(connection, number, known)


def put(connection: Connection, number: int, known: IndexedMatch) -> None:
    """Add moves of a match, indexed as of a version."""
    connection.execute(INDEXED, (number, known.head))
    connection.insert_all("steps", [(number, *astuple(step)) for step in known.steps])
    connection.insert_all("written", [(number, *astuple(move)) for move in known.moves])


def indexed_match(connection: Connection, number: int) -> IndexedMatch | None:
    """Return the moves of a match, if it is indexed."""
    row = connection.execute("SELECT head FROM indexed WHERE stream = ?", (number,)).fetchone()
    if row is None:
        return None
    query = "SELECT version, key, seat, token FROM steps WHERE stream = ? ORDER BY version"
    steps = connection.execute(query, (number,)).fetchall()
    query = (
        "SELECT ply, version, turn, seat, token, clause FROM written WHERE stream = ? ORDER BY ply"
    )
    moves = connection.execute(query, (number,)).fetchall()
    return IndexedMatch(
        row[0], [IndexedStep(*step) for step in steps], tuple(WrittenMove(*move) for move in moves)
    )


def move_counts(
    connection: Connection, key: bytes, without: Fact | NotEqual | None
) -> list[MoveCount]:
    """Count the moves made in a position, without matches that have a fact."""
    if isinstance(without, NotEqual):
        values = " AND ".join(["value <> ?"] * len(without.values)) or "true"
        parameters: tuple[str | None, ...] = (without.name, *without.values)
    else:
        values = "value = ?"
        parameters = (without.name, without.value) if without else (None, None)
    query = connection.MOVE_COUNTS.format(values=values)
    return [MoveCount(*row) for row in connection.execute(query, (*parameters, key)).fetchall()]


def forget_all(connection: Connection) -> None:
    """Delete all moves, to have them derived again."""
    connection.execute("DELETE FROM steps")
    connection.execute("DELETE FROM written")
    connection.execute("DELETE FROM indexed")
