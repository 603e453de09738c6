"""The store in one SQLite file: write-ahead log, one writer thread, read-only readers."""

from replay.store.sqlite.store import SqliteStore, TemporaryStore

__all__ = ["SqliteStore", "TemporaryStore"]
