"""Remove the bytes of erased rows that `secure_delete` leaves: in the log and between the rows.

The write-ahead log has them until it is truncated. Pages that SQLite splits or joins hold copies
in the space between the rows; only `VACUUM`, which writes the whole file anew, clears them.

A row of `erasures` says that a clean-up is due. It is written in the transaction of the erasure and
deleted when its bytes are gone, so neither a kill nor a backup loses it. One `VACUUM` serves all
erasures due. The writer thread runs it when no write has come for a while, and stops it for the
next write.
"""

from __future__ import annotations

import contextlib
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from replay.errors import PlybookError
from replay.store.sqlite import full_text
from replay.store.sqlite.driver import ERRORS, Connection
from replay.store.sqlite.replaced_files import Files

REST: Final = 60.0
"""Seconds without a write after which a clean-up begins."""
INTERVAL: Final = 3600.0
"""Seconds from a clean-up to the next one of the same process, unless that closes the store."""
RETRY_INTERVAL: Final = 1.0
"""Seconds between tries while a reader needs the log, or another process writes."""
CLOSE_LOCK_TIMEOUT: Final = 2000
"""Milliseconds to wait for readers when the store is closed."""
FINISH_TIMEOUT: Final = 10.0
"""Seconds that a clean-up may take when the store is closed; a later start does the rest."""
ROOM: Final = 2
"""How many times the size of the file must be free on the disk."""
CHECK_INTERVAL: Final = 20_000
"""Steps of SQLite's virtual machine, some milliseconds, between two looks for waiting writes."""

SCHEDULE: Final = "INSERT INTO erasures DEFAULT VALUES"
LAST_PENDING: Final = "SELECT max(number) FROM erasures"
DUE_SINCE: Final = "SELECT min(at) FROM erasures"
DONE: Final = "DELETE FROM erasures WHERE number <= ?"
FAILURES: Final = (OSError, PlybookError, *ERRORS)
"""Errors that stop a clean-up: the disk fails, the file was replaced, another process writes."""


class Cleaning:
    """The clean-up that is due after erasures. Only the writer thread uses it."""

    def __init__(self, path: Path, files: Files) -> None:
        self._path = path
        self._files = files
        self.pending = False
        """Whether there are erasures to clean up after."""
        self._has_log = False
        """Whether the log may hold erased bytes."""
        self._tried = self._written = self._cleaned = float("-inf")

    @property
    def wait(self) -> float:
        """The seconds until the next try to clean up is due, if no write comes before."""
        due = self._tried + RETRY_INTERVAL
        if not self._has_log:
            due = max(due, self._written + REST, self._cleaned + INTERVAL)
        return max(due - time.monotonic(), 0)

    def schedule(self, connection: Connection) -> None:
        """Note in the current transaction that it erases something."""
        connection.execute(SCHEDULE)
        self.pending = self._has_log = True
        self._tried = float("-inf")

    def look(self, connection: Connection) -> None:
        """Look whether another process, or an earlier process, has left a clean-up undone."""
        self.pending = due_since(connection) is not None

    def after_commit(self, connection: Connection) -> None:
        """Truncate the log after an erasure, unless that was tried just now.

        Never waits, never raises.
        """
        self._written = time.monotonic()
        if self._has_log and self._written - self._tried >= RETRY_INTERVAL:
            with _waiting(connection, 0):
                self._truncate(connection)

    def rest(self, connection: Connection, is_needed: Callable[[], bool]) -> None:
        """Truncate the log, or else clean up until the writer is needed. Never raises."""
        with _waiting(connection, 0):
            if self._has_log:
                self._truncate(connection)
            else:
                self._clean(connection, is_needed)

    def finish(self, connection: Connection, timeout: float = FINISH_TIMEOUT) -> None:
        """Clean up for at most `timeout` seconds; wait a little for readers. Never raises."""
        until = time.monotonic() + timeout
        with _waiting(connection, CLOSE_LOCK_TIMEOUT):
            self._clean(connection, lambda: time.monotonic() > until)

    def _clean(self, connection: Connection, must_stop: Callable[[], bool]) -> None:
        """Write the file anew, and note that the erasures until now are done."""
        self._tried = time.monotonic()
        with contextlib.suppress(*FAILURES):
            self._files.check()
            (last,) = connection.execute(LAST_PENDING).fetchone()
            if last is not None and has_room(self._path):
                full_text.merge_deleted_words(connection)
                with _stopping(connection, must_stop):
                    connection.execute("VACUUM")
                self._has_log = True
                if self._truncate(connection):
                    connection.execute(DONE, (last,))
                    self._cleaned = time.monotonic()
            self.look(connection)

    def _truncate(self, connection: Connection) -> bool:
        """Write the log into the file and truncate it; return whether no reader prevented that."""
        self._tried = time.monotonic()
        with contextlib.suppress(*ERRORS):
            busy, *_ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            self._has_log = bool(busy)
            return not busy
        return False


def due_since(connection: Connection) -> int | None:
    """Return when the oldest pending clean-up became due, in milliseconds since 1970, or `None`.

    A database without the table is damaged and has none.
    """
    with contextlib.suppress(*ERRORS):
        since: int | None = connection.execute(DUE_SINCE).fetchone()[0]
        return since
    return None


def has_room(path: Path) -> bool:
    """Return whether the disks have room for writing a database anew without erased rows.

    Raises `OSError`.
    """
    needed = ROOM * path.stat().st_size
    folders = (path.absolute().parent, tempfile.gettempdir())
    return all(shutil.disk_usage(each).free >= needed for each in folders)


@contextlib.contextmanager
def _waiting(connection: Connection, patience: int) -> Iterator[None]:
    """Let a connection wait `patience` milliseconds for others. Never raises."""
    with contextlib.suppress(*ERRORS):
        usual = connection.execute("PRAGMA busy_timeout").fetchone()[0]
        connection.execute(f"PRAGMA busy_timeout = {patience}")
        try:
            yield
        finally:
            connection.execute(f"PRAGMA busy_timeout = {usual}")


@contextlib.contextmanager
def _stopping(connection: Connection, must_stop: Callable[[], bool]) -> Iterator[None]:
    """Interrupt the work of the connection as soon as it must stop."""
    connection.set_progress_handler(must_stop, CHECK_INTERVAL)
    try:
        yield
    finally:
        connection.set_progress_handler(None, 0)
