from __future__ import annotations

from collections.abc import Iterator

import pytest

from replay.book import Book
from replay.store import temporary_store


@pytest.fixture
def book() -> Iterator[Book]:
    store = temporary_store()
    yield Book(store)
    store.close()
