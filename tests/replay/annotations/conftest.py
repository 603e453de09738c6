"""A book with a match to annotate."""

from __future__ import annotations

from itertools import count

import pytest

from domain.games import built_in
from replay.book import Book
from replay.record.match_record import MatchRecord
from replay.referee.entering import play
from replay.referee.opening import open_match
from replay.store.sql.store import Store


@pytest.fixture
def book(store: Store) -> Book:
    clock = count(1_700_000_000_000)
    return Book(store, now=lambda: next(clock))


@pytest.fixture
def record(book: Book) -> MatchRecord:
    match = open_match(book, built_in("poptrix"), players={1: "Jet", 2: "Red"})
    return play(book, match, ["M@c1", "S@c6", "c1>L@c3", "c6>M@c4"])
