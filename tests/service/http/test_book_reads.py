"""A thread folds a long match once, while the service answers other requests."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from domain.games import built_in
from domain.log_edits import TakenBack
from replay.book import MAX_UNQUEUED, PAGE, Book
from replay.record.match_creation import NewMatch
from replay.record.match_record import MatchRecord
from replay.referee import entering
from replay.store.sql.store import Store
from tests.service.live_service import LiveService, live_service
from tests.service.stores import empty_store
from tests.waiting import PATIENCE

EVENTS = 20_000


class Gate:
    """A store in which reading a log waits for a gate."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.reached = threading.Event()
        self.opened = threading.Event()
        self.reads = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self.store, name)

    def read(self, *bounds: int) -> Any:
        self.reads += 1
        self.reached.set()
        assert self.opened.wait(PATIENCE)
        return self.store.read(*bounds)


@asynccontextmanager
async def gated(events: int) -> AsyncIterator[tuple[LiveService, Gate, MatchRecord]]:
    """Serve a match that nobody has folded, behind a gate."""
    store = empty_store()
    log = [(TakenBack(0), "scorekeeper")] * events
    match = Book(store).create(NewMatch(built_in("poptrix"), events=log))
    gate = Gate(store)
    async with live_service(gate, requests_per_minute=0) as service:
        yield service, gate, match
    store.close()


async def test_health_is_answered_while_long_match_is_folded():
    async with gated(EVENTS) as (service, gate, match):
        asked = asyncio.create_task(service.client.get(f"/matches/{match.id}"))
        assert await asyncio.to_thread(gate.reached.wait, PATIENCE)
        assert (await service.client.get("/healthz")).status_code == 200
        assert not asked.done()
        gate.opened.set()
        assert (await asked).json()["version"] == EVENTS


async def test_many_requests_fold_a_long_match_once():
    async with gated(EVENTS) as (service, gate, match):
        paths = (f"/matches/{match.id}", f"/m/{match.id}", f"/matches/{match.id}/events?after=1")
        asked = [asyncio.create_task(service.client.get(path)) for path in paths * 3]
        assert await asyncio.to_thread(gate.reached.wait, PATIENCE)
        gate.opened.set()
        assert [(await each).status_code for each in asked] == [200] * len(asked)
        assert gate.reads == EVENTS / PAGE


async def test_waiting_for_long_match_keeps_no_thread():
    async with gated(MAX_UNQUEUED + 1) as (service, gate, match):
        asked = [asyncio.create_task(service.client.get(f"/matches/{match.id}")) for _ in range(50)]
        assert await asyncio.to_thread(gate.reached.wait, PATIENCE)
        assert (await service.client.get("/matches")).status_code == 200  # it looks in a thread
        assert not any(each.done() for each in asked)
        gate.opened.set()
        assert [(await each).status_code for each in asked] == [200] * len(asked)


async def test_stream_of_uncached_match_keeps_service_answering():
    async with gated(MAX_UNQUEUED + 1) as (service, gate, match):
        gate.opened.set()
        stream = await service.listen(f"/matches/{match.id}/stream")
        assert await stream.next() is not None
        gate.opened.clear()
        gate.reached.clear()
        service.book.cache.drop(match)
        entering.play(Book(gate.store), match, ["M@c1"])
        assert await asyncio.to_thread(gate.reached.wait, PATIENCE)
        assert (await service.client.get("/healthz")).status_code == 200
        gate.opened.set()
        logged = await stream.next()
        assert logged is not None
        assert logged.id == MAX_UNQUEUED + 2


@pytest.mark.parametrize("path", ["/matches/{}x", "/matches/{}"])
async def test_trashed_match_is_refused_without_folding(path):
    async with gated(MAX_UNQUEUED + 1) as (service, gate, match):
        service.store.trash(match.stream.id).result()
        assert (await service.client.get(path.format(match.id))).status_code == 404
        assert gate.reads == 0


@pytest.mark.parametrize("path", ["?version=1", "/events", "/position?version=1", "/board/1/0.svg"])
async def test_long_log_is_read_in_a_thread(monkeypatch, path):
    read_in: list[threading.Thread] = []
    store = empty_store()
    log = [(TakenBack(0), "scorekeeper")] * (MAX_UNQUEUED + 1)
    match = Book(store).create(NewMatch(built_in("poptrix"), events=log))
    async with live_service(store) as service:
        await service.client.get(f"/matches/{match.id}")
        for name in ("at_version", "entry"):
            real = getattr(MatchRecord, name)
            monkeypatch.setattr(
                MatchRecord,
                name,
                lambda *args, real=real: read_in.append(threading.current_thread()) or real(*args),
            )
        assert (await service.client.get(f"/matches/{match.id}{path}")).status_code == 200
    assert read_in
    assert threading.main_thread() not in read_in
    store.close()
