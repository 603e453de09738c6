"""The changes of the store after a cursor."""

from __future__ import annotations

from typing import Final

from replay.store.protocol import ChangeCursor, Changes
from replay.store.sql.dialect import Connection
from replay.store.sql.part import SqlPart

NOW: Final = """
    SELECT coalesce((SELECT max(id) FROM streams), 0), last.pos, last.stream
    FROM (SELECT 1) AS one
    LEFT JOIN (SELECT pos, stream FROM events ORDER BY pos DESC LIMIT 1) AS last ON true
"""
STILL_THERE: Final = "SELECT 1 FROM events WHERE pos = ? AND stream = ?"
SINCE: Final = """
    SELECT s.id, s.subject FROM streams AS s
    WHERE s.id IN (SELECT stream FROM events WHERE pos > ?) OR s.id > ?
"""


class SqlChangeFeed(SqlPart):
    """The method `changes` of the part `ChangeFeed` of the protocol."""

    def changes(self, cursor: ChangeCursor | None) -> Changes:
        return self._query_at_once(changes, cursor)


def changes(connection: Connection, cursor: ChangeCursor | None) -> Changes:
    """Return the changes after a cursor, all of one moment."""
    newest, position, stream = connection.execute(NOW).fetchone()
    now = ChangeCursor(position or 0, stream or 0, newest)
    if cursor is None or cursor == now:
        return Changes(now, frozenset())
    if not _holds(connection, cursor):
        return Changes(now, None)
    rows = connection.execute(SINCE, (cursor.event, cursor.newest)).fetchall()
    return Changes(now, frozenset(number for row in rows for number in row if number))


def _holds(connection: Connection, cursor: ChangeCursor) -> bool:
    """Tell whether the last event seen is still there.

    The position of a purged event is used again, but the number of a stream is not: comparing both
    cannot mistake another event for it.
    """
    if not cursor.event:
        return True
    return connection.execute(STILL_THERE, (cursor.event, cursor.stream)).fetchone() is not None
