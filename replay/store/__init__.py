"""Event streams stored for ever, in a file of SQLite or a database of PostgreSQL."""

from __future__ import annotations

# Imports in functions keep start-up short: commands about games load no database.
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from replay.errors import StoreError, Usage, missing_extra
from replay.runtime import RUNTIME, Runtime

if TYPE_CHECKING:
    from replay.store.checks import Finding
    from replay.store.sql.store import Store
    from replay.store.sqlite import TemporaryStore

Location = Path | str
"""A file of SQLite, or the URL of a database of PostgreSQL."""

SCHEMES: Final = ("postgresql://", "postgres://")


def locate(text: str) -> Location:
    """Return the location that a person names: a file, or the URL of a database. Raises `Usage`."""
    if text.startswith(SCHEMES):
        return text
    if "://" in text:
        url = without_password(text)
        raise Usage(f"{url!r} is not an address of a book; use a file, or {SCHEMES[0]}HOST/NAME")
    return Path(text).expanduser() if text.startswith("~/") else Path(text)


def without_password(text: str) -> str:
    """Return the URL of a database without its user, password and options, even a wrong one.

    Other texts are returned unchanged.
    """
    scheme, found, rest = text.partition("://")
    if not found:
        return text
    _, at, place = rest.rpartition("@")
    return f"{scheme}://{'…@' if at else ''}{place.partition('?')[0]}"


def is_url(location: Location) -> bool:
    """Return whether a location is a database of a server rather than a file."""
    return isinstance(location, str) and location.startswith(SCHEMES)


def shown(location: Location) -> str:
    """Return a location as people may see it: the whole path of a file, or a URL without password.

    The database has been opened, so that its driver is installed.
    """
    if not is_url(location):
        return str(Path(location).absolute())
    from replay.store.postgres import driver

    return driver.shown(str(location))


def open_store(location: Location) -> Store:
    """Open the store in a SQLite file or a PostgreSQL database, and create missing tables.

    The file's folder must exist, or the database. Raises `StoreError` for a
    location that cannot be used, and leaves it untouched: another file, a database of another
    program or of a newer Plybook, an unreadable file, a server that cannot be reached.
    """
    if not is_url(location):
        from replay.store.sqlite import SqliteStore

        return SqliteStore(Path(location))
    _require_psycopg()
    from replay.store.postgres import PostgresStore

    return PostgresStore(str(location))


def examine(location: Location) -> Iterator[Finding]:
    """Check any file or database, and yield findings. It only reads.

    If the finding of the check `schema` is sound, the store can be opened. Raises `StoreError` if
    this installation has no driver for it.
    """
    if not is_url(location):
        from replay.store.sqlite import file_checks

        return file_checks.examine(Path(location))
    _require_psycopg()
    from replay.store.postgres import checks

    return checks.examine(str(location))


def _require_psycopg() -> None:
    try:
        import psycopg  # noqa: F401  # an optional extra
    except ImportError:
        raise StoreError(missing_extra("a book in PostgreSQL", "postgres")) from None


def temporary_store(runtime: Runtime = RUNTIME) -> TemporaryStore:
    """Create an empty store that is deleted when it is closed. Raises `StoreError`."""
    from replay.store.sqlite import TemporaryStore

    return TemporaryStore(runtime)
