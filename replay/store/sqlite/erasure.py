"""Remove the bytes of erased rows that `secure_delete` leaves: in the log and between the rows.

The write-ahead log has them until it is truncated. Pages that SQLite splits or joins hold copies:
it repacks their rows and leaves the earlier ones in the space between the pointers and the rows. No
statement reads that space or clears it, except `VACUUM`, which writes the whole file.

A row of `erasures` says that a clean-up is due; it is written in the transaction of the erasure and
deleted when its bytes are gone, so neither a kill nor a backup loses it. The writer thread cleans
up in steps between the groups of writes. A step looks at a bounded number of pages, and after it
the writer is left alone for `1 / MAX_SHARE` times as long.
"""

from __future__ import annotations

import contextlib
import os
import struct
import time
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Final, NamedTuple

from replay.errors import PlybookError
from replay.store.sqlite import full_text
from replay.store.sqlite.connecting import schema_version
from replay.store.sqlite.driver import ERRORS, Connection
from replay.store.sqlite.replaced_files import LOG, Files, size

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
HEADERS: Final = {2: 12, 5: 12, 10: 8, 13: 8}
"""The bytes of a b-tree page's header, by its first byte, which tells the kind of page.

https://www.sqlite.org/fileformat2.html#b_tree_pages
"""
MAX_PAGES: Final = 2**25
"""Pages of the largest file: in a larger one an overflow page may begin like a b-tree page."""
SCAN_PAGES: Final = 256
"""Pages that are looked at in one step."""
FIRST_PAGE: Final = 2
"""The first page to scan; page 1 has a part of the schema and no rows of Plybook."""


class Cleaning:
    """The clean-up that is due after erasures. Only the writer thread uses it."""

    def __init__(self, path: Path, files: Files) -> None:
        self._path = path
        self._files = files
        self._pages: Pages | None = None
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
        """Whether a step of a clean-up has been due so long that it comes before waiting writes."""
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
        """Finish the clean-up, and wait `patience` milliseconds for readers. Never raises."""
        until = time.monotonic() + FINISH_TIMEOUT
        with _waiting(connection, patience):
            while self.pending and time.monotonic() < until and not self._advance(connection):
                pass

    def interrupt(self) -> None:
        """Start over with the next step: the connection is closed."""
        self._steps = None

    def close(self) -> None:
        """Close the file. All connections of the store must be closed already."""
        if self._pages is not None:
            self._pages.close()
            self._pages = None

    @contextlib.contextmanager
    def _timed(self) -> Iterator[None]:
        """Leave the writer alone for a time in proportion to the time taken."""
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
        """Clean up after the erasures until now; after each step yield what `_advance` returns."""
        (last,) = connection.execute(LAST_PENDING).fetchone()
        for _ in full_text.merge_deleted_words(connection):
            yield 0
        yield from self._until_truncated(connection)  # so that the file has the latest pages
        pages = self._open_pages()
        first, count = FIRST_PAGE, pages.count()
        found: list[int] = []
        while first <= count:
            first, more = pages.scan(first)
            found += more
            yield 0
            if len(found) >= SCAN_PAGES or first > count:
                yield from self._until_overwritten(connection, pages, found)
                found.clear()
        pages.sync()
        yield from self._until_truncated(connection)
        connection.execute(DONE, (last,))

    def _until_truncated(self, connection: Connection) -> Iterator[float]:
        while not self._truncate(connection):
            yield RETRY_INTERVAL

    def _until_overwritten(
        self, connection: Connection, pages: Pages, numbers: list[int]
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

    def _overwrite(self, connection: Connection, pages: Pages, numbers: list[int]) -> bool:
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

    def _open_pages(self) -> Pages:
        if self._pages is None:
            self._files.check()
            self._pages = Pages(self._path)
            self._files.check()  # so it is the file that SQLite has open
        return self._pages


def is_pending(connection: Connection) -> bool:
    """Return whether a clean-up is due. A database without the table is damaged and has none."""
    with contextlib.suppress(*ERRORS):
        return connection.execute(LAST_PENDING).fetchone()[0] is not None
    return False


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


class Gap(NamedTuple):
    """The unallocated bytes of a page: from `start` to before `end`."""

    start: int
    end: int


class Pages:
    """The pages of a database file, read and overwritten without SQLite.

    Close it after all connections of this process: that takes away their POSIX locks.
    """

    def __init__(self, path: Path) -> None:
        """Open the file. Raises `OSError`."""
        self._file = path.open("r+b", buffering=0)
        head = self._file.read(100)
        self._size = 65536 if head[16:18] == b"\0\1" else int.from_bytes(head[16:18])
        self._has_maps = any(head[52:56])
        """Whether the file has pointer maps (`auto_vacuum`), which may begin like b-tree pages."""

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def sync(self) -> None:
        """Wait until the overwritten pages are on the disk. Raises `OSError`."""
        os.fsync(self._file.fileno())

    def count(self) -> int:
        """Return the number of pages, or 0 if other pages could be taken for b-tree pages."""
        pages = self._file.seek(0, 2) // self._size
        return 0 if self._has_maps or pages >= MAX_PAGES else pages

    def scan(self, first: int) -> tuple[int, list[int]]:
        """Scan some pages; return the number after them, and the pages with bytes left in a gap.

        Raises `OSError`, even if the file has only shrunk.
        """
        self._file.seek((first - 1) * self._size)
        data = self._file.read(SCAN_PAGES * self._size)
        begins = range(0, len(data) - self._size + 1, self._size)
        pages = [data[begin : begin + self._size] for begin in begins]
        found = [number for number, page in enumerate(pages, first) if gap_of(page) is not None]
        if not pages:
            raise OSError(f"the file has no page {first}")
        return first + len(pages), found

    def overwrite(self, numbers: Iterable[int]) -> None:
        """Overwrite the gaps of some pages. Raises `OSError`.

        No program may write to the file meanwhile, or checkpoint.
        """
        for number in numbers:
            begin = (number - 1) * self._size
            self._file.seek(begin)
            if gap := gap_of(self._file.read(self._size)):
                self._file.seek(begin + gap.start)
                if self._file.write(bytes(gap.end - gap.start)) != gap.end - gap.start:
                    raise OSError("the disk took only part of the bytes")


def gap_of(page: bytes) -> Gap | None:
    """Return the gap of a b-tree page, if there is anything in it but zeros.

    Return `None` for other pages, and for a damaged one, which stays unchanged.
    """
    header = HEADERS.get(page[0])
    if header is None:
        return None
    _, cells, end = struct.unpack_from(">HHH", page, 1)
    end = end or 65536
    start = header + 2 * cells
    if not page[start:end].strip(b"\0"):
        return None
    rows = struct.unpack_from(f">{cells}H", page, header) if start < end <= len(page) else (0,)
    return Gap(start, end) if min(rows, default=end) >= end else None


def overwrite_all(path: Path) -> None:
    """Overwrite the gaps of a file that no program has open. Raises `OSError`."""
    with closing(Pages(path)) as pages:
        first = FIRST_PAGE
        while first <= pages.count():
            first, found = pages.scan(first)
            pages.overwrite(found)
        pages.sync()
