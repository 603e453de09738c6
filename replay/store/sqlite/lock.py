"""A lock file beside the database: every program that has the database open shares its lock.

SQLite's own locks belong to the file that was opened; they do not cover a file that took its
place. The lock file belongs to the name. It holds the inodes of the files that were opened, and
so identifies a stale log, which belongs to an earlier database of that name.

The lock is an advisory lock of `flock`. SQLite uses POSIX locks, which are independent of it.
"""

from __future__ import annotations

import contextlib
import errno
import os
import sys
import time
from pathlib import Path
from typing import Final, NamedTuple

from replay.errors import StoreError
from replay.store.sqlite.identity import DATABASE, INDEX, LOG, Files, identify, size

if sys.platform != "win32":
    import fcntl

SUFFIX: Final = "-lock"
PAUSE: Final = 0.01
"""Seconds between two attempts to get the lock."""
PATIENCE: Final = 1.0
"""Seconds to wait for a program that opens the database."""
UNSUPPORTED: Final = {errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP}
"""What file systems without locks answer."""
MIXED: Final = "its files do not belong together"
WRITABLE: Final = os.O_RDWR | os.O_CREAT


class OpenFiles(NamedTuple):
    """The inodes of the files that a program has open, or had when it ended; 0 is unknown."""

    database: int
    log: int
    log_index: int


NOTHING: Final = OpenFiles(0, 0, 0)


class Lock:
    """The lock of a database. In a folder that cannot be written it does nothing.

    The first program has it exclusively until it calls `share`.
    """

    def __init__(self, path: Path, number: int | None, alone: bool) -> None:
        self._path = path
        self._number = number
        self._alone = alone

    def share(self, files: Files) -> None:
        """Note which files are open, and let other programs open them."""
        if self._number is not None and self._alone:
            with contextlib.suppress(OSError):  # a full disk: the note is missing, nothing more
                os.ftruncate(self._number, 0)
                os.pwrite(self._number, " ".join(map(str, files.inodes())).encode(), 0)
            _flock(self._number, exclusive=False)
            self._alone = False

    def contradiction(self) -> str | None:
        """Return what is wrong with the files of a database that nobody else has open."""
        if self._number is None:
            return None
        return _contradiction(self._path, _opened(self._number), held=False)

    def is_alone(self) -> bool:
        """Tell whether no other program has the database open."""
        if self._number is None:
            return False
        alone = _flock(self._number, exclusive=True)
        _flock(self._number, exclusive=False)
        return alone

    def release(self) -> None:
        """Release the lock. The last program removes the file, unless it leaves a log behind."""
        if self._number is None:
            return
        if _flock(self._number, exclusive=True) and not size(self._path, LOG):
            with contextlib.suppress(OSError):
                os.unlink(f"{self._path}{SUFFIX}")
        os.close(self._number)
        self._number = None


def acquire(path: Path, patience: float) -> Lock:
    """Return the lock of a database that is about to be opened, waiting for it a while.

    Raises `StoreError` if its files are not those that another program has open, if its log
    belongs to another file, or if it is being restored.
    """
    until = time.monotonic() + patience
    while True:
        lock = _try(path)
        if lock is not None:
            return lock
        if time.monotonic() > until:
            raise StoreError(f"{path} is being opened or restored by another program; try again")
        time.sleep(PAUSE)


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
    """Return what is wrong with the files of a database, as far as the lock file tells."""
    number = _open(path, os.O_RDONLY)
    if number is None:
        return None
    try:
        held = not _flock(number, exclusive=True)
        if held:
            _wait_until_shared(number)
        return _contradiction(path, _opened(number), held)
    finally:
        os.close(number)


def lost_log(path: Path) -> bool:
    """Tell whether a program ended without closing the database, and its log is gone since."""
    number = _open(path, os.O_RDONLY)
    if number is None:
        return False
    try:
        opened = _opened(number)
        return (
            _flock(number, exclusive=True)
            and opened.database == (identify(path) or (0, 0))[1]
            and opened.log not in (0, (identify(path, LOG) or (0, 0))[1])
        )
    finally:
        os.close(number)


def _wait_until_shared(number: int) -> None:
    """Wait for a program that is just opening the database: then the file says what is open."""
    until = time.monotonic() + PATIENCE
    while not _flock(number, exclusive=False) and time.monotonic() < until:
        time.sleep(PAUSE)


def _try(path: Path) -> Lock | None:
    number = _open(path, WRITABLE)
    if number is None:
        return Lock(path, None, alone=False)
    try:
        alone = _flock(number, exclusive=True)
        if not alone and not _flock(number, exclusive=False):
            os.close(number)
            return None
        if identify(path, SUFFIX) != _identity(number):  # the last one has just removed it
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
    now = OpenFiles(*((identify(path, each) or (0, 0))[1] for each in (DATABASE, LOG, INDEX)))
    if opened.database and opened.database != now.database:
        if held:
            return f"{path} was replaced or removed while another program had it open; stop that"
        if now.log == opened.log and size(path, LOG):
            return (
                f"{path}{LOG} belongs to another file that was {path.name} before; put that file "
                "back, or put a backup in its place with `plybook restore`"
            )
    elif held and ((opened.log, opened.log_index) not in ((now.log, now.log_index), (0, 0))):
        return (
            f"the write-ahead log of {path} or its index was replaced or removed while another "
            "program had it open; stop that, and it saves what it can"
        )
    return None


def _open(path: Path, flags: int) -> int | None:
    if sys.platform == "win32":
        return None
    try:
        return os.open(f"{path}{SUFFIX}", flags, 0o600)
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
        database, log, index = map(int, os.pread(number, 100, 0).split())
    except (OSError, ValueError):
        return NOTHING
    return OpenFiles(database, log, index)


def _identity(number: int) -> tuple[int, int]:
    found = os.fstat(number)
    return found.st_dev, found.st_ino
