"""An empty book, and the path of one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from replay.book import Book
from replay.store import temporary_store
from replay.store.protocol import Store


@pytest.fixture
def store() -> Iterator[Store]:
    with closing(temporary_store()) as opened:
        yield opened


@pytest.fixture
def book(store: Store) -> Book:
    return Book(store)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "book.db"
