from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from replay import registry, rules_text
from replay.book import Book
from replay.formats.ply.importer import import_record
from replay.formats.ply.model import Record
from replay.formats.ply.reader import read_records
from replay.record.match_record import MatchRecord
from replay.referee import entering
from replay.referee.opening import open_match
from replay.store import temporary_store

OpenMatch = Callable[..., MatchRecord]


@pytest.fixture
def book() -> Iterator[Book]:
    store = temporary_store()
    yield Book(store, now=lambda: 0)
    store.close()


@pytest.fixture
def opened(book: Book) -> OpenMatch:
    """Open a match between Jet and Red, with some moves."""

    def make(slug: str, moves: str = "", **more: object) -> MatchRecord:
        names = {1: "Jet", 2: "Red"}
        record = open_match(book, registry.find(slug), players=names, **more)
        return entering.play(book, record, moves.split()) if moves else record

    return make


@pytest.fixture
def demo(book: Book) -> Callable[[str], MatchRecord]:
    """Import the demonstration match of a game."""

    def make(slug: str) -> MatchRecord:
        record = next(iter(read_records(rules_text.demo(registry.find(slug)))))
        assert isinstance(record, Record)
        return import_record(book, record)

    return make
