"""The moves of all matches by position: derived, and never part of an append.

The table `indexed` has the version at which the moves of a match were indexed, `steps` the moves,
by the position they were made in, `written` the moves as people write them. Triggers put a match
into `positions_due` when its moves are missing or older than its log.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from msgspec.structs import astuple

from replay.store.derived import KIND
from replay.store.search_words import folded
from replay.store.sql import queries
from replay.store.sql.dialect import Connection, Row
from replay.store.sql.part import SqlPart, reads, reads_snapshot, writes, writes_within_epoch
from replay.store.types import (
    IndexedMatch,
    IndexedStep,
    MetadataItem,
    MoveCount,
    NotEqual,
    Stream,
    WrittenMove,
)

INDEXED: Final = (
    "INSERT INTO indexed VALUES (?, ?) ON CONFLICT (stream) DO UPDATE SET head = excluded.head"
)
STEPS: Final = "SELECT version, key, seat, token FROM steps WHERE stream = ? ORDER BY version"
WRITTEN: Final = (
    "SELECT ply, version, turn, seat, token, clause, unsure, reconstructed FROM written "
    "WHERE stream = ? ORDER BY ply"
)
TALLIED: Final[dict[MetadataItem | NotEqual | None, str]] = {
    None: "lines",
    NotEqual("access.visibility", ("unlisted", "public")): "open",
}
"""The column of `move_tallies` with the counts without some matches."""
IS_COUNTED: Final = "SELECT 1 FROM counted_positions WHERE key = ?"
COUNT_POSITION: Final = "INSERT INTO counted_positions VALUES (?) ON CONFLICT DO NOTHING"
TALLIES: Final = (
    "SELECT seat, token, kind, result, {lines} FROM move_tallies WHERE key = ? AND {lines} > 0 "
    "ORDER BY seat, token, kind, result"
)
OF_ALL: Final = f"""
    WITH RECURSIVE without(stream) AS (
        SELECT stream FROM facts WHERE name = ? AND {{values}}
        UNION
        SELECT s.id FROM without AS w JOIN streams AS s ON s.parent_id = w.stream
        LEFT JOIN summaries AS m ON m.stream = s.id WHERE coalesce(m.kind, '') <> 'match'
    )
    SELECT seat, token, {KIND}, result, count(DISTINCT line) FROM (
        SELECT p.seat, p.token, min(p.stream) AS line FROM steps AS p
        JOIN streams AS s ON s.id = p.stream
        JOIN segments AS g ON g.stream = p.stream AND p.version BETWEEN g.lo AND g.hi
        WHERE p.key = ? AND s.kind = 'match' AND NOT s.trashed
            AND p.stream NOT IN (SELECT stream FROM without)
        GROUP BY p.seat, p.token, g.src, p.version
    ) AS moves JOIN summaries ON summaries.stream = line
    GROUP BY seat, token, kind, doubtful, result
"""
OF_PLAYER: Final = f"""
    SELECT seat, token, {KIND}, result, count(DISTINCT line) FROM (
        SELECT p.seat, p.token, min(p.stream) AS line
        FROM facts AS f CROSS JOIN steps AS p
        JOIN segments AS g ON g.stream = p.stream AND p.version BETWEEN g.lo AND g.hi
        WHERE {{seat}} AND f.folded = ? AND f.stream IN ({{streams}})
            AND p.stream = f.stream AND p.key = ? AND f.name = 'Seat' || p.seat
        GROUP BY p.seat, p.token, g.src, p.version
    ) AS moves JOIN summaries ON summaries.stream = line
    GROUP BY seat, token, kind, doubtful, result
"""
WRONG: Final = """
    SELECT count(*) FROM (
        SELECT key, seat, token, kind, result, sum(lines) AS lines, sum(open) AS open FROM (
            SELECT key, seat, token, kind, result, lines, open FROM move_tallies
            UNION ALL
            SELECT key, seat, token, kind, result, -lines, -open FROM countable_moves
        ) AS both_ways GROUP BY key, seat, token, kind, result
    ) AS sums WHERE lines <> 0 OR open <> 0
"""


class PositionIndex(SqlPart):
    """Moves by the position they were made in. An indexer stores them after the events."""

    @reads
    def positions_due(self, connection: Connection, limit: int | None = None) -> list[Stream]:
        """Return the matches whose moves are missing, or older than their head, oldest first.

        The cost does not depend on the other matches.
        """
        return queries.due(connection, "positions_due", limit)

    @reads
    def count_positions_due(self, connection: Connection) -> int:
        """Count the matches whose moves are missing, or older than their head."""
        (due,) = connection.execute(queries.COUNT_DUE.format("positions_due")).fetchone()
        return int(due)

    @writes_within_epoch
    def index_match(
        self, connection: Connection, stream: int, known: IndexedMatch, after: int = 0
    ) -> None:
        """Replace the moves of a match beyond version `after` by those at version `known.head`.

        An indexer may be slow: if the match is beyond `known.head` by now, its moves stay due.
        """
        queries.writable(connection, stream)
        for table in ("steps", "written"):
            connection.execute(
                f"DELETE FROM {table} WHERE stream = ? AND version > ?", (stream, after)
            )
        put(connection, stream, known)

    @reads
    def move_counts(
        self, connection: Connection, key: bytes, without: MetadataItem | NotEqual | None = None
    ) -> list[MoveCount]:
        """Count the moves made in the position of a key, by seat, text, kind and result.

        Kind and result come from the match's summary; a match without a summary does not count.
        A line counts once per move. A move that forks share counts once: for its oldest line. The
        trash is left out, and so are the matches with the item `without`, with their
        variations. Sorted by seat, text, kind and result.

        The cost grows with the moves, but not where `count_position` was called, if all matches
        count or all that are not private.
        """
        if without in TALLIED:
            counted = connection.execute(IS_COUNTED, (key,)).fetchone()
            query = TALLIES.format(lines=TALLIED[without])
            if counted:
                return [MoveCount(*row) for row in connection.execute(query, (key,)).fetchall()]
        if isinstance(without, NotEqual):
            values = " AND ".join(["value <> ?"] * len(without.values)) or "true"
            parameters: tuple[str | None, ...] = (without.name, *without.values)
        else:
            values = "value = ?"
            parameters = (without.name, without.value) if without else (None, None)
        rows = connection.execute(OF_ALL.format(values=values), (*parameters, key)).fetchall()
        return [MoveCount(*row) for row in sorted(rows)]  # as `TALLIES` sorts them in any database

    @reads
    def move_counts_of(
        self, connection: Connection, key: bytes, player: str, streams: Collection[int]
    ) -> list[MoveCount]:
        """Count the moves that a player made in the position of a key, in some matches.

        Case does not count. The cost grows with these matches, and not with the others.
        """
        seat, those = connection.OF_SEAT.format(fact="f"), queries.placeholders(streams)
        query = OF_PLAYER.format(seat=seat, streams=those)
        rows = connection.execute(query, (folded(player), *streams, key)).fetchall()
        return [MoveCount(*row) for row in rows]

    @writes_within_epoch
    def count_position(self, connection: Connection, key: bytes) -> None:
        """From now on, keep a count of the moves made in the position of a key."""
        connection.execute(COUNT_POSITION, (key,))

    @writes
    def forget_index(self, connection: Connection) -> None:
        """Delete all moves; every match is due then."""
        for table in ("steps", "written", "indexed"):
            connection.execute(f"DELETE FROM {table}")

    @reads_snapshot
    def indexed_match(self, connection: Connection, stream: int) -> IndexedMatch | None:
        """Return the moves of a match by version, or `None` if it is not indexed."""
        query = "SELECT head FROM indexed WHERE stream = ?"
        row = connection.execute(query, (stream,)).fetchone()
        if row is None:
            return None
        steps = connection.execute(STEPS, (stream,)).fetchall()
        moves = connection.execute(WRITTEN, (stream,)).fetchall()
        return IndexedMatch(
            row[0],
            [IndexedStep(*step) for step in steps],
            tuple(map(_written, moves)),
        )


def _written(row: Row) -> WrittenMove:
    values = [*row[:-2], bool(row[-2]), row[-1]]  # SQLite has numbers for booleans
    return WrittenMove(*values)


def put(connection: Connection, number: int, known: IndexedMatch) -> None:
    """Add moves of a match to the index, as of a version."""
    connection.insert_all("steps", [(number, *astuple(step)) for step in known.steps])
    connection.insert_all("written", [(number, *astuple(move)) for move in known.moves])
    connection.execute(INDEXED, (number, known.head))  # this counts the moves


def forget(connection: Connection, number: int) -> None:
    """Delete the moves of a match: they are due then."""
    for table in ("steps", "written", "indexed"):
        connection.execute(f"DELETE FROM {table} WHERE stream = ?", (number,))


def uncount_all(connection: Connection) -> None:
    """Count no position until `count_position` is called again."""
    for table in ("counted_moves", "move_tallies", "counted_positions"):
        connection.execute(f"DELETE FROM {table}")


def are_counts_right(connection: Connection) -> bool:
    """Return whether the counted moves agree with the matches."""
    return not connection.execute(WRONG).fetchone()[0]
