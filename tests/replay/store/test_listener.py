"""A commit of one process to a book in PostgreSQL notifies all others."""

from __future__ import annotations

import resource
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import psycopg
import pytest

from replay.store.postgres import PostgresStore
from replay.store.sql.store import Store
from tests.replay.store.postgres_server import running
from tests.replay.store.streams import append, match, summary
from tests.waiting import PATIENCE, eventually

pytestmark = pytest.mark.postgres

LISTENERS = "FROM pg_stat_activity WHERE query LIKE 'LISTEN%' AND datname = current_database()"


@pytest.fixture
def store(url: str) -> Iterator[PostgresStore]:
    with closing(PostgresStore(url)) as opened:
        yield opened


class Told:
    """A follower who counts the calls."""

    def __init__(self, store: Store) -> None:
        self.calls = 0
        self._called = threading.Condition()
        store.on_change(self._call)

    def _call(self) -> None:
        with self._called:
            self.calls += 1
            self._called.notify_all()

    def wait(self, calls: int) -> bool:
        """Wait for this many calls in all."""
        with self._called:
            return self._called.wait_for(lambda: self.calls >= calls, PATIENCE)


def test_commits_of_another_process_notify_followers(store, elsewhere):
    stream = match(store)
    told = Told(store)
    assert told.wait(1), "once it listens"
    for calls in (2, 3):
        append(elsewhere, stream, 5)
        assert told.wait(calls)
    elsewhere.set_metadata(stream.id, {"Seat1": "Jet"}).result()
    assert told.wait(4)
    elsewhere.summarise(stream.id, summary(10)).result()
    assert told.wait(5)
    assert told.calls == 5, "one for a commit"


def test_probes_and_refused_writes_notify_no_follower(store, elsewhere):
    stream = match(store)
    told = Told(store)
    assert told.wait(1)
    elsewhere.probe().result()
    append(elsewhere, stream)
    assert told.wait(2)
    assert told.calls == 2


def test_told_texts_reach_all_processes_and_are_no_changes(store, elsewhere):
    told, heard = Told(store), []
    store.on_told(heard.append)
    assert told.wait(1)
    version = store.data_version()
    for text in ("é" * 3000, "{}"):
        elsewhere.tell(text)
    eventually(lambda: len(heard) == 2)
    assert heard == ["é" * 3000, "{}"]
    assert (told.calls, store.data_version()) == (1, version)


def test_closed_store_notifies_no_follower(store, elsewhere):
    stream = match(store)
    told, other = Told(store), Told(elsewhere)
    assert told.wait(1)
    assert other.wait(1)
    store.close()
    before = told.calls
    append(elsewhere, stream)
    assert other.wait(2)
    assert told.calls == before


def test_store_without_followers_does_not_listen(url, store):
    match(store)
    with psycopg.connect(url, autocommit=True) as connection:
        assert connection.execute(f"SELECT count(*) {LISTENERS}").fetchone() == (0,)
        assert Told(store).wait(1)
        assert Told(store).wait(0)
        assert connection.execute(f"SELECT count(*) {LISTENERS}").fetchone() == (1,)


def test_lost_listener_listens_again_and_notifies(url, store, elsewhere):
    stream = match(store)
    told = Told(store)
    assert told.wait(1)
    for calls in (2, 4):
        with psycopg.connect(url, autocommit=True) as connection:
            killed = connection.execute(f"SELECT pg_terminate_backend(pid, 9000) {LISTENERS}")
            assert killed.fetchall() == [(True,)]
        assert told.wait(calls), "it listens again"
        append(elsewhere, stream)
        assert told.wait(calls + 1)


def test_restarted_server_is_listened_to_again():
    """The test has a server of its own, which stops as in a crash."""
    with running() as server:
        url = server.new_book()
        with closing(PostgresStore(url)) as store, closing(PostgresStore(url)) as elsewhere:
            stream = match(store)
            told = Told(store)
            assert told.wait(1)
            server.stop()
            server.start()
            assert told.wait(2), "it listens again"
            append(elsewhere, stream)
            assert told.wait(3)


def test_store_without_its_server_closes():
    with running() as server, closing(PostgresStore(server.new_book())) as store:
        assert Told(store).wait(1)
        server.stop()
        store.close()
        assert "plybook-listener" not in {each.name for each in threading.enumerate()}


def test_process_with_many_open_files_listens(url):
    """A server with a thousand streams has as many, and `select` cannot watch their numbers."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard < 2000:
        pytest.skip("this process may not open so many files")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, 2000), hard))
    with ExitStack() as files:
        files.callback(resource.setrlimit, resource.RLIMIT_NOFILE, (soft, hard))
        for _ in range(1100):
            files.enter_context(Path("/dev/null").open())
        store = files.enter_context(closing(PostgresStore(url)))
        stream = match(store)
        told = Told(store)
        assert told.wait(1)
        append(store, stream)
        append(store, stream)
        assert told.wait(2)
