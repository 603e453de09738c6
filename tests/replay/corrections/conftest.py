"""A book whose clock shows 1, 2, 3 …"""

from __future__ import annotations

from itertools import count

import pytest

from replay.book import Book
from replay.store.sql.store import Store


@pytest.fixture
def book(store: Store) -> Book:
    ticks = count(1)
    return Book(store, now=lambda: next(ticks))
