"""Connections to the file: one that writes, and a bounded number of read-only ones."""

from __future__ import annotations

import contextlib
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

from replay.store import validation
from replay.store.search_words import folded
from replay.store.sqlite.identity import Files
from replay.store.sqlite.sqlite_library import (
    ERRORS,
    Connection,
    sqlite3,
    translate_error,
    warn_if_affected,
)

READERS: Final = 8

DURABLE: Final = (
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",
    "PRAGMA foreign_keys = ON",
    "PRAGMA secure_delete = ON",  # overwrite the bytes of deleted rows
)
"""Settings for what must survive a loss of power."""
TEMPORARY: Final = (*DURABLE, "PRAGMA synchronous = OFF")
"""Settings for what is thrown away: nothing waits for the disk."""


def _unchecked() -> None:
    """Check nothing."""


def writing(
    path: Path,
    timeout: float,
    check: Callable[[], None] = _unchecked,
    settings: Sequence[str] = DURABLE,
) -> Connection:
    """Open a connection that writes; it waits `timeout` seconds for other processes.

    `check` runs before the file is opened and again before anything is read from it. If
    it raises, neither the file nor its log was touched. Raises `sqlite3.Error`. The file must
    exist.
    """
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


def reading(path: Path, timeout: float) -> Connection:
    """Open a connection that cannot write. Raises `sqlite3.Error`. The file must exist."""
    return _connect(path, "ro", timeout)


def checking(path: Path, timeout: float) -> Connection:
    """Open a connection that stores nothing and whose `integrity_check` knows `CHECK` constraints.

    SQLite forgets these constraints of a database that it opens read-only. Have a read-only
    connection open until this one is closed: otherwise it would write the log into the database.
    Where the user may not write to the file, SQLite opens it read-only after all. Raises
    `sqlite3.Error`.
    """
    connection = _connect(path, "rw", timeout)
    connection.execute("PRAGMA query_only = ON")
    return connection


class Readers:
    """Read-only connections, each lent to one thread at a time."""

    def __init__(self, path: Path, timeout: float, files: Files) -> None:
        self._path = path
        self._timeout = timeout
        self._files = files
        self._places = threading.BoundedSemaphore(READERS)
        self._idle: deque[Connection] = deque()
        self._closed = False

    @contextlib.contextmanager
    def lend(self) -> Iterator[Connection]:
        """Lend a connection for one query. Raises `StoreError` and `Damaged`."""
        self._files.check_known()
        with self._places:
            try:
                connection = self._take()
                try:
                    yield connection
                finally:
                    self._give_back(connection)
            except ERRORS as error:
                raise translate_error(error, self._path) from error

    def close(self) -> None:
        """Close every connection; one still lent is closed when it comes back."""
        self._closed = True
        with contextlib.suppress(IndexError):
            while True:
                self._idle.pop().close()

    def _take(self) -> Connection:
        if self._closed:
            raise validation.closed()
        try:
            return self._idle.pop()
        except IndexError:
            self._files.check()
            return reading(self._path, self._timeout)

    def _give_back(self, connection: Connection) -> None:
        self._idle.append(connection)
        if self._closed:
            self.close()


def _connect(path: Path, mode: str, timeout: float) -> Connection:
    connection = sqlite3.connect(
        f"{path.as_uri()}?mode={mode}",
        uri=True,
        timeout=timeout,
        isolation_level=None,
        check_same_thread=False,
    )
    # Bytes, so that a damaged text is found by its hash instead of stopping the reader.
    connection.text_factory = bytes
    connection.create_function("plybook_folded", 1, _folded, deterministic=True)
    return connection


def _folded(text: bytes) -> bytes:
    return folded(str(text, "utf-8", "replace")).encode()
