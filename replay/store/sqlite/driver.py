"""The SQLite library of this process, and its errors translated for people.

Two SQLite libraries on one file in one process would break each other's locks, so this module
chooses the same library as sqlite-utils.
"""

from __future__ import annotations

import functools
import logging
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Final

from replay.errors import Damaged, DamagedFile, PlybookError, StoreError

if TYPE_CHECKING:
    import sqlite3
else:
    try:
        import pysqlite3 as sqlite3
    except ImportError:
        import sqlite3

__all__ = ["ERRORS", "Connection", "is_of_disk", "sqlite3", "translate_error", "warn_if_affected"]

Connection = sqlite3.Connection

REPAIRED: Final = (3, 51, 3)
"""The first version without the WAL-reset bug, by which two writing programs can ruin a file."""

MEANINGS: Final = {
    sqlite3.SQLITE_BUSY: "another program is writing to it; try again",
    sqlite3.SQLITE_LOCKED: "another program is writing to it; try again",
    sqlite3.SQLITE_PERM: "opening it is not allowed",
    sqlite3.SQLITE_READONLY: "it is read-only, or its folder is",
    sqlite3.SQLITE_CANTOPEN: "it cannot be opened; the file and its folder must be writable",
    sqlite3.SQLITE_FULL: "no space is left on its disk",
    sqlite3.SQLITE_IOERR: "reading or writing it failed",
}
ERRORS: Final = (sqlite3.Error, UnicodeDecodeError)
"""The errors of SQLite; `UnicodeDecodeError` occurs if a message quotes damaged bytes."""
DISK: Final = {
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
}
"""Codes of errors of a disk that is full or fails."""
UNTOLD: Final = {sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR}
"""Codes of errors that may also come from a full disk."""
PROBE_BYTES: Final = 64 * 1024
"""Bytes that the next moves may need."""
UNREADABLE: Final = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
"""Codes of a damaged file; SQLite also calls a failed reading of the disk corruption."""


def translate_error(error: Exception, path: Path) -> PlybookError:
    """Translate one of the `ERRORS` into a `Damaged` or a `StoreError`."""
    if isinstance(error, UnicodeDecodeError):
        return Damaged(f"{path} is damaged: its schema is not text")
    code = _code(error)
    if code in UNTOLD and is_full(path.parent):
        code = sqlite3.SQLITE_FULL
    if code in UNREADABLE:
        meaning = "it is damaged, or its disk cannot be read"
        return DamagedFile(f"{path} is damaged: {error}", meaning)
    if code == sqlite3.SQLITE_CONSTRAINT:
        return Damaged(f"{path} is damaged: {error}")
    meaning = MEANINGS.get(code, "SQLite gave up")
    return StoreError(f"{path}: {meaning} ({error})", meaning)


def is_full(folder: Path) -> bool:
    """Return whether the disk of a folder has no room for the next moves."""
    try:
        return shutil.disk_usage(folder).free < PROBE_BYTES
    except OSError:
        return False


def is_of_disk(error: Exception) -> bool:
    """Return whether an error means that the disk is full or fails."""
    return _code(error) in DISK


def _code(error: Exception) -> int:
    code: int = getattr(error, "sqlite_errorcode", 0) & 0xFF  # the other bits are details
    return code


@functools.cache
def warn_if_affected() -> None:
    """Log once if this SQLite has the WAL-reset bug."""
    if sqlite3.sqlite_version_info < REPAIRED:
        logging.getLogger(__name__).warning(
            "SQLite %s can damage a database that two programs write at the same moment; "
            "%s or newer (pysqlite3 0.6.1 brings it) cannot",
            sqlite3.sqlite_version,
            ".".join(map(str, REPAIRED)),
        )
