"""A database copied while others write to it: SQLite's online backup, of one moment."""

from __future__ import annotations

import contextlib
import os
import shutil
from pathlib import Path
from typing import Final

from msgspec import Struct

from replay.errors import Damaged, Usage
from replay.store.sqlite import cleaning, database_file, lock, unallocated
from replay.store.sqlite.connecting import reading
from replay.store.sqlite.identity import LOG, size
from replay.store.sqlite.sqlite_library import ERRORS, Connection, sqlite3, translate_error

LOCK_TIMEOUT: Final = 5.0
"""Seconds to wait for a program that has the database all to itself."""

CONTENTS: Final = "SELECT (SELECT count(*) FROM streams WHERE kind = 'match'), count(*) FROM events"


class Contents(Struct, frozen=True):
    """The contents of a copy: matches (also in the trash), events of all streams, its size."""

    matches: int
    events: int
    bytes: int


def copy(path: Path, made: Path) -> Contents:
    """Copy a database into a new file, and return the contents of the copy.

    The copy is of one moment, although others may write meanwhile, without bytes of erased rows. It
    is on the disk when this returns, and has the permissions of the original. Raises `StoreError`
    for a file of another program, `Damaged` if the copy is not whole, and `sqlite3.Error` if
    copying fails.
    """
    database_file.check_ours(path, database_file.first_bytes(path) or b"")
    lock.check(path)
    with contextlib.closing(reading(path, LOCK_TIMEOUT)) as source:
        source.execute("BEGIN")  # without a snapshot of its own it might begin anew for ever
        source.execute(CONTENTS)
        with contextlib.closing(sqlite3.connect(made, isolation_level=None)) as target:
            source.backup(target)
    made.chmod(path.stat().st_mode & 0o777)
    return _examined(made)


def copy_finished(path: Path, made: Path) -> Contents:
    """Copy a database that usually no program has open, and return the contents of the copy.

    The folder of a backup may be read-only, which SQLite cannot cope with. Raises as `copy`.
    """
    if any(size(path, suffix) for suffix in (LOG, "-journal")):
        return copy(path, made)
    database_file.check_ours(path, database_file.first_bytes(path) or b"")
    shutil.copyfile(path, made)
    return _examined(made)


def release(path: Path) -> None:
    """Make sure that no program has a database open that will be replaced.

    Otherwise SQLite would take its write-ahead log for a part of the new file. Raises `Usage` if it
    is open somewhere.
    """
    if not any(os.path.lexists(f"{path}{suffix}") for suffix in ("-wal", "-shm", "-journal")):
        return
    try:
        leave_log(path)
    except ERRORS as error:
        raise Usage(
            f"{path} is a database that is in use, or was left in the middle of something "
            f"({error}); stop what uses it, or write to another file"
        ) from None


def leave_log(path: Path) -> None:
    """Take the write-ahead log into the database and remove it. Raises `sqlite3.Error`.

    It is locked if another program has it open: only the last one can leave that mode.
    """
    with contextlib.closing(sqlite3.connect(path, timeout=0, isolation_level=None)) as old:
        old.execute("PRAGMA journal_mode = DELETE")


def _examined(made: Path) -> Contents:
    try:
        with contextlib.closing(reading(made, LOCK_TIMEOUT)) as connection:
            _check_whole(connection)
            matches, events = connection.execute(CONTENTS).fetchone()
            is_pending = cleaning.is_pending(connection)
    except ERRORS as error:
        raise translate_error(error, made) from error
    if is_pending:
        unallocated.overwrite_all(made)
    return Contents(matches, events, made.stat().st_size)


def _check_whole(connection: Connection) -> None:
    (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if verdict != "ok":
        raise Damaged(verdict)
