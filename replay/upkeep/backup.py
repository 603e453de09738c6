"""Copy a database, even while it is written to: complete and verified, or not at all."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from replay.errors import Damaged, PlybookError, StoreError, Usage
from replay.store.sqlite import database_file, file_copy
from replay.store.sqlite.file_copy import Contents, copy_finished
from replay.store.sqlite.sqlite_library import ERRORS


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
