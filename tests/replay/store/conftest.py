"""A store in a database file, and a database of PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from replay.store.postgres import PostgresStore
from replay.store.sqlite import SqliteStore
from tests.replay.store.postgres_server import Server


@pytest.fixture
def url(postgres: Server) -> Iterator[str]:
    made = postgres.new_book()
    yield made
    postgres.drop(made)


@pytest.fixture
def elsewhere(url: str, store: PostgresStore) -> Iterator[PostgresStore]:
    """Open the same database as another process does."""
    with closing(PostgresStore(url)) as opened:
        yield opened


@pytest.fixture
def sqlite(path: Path) -> Iterator[SqliteStore]:
    opened = SqliteStore(path, timeout=5)
    yield opened
    opened.close()
