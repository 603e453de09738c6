"""Back up a database, even while it is written to, and restore it: all and verified, or not."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from itertools import chain
from pathlib import Path

from msgspec import Struct

from replay.errors import (
    AmbiguousMatch,
    Damaged,
    Diverged,
    PlybookError,
    StoreError,
    UnknownMatch,
    Usage,
)
from replay.store import open_store
from replay.store.people_chain import fold, merged, with_names
from replay.store.sql.store import Store
from replay.store.sqlite import database_file, file_checks, file_copy
from replay.store.sqlite.driver import ERRORS, translate_error
from replay.store.sqlite.file_copy import Contents, copy_finished
from replay.store.stream_verification import people_fault, verify_chain
from replay.store.types import Stream


def back_up(database: Path, target: Path) -> Contents:
    """Copy a database to a new file, and return the contents of the copy.

    Raises `Usage` for an unsuitable target, `Damaged` if the database is corrupt, and `StoreError`
    if copying fails. No file is left behind on failure.
    """
    target = _resolve(database, target)
    if target.exists():
        raise Usage(f"{target} exists already; name another file, or replace it with --force")
    return _copy(database, target, database_file.place)


def back_up_over(database: Path, target: Path) -> Contents:
    """Copy a database to a file and replace any file there. Raises as `back_up` does.

    A database that a program has open is not replaced.
    """
    target = _resolve(database, target)
    if target.exists():
        file_copy.release(target)
    return _copy(database, target, database_file.replace)


def _resolve(database: Path, target: Path) -> Path:
    if database_file.recognise(database) is None:
        raise Usage(f"the database {database} does not exist")
    target = database_file.resolve_target(target)
    if target.exists() and target.samefile(database):
        raise Usage(f"{target} is the database itself; name another file")
    return target


def _copy(database: Path, target: Path, place: Callable[[Path, Path], None]) -> Contents:
    with (
        _reported_failures(database, target),
        tempfile.TemporaryDirectory(prefix=".plybook-", dir=target.parent) as folder,
    ):
        copy = Path(folder, "copy.db")
        copying = file_copy.copy if database_file.may_write(database) else copy_finished
        contents = copying(database.resolve(), copy)
        place(copy, target)
    return contents


@contextmanager
def _reported_failures(database: Path, target: Path) -> Iterator[None]:
    """Raise errors again with the names of the files, and that no copy was made."""
    try:
        yield
    except FileExistsError:
        raise Usage(f"{target} was created meanwhile; name another file") from None
    except Damaged as error:
        raise Damaged(
            f"{database} is damaged, and so is its copy, which was thrown away: {error}; "
            "run `plybook doctor` for details"
        ) from None
    except PlybookError:
        raise
    except (OSError, *ERRORS) as error:
        raise StoreError(
            f"{database} was not copied to {target}:"
            f" {_reason(error)}{_describe_space(database, target)}"
        ) from None


def _describe_space(database: Path, target: Path) -> str:
    """Describe the free disk space, if it is too small."""
    size, free = database.stat().st_size, shutil.disk_usage(target.parent).free
    if free > size:
        return ""
    return f" ({size / 1_000_000:.1f} MB to copy, {free / 1_000_000:.1f} MB free there)"


def _reason(error: Exception) -> object:
    return getattr(error, "strerror", None) or error


class Restored(Struct, frozen=True):
    """The contents of the book now, and the new path of the previous book, if there was a book.

    `erased` counts the matches with players that had been erased since the backup, and are again.
    """

    contents: Contents
    kept: Path | None
    erased: int = 0


def restore(database: Path, backup: Path) -> Restored:
    """Replace a database by a copy of a backup, and keep the database under another name.

    The copy is verified first: its pages, guards, references and every hash. Raises `Usage` for an
    unsuitable backup, or a database that a program has open, `Damaged` for a corrupt backup, and
    `StoreError` if copying fails. The database is unchanged on failure.
    """
    database, backup = _resolve_both(database, backup)
    with (
        _unchanged_on_failure(database, backup),
        tempfile.TemporaryDirectory(prefix=".plybook-", dir=database.parent) as folder,
    ):
        copy = Path(folder, "restored.db")
        with _named(copy, backup):
            contents = file_copy.copy_finished(backup, copy)
            _check(copy)
        erased = _erase_again(copy, database)
        previous = file_copy.put_in_place(copy, database)
    return Restored(contents, previous, erased)


def _erase_again(copy: Path, database: Path) -> int:
    """Erase in a copy the players that are erased in a book of the same schema, if it is there."""
    head = database_file.first_bytes(database)
    if head is None or int.from_bytes(head[60:64]) != database_file.SCHEMA:
        return 0
    with (
        suppress(PlybookError),
        closing(open_store(database)) as book,
        closing(open_store(copy)) as store,
    ):
        every = chain(store.matches(), store.matches(trashed=True))
        return sum(_erase_as_in(book, store, match) for match in every)
    return 0


def _erase_as_in(book: Store, store: Store, match: Stream) -> bool:
    try:
        there = book.find(match.public_id)
        kept = store.people(match.id)
        now = merged(match.public_id, kept, book.people(there.id))
    except (UnknownMatch, AmbiguousMatch, Diverged):
        return False
    lost = fold(now.events).erased & {each.number for each in kept.texts}
    if there.origin != match.origin or not lost:
        return False
    facts = with_names(store.metadata(match.id), now.names)
    store.copy_people(match.id, facts, now).result()
    return True


def _resolve_both(database: Path, backup: Path) -> tuple[Path, Path]:
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
def _unchanged_on_failure(database: Path, backup: Path) -> Iterator[None]:
    """Raise errors again, with the statement that the database is unchanged."""
    try:
        yield
    except Damaged as error:
        raise _damaged(backup, error) from None
    except ERRORS as error:
        if isinstance(meant := translate_error(error, backup), Damaged):
            raise _damaged(backup, error) from None
        raise StoreError(f"{database} is unchanged: {meant}{_free_space(database)}") from None
    except OSError as error:
        reason = error.strerror or error
        raise StoreError(f"{database} is unchanged: {reason}{_free_space(database)}") from None


def _damaged(backup: Path, error: Exception) -> Damaged:
    return Damaged(f"{backup} is damaged, and nothing was changed: {error}")


def _free_space(database: Path) -> str:
    return f" ({shutil.disk_usage(database.parent).free / 1_000_000:.1f} MB free there)"


@contextmanager
def _named(copy: Path, backup: Path) -> Iterator[None]:
    """Raise errors of a copy again, with the name of its backup."""
    try:
        yield
    except PlybookError as error:
        message = str(error).replace(str(copy), str(backup))
        if type(error) is StoreError:
            message += "; nothing was changed"
        raise type(error)(message.removeprefix(f"{backup} is damaged: ")) from None


def _check(copy: Path) -> None:
    """Raise `Damaged` for a corrupt database. An older schema is migrated."""
    open_store(copy).close()
    for found in file_checks.content(copy):
        if found.verdict == "fault":
            raise Damaged(found.message)
    with closing(open_store(copy)) as store:
        for match in chain(store.matches(), store.matches(trashed=True)):
            _check_match(store, match)


def _check_match(store: Store, match: Stream) -> None:
    for stream in filter(None, (match, store.notes(match.id))):
        if off := verify_chain(store, stream.id):
            raise Damaged(f"stream {off.stream} at version {off.version}: {off.what}")
    if fault := people_fault(match.origin, store.people(match.id)):
        raise Damaged(f"{match.public_id}: {fault}")
