"""The moves of all matches by position: derived, and never part of an append.

The table `indexed` has the version at which the moves of a match were indexed, `steps` the moves,
by the position they were made in, `written` the moves as people write them.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future
from typing import Final

from msgspec.structs import astuple

from replay.store.protocol import (
    Fact,
    IndexedMatch,
    IndexedStep,
    MoveCount,
    Stream,
    Unlike,
    WrittenMove,
)
from replay.store.sqlite import queries
from replay.store.sqlite.part import Part
from replay.store.sqlite.sqlite_library import Connection

UNINDEXED: Final = (
    f"{queries.STREAM} WHERE {queries.MATCH} AND NOT EXISTS (SELECT 1 FROM indexed AS i "
    "WHERE i.stream = streams.id AND i.head >= streams.head) ORDER BY id"
)
COUNTS: Final = """
    WITH RECURSIVE without(stream) AS (
        SELECT stream FROM facts WHERE name = ? AND {values}
        UNION
        SELECT s.id FROM without AS w JOIN streams AS s ON s.parent_id = w.stream
        LEFT JOIN summaries AS m ON m.stream = s.id WHERE m.kind IS NOT 'match'
    )
    SELECT seat, token, kind, result, count(DISTINCT line) FROM (
        SELECT p.seat, p.token, min(p.stream) AS line FROM steps AS p
        JOIN streams AS s ON s.id = p.stream
        JOIN segments AS g ON g.stream = p.stream AND p.version BETWEEN g.lo AND g.hi
        WHERE p.key = ? AND s.kind = 'match' AND NOT s.trashed
            AND p.stream NOT IN without
        GROUP BY g.src, p.version
    ) JOIN summaries ON summaries.stream = line
    GROUP BY seat, token, kind, result ORDER BY seat, token, kind, result
"""
FORGET: Final = (
    "DELETE FROM steps WHERE stream = ?",
    "DELETE FROM written WHERE stream = ?",
    "DELETE FROM indexed WHERE stream = ?",
)


class SqlitePositionIndex(Part):
    """The part `PositionIndex` of the protocol."""

    def unindexed_matches(self) -> list[Stream]:
        return self._query(unindexed_matches)

    def index_match(self, stream: int, known: IndexedMatch, after: int = 0) -> Future[None]:
        return self._submit_within_epoch(index_match, stream, known, after)

    def move_counts(self, key: bytes, without: Fact | Unlike | None = None) -> list[MoveCount]:
        return self._query(move_counts, key, without)

    def forget_index(self) -> Future[None]:
        return self._submit(forget_all)

    def indexed_match(self, stream: int) -> IndexedMatch | None:
        return self._query(indexed_match, stream)


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
    connection.execute("INSERT OR REPLACE INTO indexed VALUES (?, ?)", (number, known.head))
    connection.executemany(
        "INSERT INTO steps VALUES (?, ?, ?, ?, ?)",
        [(number, step.version, step.key, step.seat, step.token) for step in known.steps],
    )
    connection.executemany(
        "INSERT INTO written VALUES (?, ?, ?, ?, ?, ?, ?)",
        [(number, *astuple(move)) for move in known.moves],
    )


def indexed_match(connection: Connection, number: int) -> IndexedMatch | None:
    """Return the moves of a match, if it is indexed."""
    row = connection.execute("SELECT head FROM indexed WHERE stream = ?", (number,)).fetchone()
    if row is None:
        return None
    query = "SELECT version, key, seat, token FROM steps WHERE stream = ? ORDER BY version"
    steps = connection.execute(query, (number,)).fetchall()
    return IndexedMatch(
        row[0],
        [IndexedStep(version, key, seat, _text(token)) for version, key, seat, token in steps],
        tuple(_written(connection, number)),
    )


def _written(connection: Connection, number: int) -> Iterator[WrittenMove]:
    query = (
        "SELECT ply, version, turn, seat, token, clause FROM written WHERE stream = ? ORDER BY ply"
    )
    for ply, version, turn, seat, token, clause in connection.execute(query, (number,)).fetchall():
        text = None if token is None else _text(token)
        yield WrittenMove(ply, version, turn, seat, text, _text(clause))


def move_counts(
    connection: Connection, key: bytes, without: Fact | Unlike | None
) -> list[MoveCount]:
    """Count the moves made in a position, without matches that have a fact."""
    if isinstance(without, Unlike):
        values = f"value NOT IN ({', '.join('?' * len(without.values))})"
        parameters: tuple[str | None, ...] = (without.name, *without.values)
    else:
        values = "value = ?"
        parameters = (without.name, without.value) if without else (None, None)
    rows = connection.execute(COUNTS.format(values=values), (*parameters, key)).fetchall()
    return [
        MoveCount(seat, _text(token), _text(kind), _text(result), number)
        for seat, token, kind, result, number in rows
    ]


def forget_all(connection: Connection) -> None:
    """Delete all moves, to have them derived again."""
    connection.execute("DELETE FROM steps")
    connection.execute("DELETE FROM written")
    connection.execute("DELETE FROM indexed")


def _text(stored: bytes) -> str:
    return str(stored, "utf-8")
