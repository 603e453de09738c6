"""The moves of all matches by position: derived, and never part of an append.

The table `indexed` has the version at which the moves of a match were indexed, `steps` the moves,
by the position they were made in, `written` the moves as people write them.
"""

from __future__ import annotations

from concurrent.futures import Future
from typing import Final

from msgspec.structs import astuple

from replay.store.postgres import queries
from replay.store.postgres.library import Connection
from replay.store.postgres.part import Part
from replay.store.protocol import (
    Fact,
    IndexedMatch,
    IndexedStep,
    MoveCount,
    Stream,
    Unlike,
    WrittenMove,
)

UNINDEXED: Final = (
    f"{queries.STREAM} WHERE {queries.MATCH} AND NOT EXISTS (SELECT 1 FROM indexed AS i "
    "WHERE i.stream = streams.id AND i.head >= streams.head) ORDER BY id"
)
COUNTS: Final = """
    WITH RECURSIVE without(stream) AS (
        SELECT stream FROM facts WHERE name = %s AND {values}
        UNION
        SELECT s.id FROM without AS w JOIN streams AS s ON s.parent_id = w.stream
        LEFT JOIN summaries AS m ON m.stream = s.id WHERE m.kind IS DISTINCT FROM 'match'
    ), moves AS (
        SELECT DISTINCT ON (g.src, p.version) p.seat, p.token, p.stream AS line FROM steps AS p
        JOIN streams AS s ON s.id = p.stream
        JOIN segments AS g ON g.stream = p.stream AND p.version BETWEEN g.lo AND g.hi
        WHERE p.key = %s AND s.kind = 'match' AND NOT s.trashed
            AND p.stream NOT IN (SELECT stream FROM without)
        ORDER BY g.src, p.version, p.stream
    )
    SELECT seat, token COLLATE "C" AS move, kind COLLATE "C" AS how, result COLLATE "C" AS came,
        count(DISTINCT line)
    FROM moves JOIN summaries ON summaries.stream = line
    GROUP BY seat, move, how, came ORDER BY seat, move, how, came
"""
PUT: Final = """
    INSERT INTO steps SELECT %s, a.* FROM
        unnest(%s::bigint[], %s::bytea[], %s::bigint[], %s::text[]) AS a
"""
WRITE: Final = """
    INSERT INTO written SELECT %s, a.* FROM unnest(%s::bigint[], %s::bigint[], %s::bigint[],
        %s::bigint[], %s::text[], %s::text[]) AS a
"""
INDEXED: Final = """
    INSERT INTO indexed VALUES (%s, %s) ON CONFLICT (stream) DO UPDATE SET head = excluded.head
"""


class PostgresPositionIndex(Part):
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
        return self._query_at_once(indexed_match, stream)


def unindexed_matches(connection: Connection) -> list[Stream]:
    """Return the matches whose moves are not indexed, or older than their log."""
    return [queries.as_stream(row) for row in connection.execute(UNINDEXED).fetchall()]


def index_match(connection: Connection, number: int, known: IndexedMatch, after: int) -> None:
    """Replace the moves of a match beyond a version."""
    queries.writable(connection, number)
    for table in ("steps", "written"):
        connection.execute(
            f"DELETE FROM {table} WHERE stream = %s AND version > %s", (number, after)
        )
    put(connection, number, known)


def put(connection: Connection, number: int, known: IndexedMatch) -> None:
    """Add moves of a match, indexed as of a version."""
    connection.execute(INDEXED, (number, known.head))
    if known.steps:
        rows = [(step.version, step.key, step.seat, step.token) for step in known.steps]
        connection.execute(PUT, (number, *map(list, zip(*rows, strict=True))))
    if known.moves:
        moves = map(astuple, known.moves)
        connection.execute(WRITE, (number, *map(list, zip(*moves, strict=True))))


def indexed_match(connection: Connection, number: int) -> IndexedMatch | None:
    """Return the moves of a match, if it is indexed."""
    row = connection.execute("SELECT head FROM indexed WHERE stream = %s", (number,)).fetchone()
    if row is None:
        return None
    query = "SELECT version, key, seat, token FROM steps WHERE stream = %s ORDER BY version"
    steps = connection.execute(query, (number,)).fetchall()
    query = (
        "SELECT ply, version, turn, seat, token, clause FROM written WHERE stream = %s ORDER BY ply"
    )
    moves = connection.execute(query, (number,)).fetchall()
    return IndexedMatch(
        row[0], [IndexedStep(*step) for step in steps], tuple(WrittenMove(*move) for move in moves)
    )


def move_counts(
    connection: Connection, key: bytes, without: Fact | Unlike | None
) -> list[MoveCount]:
    """Count the moves made in a position, without matches that have a fact."""
    if isinstance(without, Unlike):
        query = COUNTS.format(values="value <> ALL(%s)")
        rows = connection.execute(query, (without.name, list(without.values), key))
    else:
        name, value = (without.name, without.value) if without else (None, None)
        rows = connection.execute(COUNTS.format(values="value = %s"), (name, value, key))
    return [MoveCount(*row) for row in rows.fetchall()]


def forget_all(connection: Connection) -> None:
    """Delete all moves, to have them derived again."""
    connection.execute("DELETE FROM steps")
    connection.execute("DELETE FROM written")
    connection.execute("DELETE FROM indexed")
