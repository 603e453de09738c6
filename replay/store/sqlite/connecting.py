"""Connections to the file: one that writes, and a bounded number of read-only ones."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from replay.runtime import RUNTIME
from replay.store import validation
from replay.store.connection_pool import ConnectionPool
from replay.store.sqlite.dialect import SqliteConnection
from replay.store.sqlite.driver import (
    ERRORS,
    Connection,
    sqlite3,
    translate_error,
    warn_if_affected,
)
from replay.store.sqlite.replaced_files import Files

DURABLE: Final = (
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",
    "PRAGMA foreign_keys = ON",
    "PRAGMA secure_delete = ON",  # overwrite the bytes of deleted rows
)
"""Settings for stores that survive a loss of power."""
TEMPORARY: Final = (*DURABLE, "PRAGMA synchronous = OFF")
"""Settings for temporary stores: no write waits for the disk."""


def _unchecked() -> None:
    """Check nothing."""


def writing(
    path: Path,
    timeout: float,
    check: Callable[[], None] = _unchecked,
    settings: Sequence[str] = DURABLE,
) -> SqliteConnection:
    """Open a connection that writes; it waits `timeout` seconds for other processes.

    `check` runs before the file is opened, and again before the first read. If it raises, it has
    touched neither the file nor its log. Raises `sqlite3.Error`. The file must exist.
    """
    if RUNTIME.is_parallel:  # otherwise no two programs write
        warn_if_affected()
    check()
    connection = _connect(path, "rw", timeout)
    try:
        check()
        for setting in settings:
            connection.execute(setting)
    except BaseException:
        connection.close()
        raise
    return connection


def reading(path: Path, timeout: float) -> SqliteConnection:
    """Open a connection that cannot write. Raises `sqlite3.Error`. The file must exist."""
    return _connect(path, "ro", timeout)


def checking(path: Path, timeout: float) -> SqliteConnection:
    """Open a connection that stores nothing and whose `integrity_check` knows `CHECK` constraints.

    SQLite forgets these constraints of a database that it opens read-only. Keep a read-only
    connection open until this connection is closed: otherwise closing it would write the log into
    the database. SQLite opens the file read-only after all if the user may not write to it. Raises
    `sqlite3.Error`.
    """
    connection = _connect(path, "rw", timeout)
    connection.execute("PRAGMA query_only = ON")
    return connection


def schema_version(connection: Connection) -> int:
    """Return the number of migrations that the database has had."""
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    return version


def has_log(connection: Connection) -> bool:
    """Return whether the database has a write-ahead log, as it should."""
    mode: str = connection.execute("PRAGMA journal_mode").fetchone()[0]
    return mode == "wal"


class SqlitePool(ConnectionPool[SqliteConnection]):
    """Read-only connections to the file."""

    _errors = ERRORS

    def __init__(self, path: Path, timeout: float, files: Files) -> None:
        super().__init__(str(path), timeout, files.check_known)
        self._path = path
        self._timeout = timeout
        self._files = files

    def _open(self) -> SqliteConnection:
        self._files.check()
        return reading(self._path, self._timeout)

    def _translated(self, error: Exception) -> Exception:
        return translate_error(error, self._path)


class Watch:
    """A connection that notices the commits of all other connections, in any process."""

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
                if self._connection is None:  # kept: the number is comparable only here
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


def _connect(path: Path, mode: str, timeout: float) -> SqliteConnection:
    return sqlite3.connect(
        f"{path.as_uri()}?mode={mode}",
        uri=True,
        timeout=timeout,
        isolation_level=None,
        check_same_thread=False,
        factory=SqliteConnection,
    )
