"""A database file, and a store in it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from replay.store import temporary_store
from replay.store.protocol import Store
from replay.store.sqlite import SqliteStore


@pytest.fixture
def store() -> Iterator[Store]:
    opened = temporary_store()
    yield opened
    opened.close()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "matches.db"


@pytest.fixture
def sqlite(path: Path) -> Iterator[SqliteStore]:
    opened = SqliteStore(path, timeout=5)
    yield opened
    opened.close()
