"""A database file, a store in it, and a database of PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from replay.store import temporary_store
from replay.store.protocol import Store
from replay.store.sqlite import SqliteStore
from tests.replay.store.postgres_server import Server


@pytest.fixture
def store() -> Iterator[Store]:
    opened = temporary_store()
    yield opened
    opened.close()


@pytest.fixture
def url(postgres: Server) -> Iterator[str]:
    made = postgres.new_book()
    yield made
    postgres.drop(made)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "matches.db"


@pytest.fixture
def sqlite(path: Path) -> Iterator[SqliteStore]:
    opened = SqliteStore(path, timeout=5)
    yield opened
    opened.close()
