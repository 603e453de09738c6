"""Recognise the database file by its first bytes, and create a new one.

A file of another program is recognised without SQLite, so that not even a lock touches it.
"""

from __future__ import annotations

import contextlib
import errno
import functools
import os
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from replay.errors import NotABook, StoreError, Usage
from replay.store.sqlite import full_text
from replay.store.sqlite.driver import (
    MEANINGS,
    PROBE_BYTES,
    Connection,
    is_full,
    sqlite3,
    translate_error,
)
from replay.store.sqlite.replaced_files import LOG, size
from replay.store.types import Condition

MAGIC: Final = b"SQLite format 3\0"
APPLICATION: Final = int.from_bytes(b"Plyb")
"""SQLite's `application_id` of a Plybook database."""
MIGRATIONS: Final = (
    *("the_log", "search", "survey", "held", "by_name", "hooks", "claims", "in_short"),
    *("rotations_and_operators", "for_people", "changes", "erasures", "players", "counts", "due"),
    *("move_counts", "accounts", "refused_tries", "places", "due_since", "asking"),
    *("no_challenges", "text_of_a_move", "people", "evenings", "people_heads", "seat_changes"),
    *("hooks_of_people", "changes_asked_once", "doubts_of_moves", "doubtful"),
)
"""The names of the migrations that brought the tables here, in the order that books had them."""
SCHEMA: Final = len(MIGRATIONS)
"""SQLite's `user_version`: the number of migrations that this Plybook knows."""
PRIVATE_MODE: Final = 0o600
"""The permissions of a new database: only its owner may open it."""
UNUSABLE: Final = (errno.ELOOP, errno.ENAMETOOLONG, errno.ENOTDIR)
"""Codes of the operating system for a path that cannot name a file."""
CODES: Final = {
    errno.ENOSPC: sqlite3.SQLITE_FULL,
    errno.EDQUOT: sqlite3.SQLITE_FULL,
    errno.EROFS: sqlite3.SQLITE_READONLY,
    errno.EACCES: sqlite3.SQLITE_READONLY,
    errno.EPERM: sqlite3.SQLITE_READONLY,
}
"""SQLite's codes for the codes of the operating system."""


def prepare(path: Path) -> Path:
    """Return the resolved path of a database of Plybook, and create a missing one.

    Raises `NotABook` for any other file, which stays untouched, and `StoreError` if it cannot be
    used.
    """
    with _reported(path):
        path = resolve(path)
        head = recognise(path)
        if head is None:
            _create(path)
        else:
            check_schema(path, int.from_bytes(head[60:64]))
    return path


def recognise(path: Path) -> bytes | None:
    """Return the first bytes of a database of Plybook, or `None` if the file is missing.

    Raises `NotABook` for anything else, and `StoreError` if it cannot be read.
    """
    with _reported(path):
        head = first_bytes(path)
        if head is not None:
            check_ours(path, head)
        return head


@contextlib.contextmanager
def _reported(path: Path) -> Iterator[None]:
    """Turn errors of a path into `NotABook`, and other errors into `StoreError`."""
    try:
        yield
    except (OSError, RuntimeError, ValueError) as error:  # RuntimeError: links in a circle
        reason = getattr(error, "strerror", None) or error
        kind = NotABook if getattr(error, "errno", None) in (None, *UNUSABLE) else StoreError
        raise kind(f"{path} cannot be used: {reason}") from error
    except sqlite3.Error as error:
        raise translate_error(error, path) from error


def resolve(path: Path) -> Path:
    """Follow the links of a path. Raises `OSError` or `RuntimeError` for links in a circle."""
    path = path.resolve()
    if path.is_symlink():  # Python 3.13 resolves a circle of links to a link in it
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path))
    return path


def resolve_target(path: Path) -> Path:
    """Return the resolved path of a file to write. Raises `Usage` if no file can be there."""
    try:
        path = resolve(path)
        if path.is_dir():
            raise Usage(f"{path} is a folder; name a file in it")
        if not path.parent.is_dir():
            raise Usage(f"{path.parent} is not a folder; make it, or name another file")
    except (OSError, RuntimeError, ValueError) as error:  # RuntimeError: circular links
        reason = getattr(error, "strerror", None) or error
        raise Usage(f"{path} cannot be used: {reason}") from None
    return path


def may_write(path: Path) -> bool:
    """Return whether a file and its folder may be written, and have room for SQLite's log."""
    folder = path.resolve().parent
    return os.access(path, os.W_OK) and os.access(folder, os.W_OK) and not is_full(folder)


def check_ours(path: Path, head: bytes) -> None:
    """Raise `NotABook` unless these are the first bytes of a database of Plybook."""
    if not head:
        raise NotABook(
            f"{path} is an empty file, not a Plybook database; remove it to start a new book"
        )
    if not head.startswith(MAGIC) or len(head) < 100:
        raise NotABook(f"{path} is not a Plybook database")
    if not is_ours(head):
        raise NotABook(f"{path} is a SQLite database, but not one of Plybook")


def is_ours(head: bytes) -> bool:
    """Return whether these are the first bytes of a database of Plybook."""
    return head.startswith(MAGIC) and int.from_bytes(head[68:72]) == APPLICATION


def check_schema(path: Path, version: int) -> None:
    """Raise `StoreError` if the database is of a newer Plybook."""
    if version > SCHEMA:
        raise StoreError(
            f"{path} was written by a newer Plybook (schema {version}; this one knows {SCHEMA}); "
            "use that one"
        )


def first_bytes(path: Path) -> bytes | None:
    """Return the first 100 bytes of a file, or `None` if it is missing.

    Raises `OSError` if it cannot be read, `NotABook` if it is a folder or a device.
    """
    try:
        kind = path.stat().st_mode
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(kind):
        raise NotABook(f"{path} is not a file but a {'folder' if stat.S_ISDIR(kind) else 'device'}")
    with path.open("rb") as file:
        return file.read(100)


def _create(path: Path) -> None:
    """Create the file elsewhere and then rename it, so that no reader finds half of it."""
    import tempfile  # imports much, and opening a book does not need it

    if not path.parent.is_dir():
        raise NotABook(f"{path.parent} is not a folder; make it, or name another file")
    for leftover in (Path(f"{path}-wal"), Path(f"{path}-journal")):
        if leftover.exists() and leftover.stat().st_size:
            raise StoreError(
                f"the database of {leftover} is missing; restore it, or remove {leftover}"
            )
    with tempfile.TemporaryDirectory(prefix=".plybook-", dir=path.parent) as folder:
        made = Path(folder, "new.db")
        with made.open("wb") as file:
            file.write(empty_database())
            file.flush()
            os.fsync(file)
        made.chmod(PRIVATE_MODE)  # for secrets: programs of seats, seeds of dice
        with contextlib.suppress(FileExistsError):  # another process was quicker: as good
            place(made, path)


@functools.cache
def empty_database() -> bytes:
    """Return the bytes of a database without any match. It is created once, and then copied."""
    import tempfile  # only archives and tests need a temporary store

    with tempfile.TemporaryDirectory(prefix="plybook-") as folder:
        path = Path(folder, "empty.db")
        with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
            connection.execute("PRAGMA synchronous = OFF")
            connection.execute(f"PRAGMA application_id = {APPLICATION}")
            make_tables(connection)
            # Turn on WAL last: until then everything, with the application id, goes into the file
            # itself.
            connection.execute("PRAGMA journal_mode = WAL")
        return path.read_bytes()


def make_tables(connection: Connection) -> None:
    """Make all tables in an empty database, as the migrations would."""
    from replay.store import derived  # only a new database needs it

    schema = Path(__file__).with_name("schema.sql").read_text(encoding="utf-8")
    had = ", ".join(f"('plybook', '{name}', datetime('now'))" for name in MIGRATIONS)
    noted = f"INSERT INTO _sqlite_migrations (migration_set, name, applied_at) VALUES {had};"
    number = f"PRAGMA user_version = {len(MIGRATIONS)};"
    connection.executescript(f"BEGIN; {schema} {derived.statements()} {noted} {number} COMMIT;")
    full_text.overwrite_deleted_words(connection)


def place(made: Path, path: Path) -> None:
    """Give a finished file its name, for good. Raises `FileExistsError` if the name is taken."""
    try:
        path.hardlink_to(made)
    except FileExistsError:
        raise
    except (OSError, NotImplementedError):  # a file system or an operating system without links
        if path.exists():
            raise FileExistsError(path) from None
        made.rename(path)
    sync(path.parent)


def replace(made: Path, path: Path) -> None:
    """Give a finished file its name and sync the folder, even if another file has that name."""
    made.replace(path)
    sync(path.parent)


def sync(folder: Path) -> None:
    """Make a new name in a folder outlive a power cut, where folders can be synchronised."""
    if os.name != "posix":
        return
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def disk_condition(path: Path) -> Condition:
    """Return the size of the write-ahead log and the free disk space. Raises `StoreError`."""
    try:
        return Condition(size(path, LOG), shutil.disk_usage(path.parent).free)
    except OSError as error:
        raise disk_failure(error, path) from error


def write_probe(path: Path) -> None:
    """Write a little to the disk of a database file, durably, to a file without a name.

    The offset is the size of the log, for the size of a file may be limited. Raises `StoreError`.
    """
    import tempfile  # imports much, and opening a book does not need it

    try:
        with tempfile.TemporaryFile(dir=path.parent, prefix=".plybook-", buffering=0) as file:
            file.seek(size(path, LOG))
            if file.write(bytes(PROBE_BYTES)) != PROBE_BYTES:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            os.fsync(file)
    except OSError as error:
        raise disk_failure(error, path) from error


def disk_failure(error: OSError, path: Path) -> StoreError:
    """Return an error of the operating system as a `StoreError`."""
    meaning = MEANINGS[CODES.get(error.errno or 0, sqlite3.SQLITE_IOERR)]
    return StoreError(f"{path}: {meaning} ({error.strerror or error})", meaning)
