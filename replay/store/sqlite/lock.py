"""The lock file of a database: every program that has the database open shares its lock.

SQLite's own locks belong to the file that was opened; they do not cover a file that took its place.
The lock file belongs to the name of the database. It holds the inodes of the files that were
opened, and so identifies a stale log, which belongs to an earlier database of that name. After the
inodes comes the last text that a program sent to the others.

A second file, the gate, lets one program at a time open, close, replace or inspect the database.
Therefore a program in the gate finds every other program that shares the lock with its connections
open. SQLite removes a log when the last connection closes. A program closes inside the gate, so the
log that the lock file names exists until the last program has closed. If the lock is shared and the
log is a different file, the log was replaced or removed.

The locks are advisory, by `flock`. SQLite uses POSIX locks, which are independent of them.
"""

from __future__ import annotations

import contextlib
import errno
import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, NamedTuple, TypeVar

from replay.errors import StoreError
from replay.store.sqlite.replaced_files import DATABASE, INDEX, LOG, NOBODY, Files, identify, size

if sys.platform != "win32":
    import fcntl

T = TypeVar("T")
SUFFIX: Final = "-lock"
GATE: Final = "-gate"
NO_GATE: Final = -1
"""The descriptor in a folder that cannot be written."""
RETRY_INTERVAL: Final = 0.01
"""Seconds between two attempts to get the lock."""
GATE_TIMEOUT: Final = 5.0
"""Seconds to wait for a program that opens, closes or replaces the database."""
TOLD: Final = 128
"""The place of the text that a program sends to the others."""
FRESH: Final = 10_000_000_000
"""Nanoseconds for which the others may read it."""
MAX_TEXT: Final = 8000
UNSUPPORTED: Final = {errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP}
"""Codes of file systems without locks."""
MIXED: Final = "its files do not belong together"
WRITABLE: Final = os.O_RDWR | os.O_CREAT


class OpenFiles(NamedTuple):
    """The inodes of the files that a program has open, or had open when it ended; 0 if unknown."""

    database: int
    log: int
    log_index: int


NOTHING: Final = OpenFiles(0, 0, 0)


class Lock:
    """The lock of a database. In a folder that cannot be written the lock does nothing.

    The first program has it exclusively until it calls `share`. Acquire and release it in the gate.
    """

    def __init__(self, path: Path, number: int | None, alone: bool) -> None:
        self._path = path
        self._number = number
        self._alone = alone
        self._heard = 0
        """When the text was left that was read last."""

    def share(self, files: Files) -> None:
        """Note which files are open, then let other programs open the database."""
        if self._number is not None and self._alone:
            with contextlib.suppress(OSError):  # a full disk: only the note is missing
                os.ftruncate(self._number, 0)
                os.pwrite(self._number, " ".join(map(str, files.inodes())).encode(), 0)
            _flock(self._number, exclusive=False)
            self._alone = False

    def contradiction(self) -> str | None:
        """Return a description of the fault if the files of a database do not belong together.

        No other program has it open.
        """
        if self._number is None:
            return None
        return _contradiction(self._path, _opened(self._number), held=False)

    def is_alone(self) -> bool:
        """Return whether no other program has the database open."""
        if self._number is None:
            return False
        alone = _flock(self._number, exclusive=True)
        _flock(self._number, exclusive=False)
        return alone

    def tell(self, text: str) -> None:
        """Leave a text in the lock file for the other programs, in place of an earlier text."""
        if self._number is not None:
            with contextlib.suppress(OSError):  # a full disk
                os.pwrite(self._number, f"{text}\n".encode(), TOLD)
                self._heard = os.fstat(self._number).st_mtime_ns

    def told(self) -> str:
        """Return the text that another program has just left in the lock file; empty if read."""
        if self._number is None:
            return ""
        left = os.fstat(self._number).st_mtime_ns
        if left == self._heard or time.time_ns() - left > FRESH:
            return ""
        self._heard = left
        return os.pread(self._number, MAX_TEXT, TOLD).partition(b"\n")[0].decode(errors="replace")

    def release(self) -> None:
        """Release the lock on the database file.

        The last program removes the lock file, unless it leaves a log behind.
        """
        if self._number is None:
            return
        if _flock(self._number, exclusive=True) and not size(self._path, LOG):
            with contextlib.suppress(OSError):
                os.unlink(f"{self._path}{SUFFIX}")
        os.close(self._number)
        self._number = None


@contextlib.contextmanager
def gate(path: Path, patience: float | None = GATE_TIMEOUT) -> Iterator[None]:
    """Keep other programs from opening, closing, replacing and inspecting a database.

    A program that ends has no `patience`, `None`, and waits until the gate is free. A folder
    that cannot be written has no gate. Raises `StoreError` if it is not free in time.
    """
    number = _wait(lambda: _enter(path), path, patience)
    try:
        yield
    finally:
        if number != NO_GATE:
            with contextlib.suppress(OSError):
                os.unlink(f"{path}{GATE}")
            os.close(number)


def acquire(path: Path, patience: float) -> Lock:
    """Return the lock of a database that is about to be opened, waiting a while for it.

    Raises `StoreError` if another program has different files open under this name, if the log
    belongs to another file, or if the database is being restored.
    """
    return _wait(lambda: _try(path), path, patience)


def seize(path: Path) -> Lock | None:
    """Return the lock exclusively, or `None` if another program has the database open."""
    number = _open(path, WRITABLE)
    if number is None or _flock(number, exclusive=True):
        return Lock(path, number, alone=True)
    os.close(number)
    return None


def check(path: Path) -> None:
    """Raise `StoreError` if the files of a database do not belong together."""
    if what := contradiction(path):
        raise StoreError(what, MIXED)


def contradiction(path: Path) -> str | None:
    """Return a description of the fault if the files of a database do not belong together."""
    with _inspecting(path) as found:
        return found and _contradiction(path, found.opened, found.held)


def lost_log(path: Path) -> bool:
    """Return whether a program ended without closing the database and its log has vanished."""
    with _inspecting(path) as found:
        return (
            found is not None
            and not found.held
            and found.opened.database == _inode(path, DATABASE)
            and found.opened.log not in (0, _inode(path, LOG))
        )


class _Inspected(NamedTuple):
    """The content of the lock file, and whether a program has the database open."""

    opened: OpenFiles
    held: bool


@contextlib.contextmanager
def _inspecting(path: Path) -> Iterator[_Inspected | None]:
    """Read the lock file in the gate; `None` if it is missing.

    The lock is never shared: a program that opens the database without the gate would take the
    inspection for a program that has it open.
    """
    if not os.path.lexists(f"{path}{SUFFIX}"):
        yield None
        return
    with gate(path), contextlib.ExitStack() as left:
        number = _open(path, os.O_RDONLY)
        if number is None:
            yield None
        else:
            left.callback(os.close, number)
            yield _Inspected(_opened(number), not _flock(number, exclusive=True))


def _enter(path: Path) -> int | None:
    """Return the descriptor of the gate, or `None` if another program is in it."""
    number = _open(path, WRITABLE, GATE)
    if number is None:
        return NO_GATE
    if _flock(number, exclusive=True) and identify(path, GATE) == _identity(number):
        return number
    os.close(number)
    return None


def _wait(attempt: Callable[[], T | None], path: Path, patience: float | None) -> T:
    """Return the first result of an attempt. Raises `StoreError` after the time."""
    until = time.monotonic() + (float("inf") if patience is None else patience)
    while (result := attempt()) is None:
        if time.monotonic() > until:
            raise StoreError(f"{path} is being opened or restored by another program; try again")
        time.sleep(RETRY_INTERVAL)
    return result


def _try(path: Path) -> Lock | None:
    number = _open(path, WRITABLE)
    if number is None:
        return Lock(path, None, alone=False)
    try:
        alone = _flock(number, exclusive=True)
        if not alone and not _flock(number, exclusive=False):
            os.close(number)
            return None
        if identify(path, SUFFIX) != _identity(number):  # another program has just removed it
            os.close(number)
            return None
        if what := _contradiction(path, _opened(number), not alone):
            raise StoreError(what, MIXED)
    except BaseException:
        with contextlib.suppress(OSError):
            os.close(number)
        raise
    return Lock(path, number, alone)


def _contradiction(path: Path, opened: OpenFiles, held: bool) -> str | None:
    now = OpenFiles(*(_inode(path, each) for each in (DATABASE, LOG, INDEX)))
    if opened.database and opened.database != now.database:
        if held:
            return (
                f"{path} was replaced or removed while another program had it open;"
                " stop that program"
            )
        if now.log == opened.log and size(path, LOG):
            return (
                f"{path}{LOG} belongs to another file that was {path.name} before; put that file "
                "back, or put a backup in its place with `plybook restore`"
            )
    elif held and ((opened.log, opened.log_index) not in ((now.log, now.log_index), (0, 0))):
        return (
            f"the write-ahead log of {path} or its index was replaced or removed while another "
            "program had it open; stop that program, so that it saves its events"
        )
    return None


def _inode(path: Path, suffix: str) -> int:
    return (identify(path, suffix) or NOBODY)[1]


def _open(path: Path, flags: int, suffix: str = SUFFIX) -> int | None:
    if sys.platform == "win32":
        return None
    try:
        return os.open(f"{path}{suffix}", flags, 0o600)
    except OSError:  # a folder that may not be written, a disk that is full
        return None


def _flock(number: int, *, exclusive: bool) -> bool:
    if sys.platform == "win32":
        return True
    try:
        fcntl.flock(number, (fcntl.LOCK_EX if exclusive else fcntl.LOCK_SH) | fcntl.LOCK_NB)
    except OSError as error:
        return error.errno in UNSUPPORTED
    return True


def _opened(number: int) -> OpenFiles:
    try:
        database, log, index = map(int, os.pread(number, 100, 0).strip(b"\0").split())
    except (OSError, ValueError):
        return NOTHING
    return OpenFiles(database, log, index)


def _identity(number: int) -> tuple[int, int]:
    found = os.fstat(number)
    return found.st_dev, found.st_ino
