"""The lines of all matches and the positions in them: derived, and never part of an append.

The table `lines` has a row for each indexed match, with the version it was indexed at; `steps` has
its moves, by the position they were made in.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future
from typing import Final

from replay.store.protocol import (
    Fact,
    IndexedLine,
    IndexedMatch,
    IndexedStep,
    MoveCount,
    Stream,
    Unlike,
)
from replay.store.sqlite import queries
from replay.store.sqlite.part import Part
from replay.store.sqlite.sqlite_library import Connection

UNINDEXED: Final = (
    f"{queries.STREAM} WHERE {queries.MATCH} AND NOT EXISTS (SELECT 1 FROM lines AS l "
    "WHERE l.stream = streams.id AND l.head >= streams.head) ORDER BY id"
)
LINES: Final = (
    "SELECT l.stream, l.game, l.kind, l.plies, l.turns, l.result, l.clause FROM lines AS l "
    "JOIN streams AS s ON s.id = l.stream "
    "WHERE s.kind = 'match' AND NOT s.trashed ORDER BY l.stream"
)
COUNTS: Final = """
    WITH RECURSIVE without(stream) AS (
        SELECT stream FROM facts WHERE name = ? AND {values}
        UNION
        SELECT s.id FROM without AS w JOIN streams AS s ON s.parent_id = w.stream
        LEFT JOIN lines AS l ON l.stream = s.id WHERE l.kind IS NOT 'match'
    )
    SELECT seat, token, kind, result, count(DISTINCT line) FROM (
        SELECT p.seat, p.token, min(p.stream) AS line FROM steps AS p
        JOIN streams AS s ON s.id = p.stream
        JOIN segments AS g ON g.stream = p.stream AND p.version BETWEEN g.lo AND g.hi
        WHERE p.key = ? AND s.kind = 'match' AND NOT s.trashed
            AND p.stream NOT IN without
        GROUP BY g.src, p.version
    ) JOIN lines ON lines.stream = line
    GROUP BY seat, token, kind, result ORDER BY seat, token, kind, result
"""
FORGET: Final = ("DELETE FROM steps WHERE stream = ?", "DELETE FROM lines WHERE stream = ?")


class SqlitePositionIndex(Part):
    """The part `PositionIndex` of the protocol."""

    def unindexed_matches(self) -> list[Stream]:
        return self._query(unindexed_matches)

    def index_match(
        self, stream: int, head: int, line: IndexedLine, steps: Sequence[IndexedStep]
    ) -> Future[None]:
        return self._submit_within_epoch(index_match, stream, head, line, steps)

    def indexed_lines(self) -> list[tuple[Stream, IndexedLine]]:
        return self._query(lines)

    def move_counts(self, key: bytes, without: Fact | Unlike | None = None) -> list[MoveCount]:
        return self._query(move_counts, key, without)

    def forget_index(self) -> Future[None]:
        return self._submit(forget_all)

    def indexed_match(self, stream: int) -> IndexedMatch | None:
        return self._query(indexed_match, stream)


def unindexed_matches(connection: Connection) -> list[Stream]:
    """Return the matches whose line is missing, or older than their log."""
    return [queries.as_stream(row) for row in connection.execute(UNINDEXED).fetchall()]


def index_match(
    connection: Connection, number: int, head: int, line: IndexedLine, steps: Sequence[IndexedStep]
) -> None:
    """Replace the line of a match and its steps."""
    queries.writable(connection, number)
    forget(connection, number)
    row = (line.game, line.kind, line.plies, line.turns, line.result, line.clause)
    connection.execute("INSERT INTO lines VALUES (?, ?, ?, ?, ?, ?, ?, ?)", (number, head, *row))
    connection.executemany(
        "INSERT INTO steps VALUES (?, ?, ?, ?, ?)",
        [(number, step.version, step.key, step.seat, step.token) for step in steps],
    )


def lines(connection: Connection) -> list[tuple[Stream, IndexedLine]]:
    """Return the lines of matches that are not in the trash."""
    return [
        (
            queries.stream(connection, number),
            IndexedLine(_text(game), _text(kind), plies, turns, _text(result), _text(clause)),
        )
        for number, game, kind, plies, turns, result, clause in connection.execute(LINES).fetchall()
    ]


def indexed_match(connection: Connection, number: int) -> IndexedMatch | None:
    """Return the line and the steps of a match, if there are any."""
    query = "SELECT head, game, kind, plies, turns, result, clause FROM lines WHERE stream = ?"
    row = connection.execute(query, (number,)).fetchone()
    if row is None:
        return None
    head, game, kind, plies, turns, result, clause = row
    line = IndexedLine(_text(game), _text(kind), plies, turns, _text(result), _text(clause))
    query = "SELECT version, key, seat, token FROM steps WHERE stream = ? ORDER BY version"
    steps = connection.execute(query, (number,)).fetchall()
    return IndexedMatch(
        head,
        line,
        [IndexedStep(version, key, seat, _text(token)) for version, key, seat, token in steps],
    )


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


def forget(connection: Connection, number: int) -> None:
    """Delete the line of a match."""
    for statement in FORGET:
        connection.execute(statement, (number,))


def forget_all(connection: Connection) -> None:
    """Delete all lines, to have them derived again."""
    connection.execute("DELETE FROM steps")
    connection.execute("DELETE FROM lines")


def _text(stored: bytes) -> str:
    return str(stored, "utf-8")
