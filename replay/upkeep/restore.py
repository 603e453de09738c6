"""Replace the book by a backup: complete and verified, or not at all."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import chain
from pathlib import Path

from msgspec import Struct

from replay.errors import Damaged, StoreError, Usage
from replay.store import open_store
from replay.store.sql.store import Store
from replay.store.sqlite import database_file, file_checks, file_copy
from replay.store.sqlite.file_copy import Contents
from replay.store.sqlite.sqlite_library import ERRORS, translate_error
from replay.store.stream_verification import verify_chain

discard = file_copy.discard


class Restored(Struct, frozen=True):
    """The contents of the book now, and the new path of the previous book, if there was one."""

    contents: Contents
    kept: Path | None


def restore(database: Path, backup: Path) -> Restored:
    """Replace a database by a copy of a backup, and keep the database under another name.

    The copy is verified first: its pages, guards, references and every hash. Raises `Usage` for an
    unsuitable backup, or a database that a program has open, `Damaged` for a corrupt backup, and
    `StoreError` if copying fails. The database is unchanged on failure.
    """
    database, backup = _resolve(database, backup)
    with (
        _reported_failures(database, backup),
        tempfile.TemporaryDirectory(prefix=".plybook-", dir=database.parent) as folder,
    ):
        copy = Path(folder, "restored.db")
        contents = file_copy.copy_finished(backup, copy)
        _check(copy)
        previous = file_copy.put_in_place(copy, database)
    return Restored(contents, previous)


def _resolve(database: Path, backup: Path) -> tuple[Path, Path]:
    try:
        database, backup = database_file.resolve(database), database_file.resolve(backup)
        if not backup.exists():
            raise Usage(f"the backup {backup} does not exist")
        if not backup.is_file():
            raise Usage(f"{backup} is not a file")
        if not database.parent.is_dir():
            raise Usage(f"the folder {database.parent} for {database.name} does not exist")
        if database.exists() and database.samefile(backup):
            raise Usage(f"{backup} is the database itself; name a backup")
    except (OSError, RuntimeError, ValueError) as error:  # RuntimeError: circular links
        raise Usage(f"{backup} cannot be used: {getattr(error, 'strerror', error)}") from None
    return database, backup


@contextmanager
def _reported_failures(database: Path, backup: Path) -> Iterator[None]:
    """Raise errors again, with the statement that the database is unchanged."""
    try:
        yield
    except Damaged as error:
        raise _damaged(backup, error) from None
    except ERRORS as error:
        if isinstance(meant := translate_error(error, backup), Damaged):
            raise _damaged(backup, error) from None
        raise StoreError(f"{database} is unchanged: {meant}{_describe_space(database)}") from None
    except OSError as error:
        reason = error.strerror or error
        raise StoreError(f"{database} is unchanged: {reason}{_describe_space(database)}") from None


def _damaged(backup: Path, error: Exception) -> Damaged:
    return Damaged(f"{backup} is damaged, and nothing was changed: {error}")


def _describe_space(database: Path) -> str:
    return f" ({shutil.disk_usage(database.parent).free / 1_000_000:.1f} MB free there)"


def _check(copy: Path) -> None:
    """Raise `Damaged` for a corrupt database. An older schema is migrated."""
    open_store(copy).close()
    for found in file_checks.content(copy):
        if found.verdict == "fault":
            raise Damaged(found.message)
    with closing(open_store(copy)) as store:
        for stream in _streams(store):
            if off := verify_chain(store, stream):
                raise Damaged(f"stream {off.stream} at version {off.version}: {off.what}")


def _streams(store: Store) -> Iterator[int]:
    """Yield the matches, with the trash, each followed by its annotations."""
    for match in chain(store.matches(), store.matches(trashed=True)):
        yield match.id
        if notes := store.notes(match.id):
            yield notes.id
