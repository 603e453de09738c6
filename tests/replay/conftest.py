"""An empty book, and the path of one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from replay.book import Book
from replay.store import open_store, temporary_store
from replay.store.sql.store import Store


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


@pytest.fixture
def opened() -> Iterator[Callable[[Path], Store]]:
    """A function that opens a database; the end of the test closes it."""
    with ExitStack() as stores:
        yield lambda path: stores.enter_context(closing(open_store(path)))
