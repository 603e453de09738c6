"""The disk of a database: probe whether it can be written to, and measure its free space."""

from __future__ import annotations

import errno
import os
import shutil
from pathlib import Path
from typing import Final

from replay.errors import StoreError
from replay.store.sqlite.identity import LOG, size
from replay.store.sqlite.sqlite_library import MEANINGS, sqlite3
from replay.store.types import Condition

PROBE_BYTES: Final = 64 * 1024
"""Bytes that the next moves may need."""
CODES: Final = {
    errno.ENOSPC: sqlite3.SQLITE_FULL,
    errno.EDQUOT: sqlite3.SQLITE_FULL,
    errno.EROFS: sqlite3.SQLITE_READONLY,
    errno.EACCES: sqlite3.SQLITE_READONLY,
    errno.EPERM: sqlite3.SQLITE_READONLY,
}
"""SQLite's codes for the codes of the operating system."""


def condition(path: Path) -> Condition:
    """Return the size of the write-ahead log and the free disk space. Raises `StoreError`."""
    try:
        return Condition(size(path, LOG), shutil.disk_usage(path.parent).free)
    except OSError as error:
        raise failure(error, path) from error


def write_probe(path: Path) -> None:
    """Write a little to the disk of a database, durably, to a file without a name.

    The offset is the size of the log, for the size of a file may be limited. Raises `StoreError`.
    """
    import tempfile  # it imports much, and opening a book does not need it

    try:
        with tempfile.TemporaryFile(dir=path.parent, prefix=".plybook-", buffering=0) as file:
            file.seek(size(path, LOG))
            if file.write(bytes(PROBE_BYTES)) != PROBE_BYTES:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            os.fsync(file)
    except OSError as error:
        raise failure(error, path) from error


def failure(error: OSError, path: Path) -> StoreError:
    """Return an error of the operating system as a `StoreError`."""
    meaning = MEANINGS[CODES.get(error.errno or 0, sqlite3.SQLITE_IOERR)]
    return StoreError(f"{path}: {meaning} ({error.strerror or error})", meaning)
