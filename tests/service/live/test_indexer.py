"""The indexer derives the data of searches across matches before any request."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from litestar.testing import TestClient

from replay.access.visibility import ReadScope
from replay.book import Book
from replay.library import changes, text_search
from replay.record.match_creation import NewMatch
from replay.referee.scoresheet_pairs import HOUR
from replay.registry import find
from service.app import create_app
from service.live import indexer
from tests.conformance import door
from tests.conformance.subjects import GAMES, SITE
from tests.replay.test_book import Counting
from tests.service.stores import empty_store
from tests.waiting import PATIENCE, eventually

POPTRIX = find("poptrix")
MATCHES = 3


@pytest.fixture
def book(monkeypatch: pytest.MonkeyPatch) -> Iterator[Book]:
    """A book with unindexed matches, for a service that looks often."""
    monkeypatch.setattr(indexer, "POLL_INTERVAL", 0.01)
    store = empty_store()
    book = Book(Counting(store))
    for number in range(MATCHES):
        book.create(NewMatch(POPTRIX, metadata={"Seat1": f"Jet {number}"}))
    yield book
    store.close()


@contextmanager
def served(book: Book) -> Iterator[TestClient[Any]]:
    with TestClient(create_app(book)) as client:
        yield client


def left(book: Book) -> int:
    """Count the matches that a request would still have to index."""
    store = book.store._store  # a plain read, not counted
    return len(store.positions_due()) + len(store.texts_due())


def indexed(book: Book) -> int:
    """Count the matches whose moves are indexed."""
    store = book.store._store
    return sum(store.indexed_match(each.id) is not None for each in store.matches())


def test_old_and_new_matches_are_indexed_without_request(book):
    assert left(book) == 2 * MATCHES
    with served(book) as client:
        eventually(lambda: left(book) == 0)
        assert client.post("/matches", json={"game": "poptrix"}).status_code == 201
        eventually(lambda: indexed(book) == MATCHES + 1 and left(book) == 0)


def test_idle_indexer_asks_for_no_matches(book):
    asked = book.store.asked
    with served(book):
        # It looks once more, because of its own writes.
        eventually(lambda: left(book) == 0 and asked[-3:] == ["data_version"] * 3)
        looks = asked.count("positions_due")
        assert looks
        seen = asked.count("data_version")
        eventually(lambda: asked.count("data_version") > seen + 5)
        assert asked.count("positions_due") == looks


def test_scoresheets_that_opened_by_the_hour_are_in_the_feed(book):
    clock = [1_000_000]
    book.now = lambda: clock[0]
    with served(book) as client:
        asked = {"game": "poptrix", "scoresheets": "each"}
        sheets = client.post("/matches", json=asked).json()["scoresheets"]
        first = sheets[0]
        who = {"Authorization": f"Bearer {first['tokens']['seats']['1']}"}
        assert client.post(f"/matches/{first['match']}/done", json={}, headers=who).is_success
        streams = [book.find(each["match"]).id for each in sheets]
        eventually(lambda: left(book) == 0)
        before = changes.now(book)
        clock[0] += HOUR
        eventually(lambda: "access.visibility" not in book.store.metadata(streams[1]))
        eventually(lambda: "access.visibility" not in book.store.metadata(streams[0]))
        shown = ReadScope(frozenset(("unlisted", "public")))
        found = changes.page(book, shown, before, 9).changes
        assert {each.match for each in found} == {each["match"] for each in sheets}
        assert all("visibility" in each.what for each in found)


def test_unreadable_match_does_not_delay_others(book):
    with door.opened(SITE):
        Book(book.store).create(NewMatch(GAMES["hidden-bid"]))
    book.create(NewMatch(POPTRIX))
    with served(book):
        eventually(lambda: indexed(book) == MATCHES + 1)


def test_indexer_ends_with_service_and_requests_finish(book, monkeypatch):
    monkeypatch.setattr(indexer, "REST", 10**6)
    with served(book):
        eventually(lambda: left(book) < 2 * MATCHES)
    assert left(book) == 2 * MATCHES - 1
    assert TestClient(create_app(book)).get("/explore/poptrix").status_code == 200
    assert len(list(text_search.find(book, "jet"))) == MATCHES
    assert left(book) == 0


def test_indexer_stops_while_the_database_is_silent(book, monkeypatch):
    monkeypatch.setattr(indexer, "STOP_TIMEOUT", 0.1)
    asked, answering = threading.Event(), threading.Event()

    def wait_for_answer() -> int:
        asked.set()
        answering.wait(PATIENCE)
        return 0

    monkeypatch.setattr(book.store._store, "is_local", False)
    monkeypatch.setattr(book.store._store, "data_version", wait_for_answer)

    async def stop_while_it_waits() -> bool:
        running = indexer.Indexer(book)
        running.start()
        await asyncio.to_thread(asked.wait)
        await running.stop()
        was_silent = not answering.is_set()
        answering.set()
        return was_silent

    assert asyncio.run(asyncio.wait_for(stop_while_it_waits(), PATIENCE))


def test_fault_is_logged_and_indexer_continues(book, monkeypatch, caplog):
    def broken(_):
        raise RuntimeError("of a secret")

    with served(book) as client:
        with monkeypatch.context() as patch:
            patch.setattr(indexer.indexes, "index_matches", broken)
            client.post("/matches", json={"game": "poptrix"})
            eventually(lambda: "cannot be kept up to date" in caplog.text)
        assert "of a secret" not in caplog.text
        client.post("/matches", json={"game": "poptrix"})
        eventually(lambda: left(book) == 0)
