"""Copy a database while others write to it, and put a finished copy in place of another database.

A copy shows a single moment: it is made by SQLite's online backup. Replacing a database keeps the
old one.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import shutil
from pathlib import Path
from typing import Final

from msgspec import Struct

from replay.errors import Damaged, Usage
from replay.store.sqlite import database_file, erasure, lock
from replay.store.sqlite.connecting import reading
from replay.store.sqlite.driver import ERRORS, Connection, sqlite3, translate_error
from replay.store.sqlite.lock import Lock
from replay.store.sqlite.replaced_files import DATABASE, INDEX, LOG, size

LOCK_TIMEOUT: Final = 5.0
"""Seconds to wait for a program that has locked out all others."""

CONTENTS: Final = "SELECT (SELECT count(*) FROM streams WHERE kind = 'match'), count(*) FROM events"
OLD_SUFFIX: Final = ".before-restore"
"""Appended to the name of a database that is replaced."""
JOURNAL: Final = "-journal"
SIDE_SUFFIXES: Final = (LOG, JOURNAL)
"""The suffixes of files that hold a part of a database."""
BUSY: Final = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}


class Contents(Struct, frozen=True):
    """The contents of a copy: matches (including the trash), events of all streams, its size."""

    matches: int
    events: int
    bytes: int


def copy(path: Path, made: Path) -> Contents:
    """Copy a database into a new file, and return the contents of the copy.

    The copy shows a single moment, although others may write meanwhile, and contains no bytes of
    erased rows. It is on the disk when this returns, and has the permissions of the original.
    Raises `StoreError` for a file of another program, `Damaged` if the copy is not whole, and
    `sqlite3.Error` if copying fails.
    """
    database_file.check_ours(path, database_file.first_bytes(path) or b"")
    lock.check(path)
    with contextlib.closing(reading(path, LOCK_TIMEOUT)) as source:
        source.execute("BEGIN")  # without a snapshot of its own it might restart for ever
        source.execute(CONTENTS)
        with contextlib.closing(sqlite3.connect(made, isolation_level=None)) as target:
            source.backup(target)
    made.chmod(path.stat().st_mode & 0o777)
    return _examined(made)


def copy_finished(path: Path, made: Path) -> Contents:
    """Copy a database that usually no program has open, and return the contents of the copy.

    The folder of a backup may be read-only, which SQLite cannot cope with. Raises as `copy`.
    """
    if any(size(path, suffix) for suffix in SIDE_SUFFIXES):
        return copy(path, made)
    database_file.check_ours(path, database_file.first_bytes(path) or b"")
    shutil.copyfile(path, made)
    return _examined(made)


def release(path: Path) -> None:
    """Make sure that no program has a database open that will be replaced.

    Otherwise SQLite would take its write-ahead log for a part of the new file. Raises `Usage` if it
    is open somewhere.
    """
    if not any(os.path.lexists(f"{path}{suffix}") for suffix in (*SIDE_SUFFIXES, INDEX)):
        return
    try:
        leave_log(path)
    except ERRORS as error:
        raise Usage(
            f"{path} is a database that is in use, or was not closed "
            f"({error}); stop what uses it, or write to another file"
        ) from None


def leave_log(path: Path) -> None:
    """Take the write-ahead log into the database and remove it. Raises `sqlite3.Error`.

    The database is locked for this while another program has it open.
    """
    with contextlib.closing(sqlite3.connect(path, timeout=0, isolation_level=None)) as old:
        old.execute("PRAGMA journal_mode = DELETE")


def put_in_place(made: Path, path: Path) -> Path | None:
    """Give a finished database the name of another; return the new name of that other database.

    The change is atomic and durable. Raises `Usage` if a program has the old database open,
    `OSError` if a file cannot be moved.
    """
    with lock.gate(path):
        held = lock.seize(path)
        if held is None:
            raise _in_use(path)
        try:
            return _replace(made, path, held)
        finally:
            held.release()


def discard(kept: Path) -> None:
    """Delete a database that was moved away."""
    for suffix in (*SIDE_SUFFIXES, DATABASE):
        Path(f"{kept}{suffix}").unlink(missing_ok=True)


def _examined(made: Path) -> Contents:
    try:
        with contextlib.closing(reading(made, LOCK_TIMEOUT)) as connection:
            _check_whole(connection)
            matches, events = connection.execute(CONTENTS).fetchone()
            is_due = erasure.due_since(connection) is not None
    except ERRORS as error:
        raise translate_error(error, made) from error
    if is_due:
        with contextlib.closing(sqlite3.connect(made, isolation_level=None)) as connection:
            connection.execute("PRAGMA secure_delete = ON")
            connection.execute("VACUUM")
    return Contents(matches, events, made.stat().st_size)


def _check_whole(connection: Connection) -> None:
    (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if verdict != "ok":
        raise Damaged(verdict)


def _replace(made: Path, path: Path, held: Lock) -> Path | None:
    _take_in_log(path, held)
    _give_owner(made, path)
    database_file.sync(made)
    kept = _move_away(path)
    made.replace(path)
    database_file.sync(path.parent)
    return kept


def _take_in_log(path: Path, held: Lock) -> None:
    """Checkpoint the log into its database. A damaged database keeps its log unchanged."""
    if not path.exists() or held.contradiction():
        _set_aside(path)
        return
    database_file.check_ours(path, database_file.first_bytes(path) or b"")
    if not any(os.path.lexists(f"{path}{suffix}") for suffix in (*SIDE_SUFFIXES, INDEX)):
        return
    try:
        leave_log(path)
    except ERRORS as error:
        if getattr(error, "sqlite_errorcode", 0) & 0xFF in BUSY:
            raise _in_use(path) from None


def _set_aside(path: Path) -> None:
    """Rename a log that belongs to another database, so that no database uses it."""
    for suffix in SIDE_SUFFIXES:
        log = Path(f"{path}{suffix}")
        if log.exists():
            log.rename(_free_name(log))


def _give_owner(made: Path, path: Path) -> None:
    """Copy owner and permissions from the old database; if there is none, make it private."""
    if not path.exists():
        made.chmod(database_file.PRIVATE_MODE)
        return
    old = path.stat()
    made.chmod(old.st_mode & 0o777)
    if hasattr(os, "chown"):
        with contextlib.suppress(PermissionError):  # only root can give files away
            os.chown(made, old.st_uid, old.st_gid)


def _move_away(path: Path) -> Path | None:
    """Link the old database, if there is one, to another name, and rename its log accordingly.

    The log comes first: SQLite would take it for the log of the new database.
    """
    kept = _free_name(path)
    for suffix in SIDE_SUFFIXES:
        with contextlib.suppress(FileNotFoundError):
            os.rename(f"{path}{suffix}", f"{kept}{suffix}")
    Path(f"{path}{INDEX}").unlink(missing_ok=True)
    database_file.sync(path.parent)
    if not path.exists():
        return None
    try:
        kept.hardlink_to(path)
    except OSError:  # a file system without links
        path.rename(kept)
    return kept


def _free_name(path: Path) -> Path:
    names = (path.with_name(f"{path.name}{OLD_SUFFIX}{more}") for more in _numbers())
    return next(
        name
        for name in names
        if not any(os.path.lexists(f"{name}{suffix}") for suffix in (DATABASE, *SIDE_SUFFIXES))
    )


def _numbers() -> itertools.chain[str]:
    return itertools.chain([""], (f"-{number}" for number in itertools.count(2)))


def _in_use(path: Path) -> Usage:
    return Usage(f"{path} is open in another program, a server or a command; stop it first")
