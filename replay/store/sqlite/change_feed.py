"""The changes of the store, whichever process wrote them: cheap enough to be asked all the time."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Final

from replay.store import validation
from replay.store.callbacks import Callbacks
from replay.store.protocol import ChangeCursor, Changes
from replay.store.sql.dialect import Connection
from replay.store.sql.part import SqlPart
from replay.store.sqlite.connecting import reading
from replay.store.sqlite.dialect import SqliteConnection
from replay.store.sqlite.identity import Files
from replay.store.sqlite.sqlite_library import ERRORS, translate_error

LAST: Final = "SELECT pos, stream FROM events ORDER BY pos DESC LIMIT 1"
NEWEST: Final = "SELECT ifnull(max(id), 0) FROM streams"
STILL_THERE: Final = "SELECT 1 FROM events WHERE pos = ? AND stream = ?"
SINCE: Final = """
    SELECT s.id, s.subject FROM streams AS s
    WHERE s.id IN (SELECT stream FROM events WHERE pos > ?) OR s.id > ?
"""


class SqliteChangeFeed(SqlPart):
    """The part `ChangeFeed` of the protocol."""

    _watch: Watch
    _callbacks: Callbacks

    def changes(self, cursor: ChangeCursor | None) -> Changes:
        return self._query_at_once(changes, cursor)

    def data_version(self) -> int:
        return self._watch.data_version()

    def on_change(self, callback: Callable[[], None]) -> None:
        self._callbacks.add(callback)


def changes(connection: Connection, cursor: ChangeCursor | None) -> Changes:
    """Return the changes after a cursor, all of one moment."""
    position, stream = connection.execute(LAST).fetchone() or (0, 0)
    now = ChangeCursor(position, stream, connection.execute(NEWEST).fetchone()[0])
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


class Watch:
    """A connection that notices the commits of all others, in any process."""

    def __init__(self, path: Path, timeout: float, files: Files) -> None:
        self._path = path
        self._timeout = timeout
        self._files = files
        self._lock = threading.Lock()
        self._connection: SqliteConnection | None = None
        self._closed = False

    def data_version(self) -> int:
        """Return a number that differs after a commit."""
        with self._lock:
            if self._closed:
                raise validation.closed()
            self._files.check()  # a server that only waits finds out by this
            try:
                if self._connection is None:  # kept: the number means something here only
                    self._connection = reading(self._path, self._timeout)
                version: int = self._connection.execute("PRAGMA data_version").fetchone()[0]
            except ERRORS as error:
                raise translate_error(error, self._path) from error
        return version

    def close(self) -> None:
        """Close the connection."""
        with self._lock:
            self._closed = True
            if self._connection is not None:
                self._connection.close()
                self._connection = None
