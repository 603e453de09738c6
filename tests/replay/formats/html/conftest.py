from __future__ import annotations

from collections.abc import Iterator

import pytest

from replay.book import Book
from replay.store import open_store


@pytest.fixture
def book() -> Iterator[Book]:
    store = open_store(None)
    yield Book(store)
    store.close()
