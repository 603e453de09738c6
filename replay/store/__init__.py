"""Event streams stored for ever: the protocol of a store, and one in SQLite."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from replay.store.sqlite import SqliteStore, TemporaryStore


def open_store(path: Path) -> SqliteStore:
    """Open the store in a SQLite file, and create it if there is none.

    The file's folder must exist. Raises `StoreError` for a file that cannot be used: not a
    database, another program's, a newer Plybook's, unreadable. Such a file is left untouched.
    """
    from replay.store.sqlite import SqliteStore  # commands about games load no database

    return SqliteStore(path)


def temporary_store() -> TemporaryStore:
    """Create an empty store that is deleted when it is closed. Raises `StoreError`."""
    from replay.store.sqlite import TemporaryStore

    return TemporaryStore()
