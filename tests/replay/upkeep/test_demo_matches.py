"""Demonstration matches: one of each game, also with several writers, and only on request."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from replay import registry
from replay.access import visibility
from replay.book import Book
from replay.store.sql.store import Store
from replay.upkeep.demo_matches import DEMO, demo_matches
from tests.replay.store.contract.conftest import BACKENDS

GAMES = [*registry.games()]


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def store(request: pytest.FixtureRequest) -> Iterator[Store]:
    opened = BACKENDS[request.param](request)
    yield opened
    opened.close()


def slugs(book: Book) -> list[str]:
    return sorted(record.game.slug for record in book.matches())


def test_each_game_has_one_public_match(store):
    first = [record.id for record in demo_matches(Book(store))]
    again = [record.id for record in demo_matches(Book(store))]
    book = Book(store)
    assert first == again
    assert slugs(book) == sorted(GAMES)
    for record in book.matches():
        facts = store.metadata(record.stream.id)
        assert facts[DEMO] == record.game.ruleset
        assert visibility.visibility_of(book, record) == visibility.PUBLIC


def test_simultaneous_servers_add_demonstrations_once(store):
    one, other = demo_matches(Book(store)), demo_matches(Book(store))
    pairs = [(mine.id, yours.id) for mine, yours in zip(one, other, strict=True)]
    assert all(mine == yours for mine, yours in pairs)
    assert slugs(Book(store)) == sorted(GAMES)


def test_trashed_demonstration_match_stays_there(store):
    first, *rest = demo_matches(Book(store))
    store.trash(first.stream.id).result()
    assert [record.id for record in demo_matches(Book(store))] == [each.id for each in rest]
    assert len(slugs(Book(store))) == len(GAMES) - 1
