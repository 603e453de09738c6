"""Replace a database that no program has open by a finished one, and keep the old one."""

from __future__ import annotations

import contextlib
import itertools
import os
from pathlib import Path
from typing import Final

from replay.errors import Usage
from replay.store.sqlite import database_file, lock, online_backup
from replay.store.sqlite.identity import DATABASE, INDEX, LOG
from replay.store.sqlite.lock import Lock
from replay.store.sqlite.sqlite_library import ERRORS, sqlite3

OLD_SUFFIX: Final = ".before-restore"
"""Appended to the name of a database that is replaced."""
JOURNAL: Final = "-journal"
SIDE_SUFFIXES: Final = (LOG, JOURNAL)
"""The suffixes of files that hold a part of a database."""
BUSY: Final = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}


def put_in_place(made: Path, path: Path) -> Path | None:
    """Give a finished database the name of another, and return the name that one has now.

    The change is atomic and durable. Raises `Usage` if a program has the old one open, `OSError` if
    a file cannot be moved.
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
        online_backup.leave_log(path)
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
    """Give the new database owner and permissions of the old one; without one it is private."""
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
    return Usage(
        f"{path} is open in another program; stop that first, a server that serves it or a command"
    )
