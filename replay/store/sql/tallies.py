"""Tallies: how many matches have a result, a length, a player's result.

The table `counted` has each match as it is counted, `tallies` the sums. Triggers keep both up to
date, so no writing program can forget to.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

from replay.store.search_words import folded
from replay.store.sql import queries
from replay.store.sql.dialect import Connection
from replay.store.sql.part import SqlPart, reads
from replay.store.types import RefusedTries, Tally

ALL: Final = "SELECT game, visibility, what, value, times FROM tallies WHERE {conditions}"
OF_PLAYER: Final = """
    SELECT game, visibility, what, value, count(*) FROM tallied
    WHERE stream IN (SELECT p.stream FROM facts AS p WHERE {seat} AND p.folded = ?)
    AND {conditions} GROUP BY game, visibility, what, value
"""
OF_CALLER: Final = """
    SELECT game, visibility, what, value, count(*) FROM tallied WHERE stream IN (
        SELECT stream FROM (
            SELECT stream FROM keys WHERE digest = ? ORDER BY stream DESC LIMIT ?
        ) AS opened
        UNION SELECT id FROM streams WHERE id IN ({streams})
    ) GROUP BY game, visibility, what, value
"""
MAX_OPENED: Final = 1000
"""The number of the newest matches of a token or an account that are counted."""
REFUSED: Final = """
    SELECT m.game, coalesce(v.value, 'unlisted') AS shown, coalesce(p.value, '') AS player,
        t.clause, count(*)
    FROM (SELECT stream, {seat} AS seat, {clause} AS clause FROM events
        WHERE type = 'try refused' ORDER BY pos DESC LIMIT ?) AS t
    JOIN streams AS s ON s.id = t.stream AND NOT s.trashed
    JOIN summaries AS m ON m.stream = t.stream AND m.kind = 'match'
    LEFT JOIN facts AS v ON v.stream = t.stream AND v.name = 'access.visibility'
    LEFT JOIN facts AS p ON p.stream = t.stream AND p.name = 'Seat' || t.seat
    WHERE {conditions}
    GROUP BY m.game, shown, player, t.clause
"""
MAX_REFUSED: Final = 10_000
"""The newest refused tries that count."""
WRONG: Final = """
    SELECT count(*) FROM (
        SELECT game, visibility, what, value, sum(times) AS times FROM (
            SELECT game, visibility, what, value, times FROM tallies
            UNION ALL
            SELECT game, visibility, what, value, -count(*) FROM tallied
            GROUP BY game, visibility, what, value
        ) AS both_ways GROUP BY game, visibility, what, value
    ) AS sums WHERE times <> 0
"""
UNCOUNTED: Final = """
    SELECT (SELECT count(*) FROM (SELECT {columns} FROM countable
            EXCEPT SELECT {columns} FROM counted) AS missing)
        + (SELECT count(*) FROM (SELECT {columns} FROM counted
            EXCEPT SELECT {columns} FROM countable) AS extra)
""".format(columns="stream, game, visibility, counts")


class Tallies(SqlPart):
    """Sums over the matches by game and visibility.

    Matches in the trash do not count, nor do variations. A match counts as in its stored summary,
    which may be outdated.
    """

    @reads
    def tallies(
        self, connection: Connection, game: str | None = None, player: str | None = None
    ) -> list[Tally]:
        """Return the tallies of a game or of all; with `player`, of only that player's matches.

        The cost does not depend on the matches; with `player`, it grows with that player's matches.
        Case does not count.
        """
        conditions, values = ("game = ?", [game]) if game is not None else ("true", list[Any]())
        if player is None:
            query = ALL.format(conditions=conditions)
        else:
            seat = connection.OF_SEAT.format(fact="p")
            query = OF_PLAYER.format(seat=seat, conditions=conditions)
            values.insert(0, folded(player))
        return [Tally(*row) for row in connection.execute(query, values).fetchall()]

    @reads
    def tallies_of(
        self, connection: Connection, streams: Collection[int], key: bytes | None
    ) -> list[Tally]:
        """Return the tallies of some matches, and of the matches that a token opens.

        Of the matches that a token opens, the newest `MAX_OPENED` count, so that the cost does not
        grow with the book.
        """
        query = OF_CALLER.format(streams=queries.placeholders(streams))
        values = [key or b"", MAX_OPENED, *streams]
        return [Tally(*row) for row in connection.execute(query, values).fetchall()]

    @reads
    def refused_tries(
        self, connection: Connection, game: str | None = None, *, sure: bool = False
    ) -> list[RefusedTries]:
        """Return the refused tries of a game or of all, by player and clause.

        With `sure`, those in doubtful matches are left out.

        The newest `MAX_REFUSED` count, so the cost does not grow beyond that.
        """
        fields = {name: connection.FIELD.format(name=name) for name in ("seat", "clause")}
        wanted = ("true" if game is None else "m.game = ?") + " AND NOT m.doubtful" * sure
        query = REFUSED.format(**fields, conditions=wanted)
        values: list[Any] = [MAX_REFUSED] if game is None else [MAX_REFUSED, game]
        return [RefusedTries(*row) for row in connection.execute(query, values).fetchall()]


def recount_all(connection: Connection) -> None:
    """Count all matches again for the tallies."""
    connection.execute("DELETE FROM counted")
    connection.execute("DELETE FROM tallies")
    connection.execute("INSERT INTO counted SELECT * FROM countable")


def are_right(connection: Connection) -> bool:
    """Return whether every match is counted with its current values, and the tallies add up."""
    return not any(connection.execute(each).fetchone()[0] for each in (UNCOUNTED, WRONG))
