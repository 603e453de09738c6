"""Remove the bytes of erased rows that `secure_delete` leaves: in the log and between the rows.

The write-ahead log has them until it is truncated, and pages that were split hold copies (see
`unallocated`). A row of `erasures` says that this is due; it is written in the transaction of the
erasure and deleted when its bytes are gone, so neither a kill nor a backup loses it.

The writer thread cleans up in steps between the groups of writes. A step looks at a bounded number
of pages, and after it the writer is left alone for `1 / MAX_SHARE` times as long.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from replay.errors import PlybookError
from replay.store.sqlite import full_text, unallocated
from replay.store.sqlite.connecting import schema_version
from replay.store.sqlite.identity import LOG, Files, size
from replay.store.sqlite.sqlite_library import ERRORS, Connection

MAX_SHARE: Final = 0.02
"""The part of the writer's time that clean-ups may take."""
RETRY_INTERVAL: Final = 1.0
"""Seconds between tries while a reader needs the log; the writer does not wait for readers."""
OVERDUE_LIMIT: Final = 2.0
"""Seconds after which a step is done before the writes that wait."""
CLOSE_LOCK_TIMEOUT: Final = 2000
"""Milliseconds to wait for readers when the store is closed."""
FINISH_TIMEOUT: Final = 10.0
"""Seconds that the clean-up may take when the store is closed; the next start does the rest."""

SCHEDULE: Final = "INSERT INTO erasures DEFAULT VALUES"
LAST_PENDING: Final = "SELECT max(number) FROM erasures"
DONE: Final = "DELETE FROM erasures WHERE number <= ?"
FAILURES: Final = (OSError, PlybookError, *ERRORS)
"""Errors that stop a clean-up: the disk fails, the file was replaced, another process writes."""


class Cleaning:
    """The clean-up that is due after erasures. Only the writer thread uses it."""

    def __init__(self, path: Path, files: Files) -> None:
        self._path = path
        self._files = files
        self._pages: unallocated.Pages | None = None
        self._log = False
        self._tried = 0.0
        self.pending = False
        """Whether there are erasures to clean up after."""
        self._steps: Iterator[float] | None = None
        self._due = 0.0

    @property
    def wait(self) -> float:
        """The seconds until the next step of a clean-up is due."""
        return max(self._due - time.monotonic(), 0)

    @property
    def is_overdue(self) -> bool:
        """Whether a step of a clean-up is due so long that it comes before the writes that wait."""
        return time.monotonic() > self._due + OVERDUE_LIMIT

    def schedule(self, connection: Connection) -> None:
        """Note in the current transaction that it erases something."""
        connection.execute(SCHEDULE)
        self.pending = self._log = True
        self._tried = 0.0

    def look(self, connection: Connection) -> None:
        """Find out whether a clean-up is due after another process, or an earlier one."""
        self.pending = is_pending(connection)

    def after_commit(self, connection: Connection) -> None:
        """Truncate the log, unless that was tried just now. Never waits, never raises."""
        if self._log and time.monotonic() - self._tried >= RETRY_INTERVAL:
            with self._timed(), _waiting(connection, 0):
                self._truncate(connection)

    def step(self, connection: Connection) -> None:
        """Do the next step of the clean-up. Never waits for readers, never raises."""
        with self._timed(), _waiting(connection, 0):
            self._due = time.monotonic() + self._advance(connection)

    def finish(self, connection: Connection, patience: int = CLOSE_LOCK_TIMEOUT) -> None:
        """Finish the clean-up, and wait for readers so many milliseconds. Never raises."""
        until = time.monotonic() + FINISH_TIMEOUT
        with _waiting(connection, patience):
            while self.pending and time.monotonic() < until and not self._advance(connection):
                pass

    def interrupt(self) -> None:
        """Begin anew with the next step: the connection is closed."""
        self._steps = None

    def close(self) -> None:
        """Close the file. All connections of the store must be closed already."""
        if self._pages is not None:
            self._pages.close()
            self._pages = None

    @contextlib.contextmanager
    def _timed(self) -> Iterator[None]:
        """Leave the writer alone for a time that fits the time taken."""
        begun = time.monotonic()
        yield
        now = time.monotonic()
        self._due = max(self._due, now + (now - begun) / MAX_SHARE)

    def _advance(self, connection: Connection) -> float:
        """Do a step; return the seconds to wait before the next one can be of use."""
        self._steps = self._steps or self._clean(connection)
        try:
            if (pause := next(self._steps, None)) is not None:
                return pause
            self._steps = None
            self.look(connection)
        except FAILURES:
            self._steps = None
            return RETRY_INTERVAL
        return 0

    def _clean(self, connection: Connection) -> Iterator[float]:
        """Clean up after the erasures until now; yield after each step as `_advance` returns."""
        (last,) = connection.execute(LAST_PENDING).fetchone()
        for _ in full_text.merge_deleted_words(connection):
            yield 0
        yield from self._until_truncated(connection)  # so that the file has the latest pages
        pages = self._open_pages()
        first, count = unallocated.FIRST_PAGE, pages.count()
        found: list[int] = []
        while first <= count:
            first, more = pages.scan(first)
            found += more
            yield 0
            if len(found) >= unallocated.SCAN_PAGES or first > count:
                yield from self._until_overwritten(connection, pages, found)
                found.clear()
        pages.sync()
        yield from self._until_truncated(connection)
        connection.execute(DONE, (last,))

    def _until_truncated(self, connection: Connection) -> Iterator[float]:
        while not self._truncate(connection):
            yield RETRY_INTERVAL

    def _until_overwritten(
        self, connection: Connection, pages: unallocated.Pages, numbers: list[int]
    ) -> Iterator[float]:
        while numbers and not self._overwrite(connection, pages, numbers):
            yield RETRY_INTERVAL
        yield 0

    def _truncate(self, connection: Connection) -> bool:
        """Write the log into the file and truncate it; return whether no reader was in the way."""
        self._tried = time.monotonic()
        with contextlib.suppress(*ERRORS):
            busy, *_ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            self._log = bool(busy)
            return not busy
        return False

    def _overwrite(
        self, connection: Connection, pages: unallocated.Pages, numbers: list[int]
    ) -> bool:
        """Overwrite the gaps of pages, with a lock against writers and nothing to checkpoint.

        No connection may write a page from its cache afterwards: the cache of this connection is
        emptied before, and the commit empties the caches of other processes.
        """
        if not self._truncate(connection):
            return False
        connection.execute("PRAGMA shrink_memory")
        connection.execute("BEGIN IMMEDIATE")
        try:
            if alone := not size(self._path, LOG):
                self._files.check()
                pages.overwrite(numbers)
                connection.execute(f"PRAGMA user_version = {schema_version(connection)}")
                connection.execute("COMMIT")
            return alone
        finally:
            if connection.in_transaction:
                connection.execute("ROLLBACK")

    def _open_pages(self) -> unallocated.Pages:
        if self._pages is None:
            self._files.check()
            self._pages = unallocated.Pages(self._path)
            self._files.check()  # so it is the file that SQLite has open
        return self._pages


def is_pending(connection: Connection) -> bool:
    """Return whether a clean-up is due. A database without the table is damaged and has none."""
    with contextlib.suppress(*ERRORS):
        return connection.execute(LAST_PENDING).fetchone()[0] is not None
    return False


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
