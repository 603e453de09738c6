"""Remove erased bytes from the write-ahead log, and from between the rows of the file.

SQLite overwrites deleted rows (`secure_delete`), but the write-ahead log has them until it is
truncated, and a page that was split can still hold a copy of a row that moved to another.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from replay.store.sqlite.sqlite_library import ERRORS, Connection

PAUSE: Final = 1.0
"""Seconds between tries while somebody reads what is to be truncated; the writer waits for none."""
PATIENCE: Final = 2000
"""Milliseconds to wait for readers when the store is closed."""
LARGEST: Final = 2**26
"""Bytes of a file that is rewritten. For a larger one the log alone is truncated."""

REWRITE: Final = (
    "PRAGMA temp_store = MEMORY",  # no copy of it all in a temporary file
    "INSERT INTO texts_fts (texts_fts) VALUES ('optimize')",  # drops the words of deleted rows
    "VACUUM",
)


class Cleaning:
    """The clean-up that is due after erasures. Only the writer thread uses it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._log = False
        self._pages = False
        self._tried = 0.0

    @property
    def owed(self) -> bool:
        """Whether erased bytes may still be somewhere."""
        return self._log or self._pages

    def owe(self) -> None:
        """Note that something was erased."""
        self._log = self._pages = True
        self._tried = 0.0

    def after_commit(self, connection: Connection) -> None:
        """Truncate the log, unless that was tried just now. Never waits, never raises."""
        if self._log and time.monotonic() - self._tried >= PAUSE:
            with _waiting(connection, 0):
                self._truncate(connection)

    def while_idle(self, connection: Connection) -> None:
        """Rewrite the file and truncate the log. Never waits for readers, never raises."""
        self._clean(connection, 0)

    def at_close(self, connection: Connection) -> None:
        """Finish the clean-up, and wait for readers a little. Never raises."""
        if self.owed:
            self._clean(connection, PATIENCE)

    def _clean(self, connection: Connection, patience: int) -> None:
        with _waiting(connection, patience):
            if self._pages:
                self._rewrite(connection)
            self._truncate(connection)

    def _rewrite(self, connection: Connection) -> None:
        with contextlib.suppress(OSError, *ERRORS):  # another process writes, or the disk is full
            if self._path.stat().st_size <= LARGEST:
                for statement in REWRITE:
                    connection.execute(statement)
                self._log = True
            self._pages = False

    def _truncate(self, connection: Connection) -> None:
        self._tried = time.monotonic()
        with contextlib.suppress(*ERRORS):
            busy, *_ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            self._log = bool(busy)


@contextlib.contextmanager
def _waiting(connection: Connection, patience: int) -> Iterator[None]:
    """Let a connection wait so many milliseconds for others. Never raises."""
    with contextlib.suppress(*ERRORS):
        usual = connection.execute("PRAGMA busy_timeout").fetchone()[0]
        connection.execute(f"PRAGMA busy_timeout = {patience}")
        try:
            yield
        finally:
            connection.execute(f"PRAGMA busy_timeout = {usual}")
