"""Queries share a bounded number of connections, and wait for one no longer than some seconds."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import pytest

from replay.errors import StoreError
from replay.store.connection_pool import MAX_READERS
from tests.replay.store.internals import hurry_readers, reader
from tests.replay.store.streams import match
from tests.waiting import PATIENCE


def test_query_waits_for_a_connection(store):
    stream = match(store, 1)
    lent = ExitStack()
    with ThreadPoolExecutor(1) as pool, lent:
        for _ in range(MAX_READERS):
            lent.enter_context(reader(store))
        waiting = pool.submit(store.stream, stream.id)
        assert not waiting.done()
        threading.Timer(0.1, lent.close).start()
        assert waiting.result(PATIENCE) == stream


def test_query_without_a_connection_is_refused(store):
    stream = match(store, 1)
    hurry_readers(store)
    with ExitStack() as lent:
        for _ in range(MAX_READERS):
            lent.enter_context(reader(store))
        with pytest.raises(StoreError, match="read connections are busy; try again") as told:
            store.stream(stream.id)
        assert told.value.reason == "all 8 read connections are busy; try again"
        assert store.append(stream.id, 1, ()).result().versions == (), "writing goes on"
    assert store.stream(stream.id) == stream


def test_failed_query_returns_its_connection(store):
    hurry_readers(store)
    for _ in range(MAX_READERS + 1):
        with pytest.raises(ZeroDivisionError), reader(store):
            raise ZeroDivisionError
    assert list(store.matches()) == []
