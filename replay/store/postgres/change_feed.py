"""The changes of the store, whichever process wrote them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from replay.store.postgres.library import Connection
from replay.store.postgres.listener import Listener
from replay.store.protocol import ChangeCursor, Changes
from replay.store.sql.part import SqlPart

NOW: Final = """
    SELECT coalesce((SELECT max(id) FROM streams), 0), pos, stream
    FROM (SELECT 1) AS one LEFT JOIN LATERAL
        (SELECT pos, stream FROM events ORDER BY pos DESC LIMIT 1) AS last ON true
"""
STILL_THERE: Final = "SELECT 1 FROM events WHERE pos = %s AND stream = %s"
SINCE: Final = """
    SELECT s.id, s.subject FROM streams AS s
    WHERE s.id IN (SELECT stream FROM events WHERE pos > %s) OR s.id > %s
"""


class PostgresChangeFeed(SqlPart):
    """The part `ChangeFeed` of the protocol."""

    _listener: Listener

    def changes(self, cursor: ChangeCursor | None) -> Changes:
        return self._query_at_once(changes, cursor)

    def data_version(self) -> int:
        return self._query(data_version)

    def on_change(self, callback: Callable[[], None]) -> None:
        self._listener.add(callback)


def changes(connection: Connection, cursor: ChangeCursor | None) -> Changes:
    """Return the changes after a cursor, all of one moment."""
    newest, position, stream = connection.execute(NOW).fetchone() or (0, None, None)
    now = ChangeCursor(position or 0, stream or 0, newest)
    if cursor is None or cursor == now:
        return Changes(now, frozenset())
    if not _holds(connection, cursor):
        return Changes(now, None)
    rows = connection.execute(SINCE, (cursor.event, cursor.newest)).fetchall()
    return Changes(now, frozenset(number for row in rows for number in row if number))


def data_version(connection: Connection) -> int:
    """Return the number of transactions that stored something."""
    row = connection.execute("SELECT changes FROM plybook").fetchone()
    return row[0] if row else 0


def _holds(connection: Connection, cursor: ChangeCursor) -> bool:
    """Tell whether the last event seen is still there, and no other in its place."""
    if not cursor.event:
        return True
    return connection.execute(STILL_THERE, (cursor.event, cursor.stream)).fetchone() is not None
