"""The changes of the store, whichever process wrote them: cheap enough to be asked all the time."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

from replay.store import validation
from replay.store.callbacks import Callbacks
from replay.store.sql.change_feed import SqlChangeFeed
from replay.store.sqlite.connecting import reading
from replay.store.sqlite.dialect import SqliteConnection
from replay.store.sqlite.identity import Files
from replay.store.sqlite.sqlite_library import ERRORS, translate_error


class SqliteChangeFeed(SqlChangeFeed):
    """The part `ChangeFeed` of the protocol."""

    _watch: Watch
    _callbacks: Callbacks

    def data_version(self) -> int:
        return self._watch.data_version()

    def on_change(self, callback: Callable[[], None]) -> None:
        self._callbacks.add(callback)


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
                raise validation.store_closed_error()
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
