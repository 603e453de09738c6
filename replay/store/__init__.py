"""Event streams kept for ever: the protocol, a store in memory and one in SQLite."""

from __future__ import annotations

from pathlib import Path

from replay.store.protocol import Store


def open_store(path: Path | None) -> Store:
    """Open the store in a SQLite file, made if it is not there; with `None` one in memory.

    The file's folder must exist. Raises `StoreError` for a file that cannot be used: not a
    database, another program's, a newer Plybook's, unreadable. Such a file is left untouched.
    """
    if path is None:
        from replay.store.memory import MemoryStore  # loaded only if it is used

        return MemoryStore()
    from replay.store.sqlite import SqliteStore  # loads SQLite, which tests in memory do not need

    return SqliteStore(path)
