"""A primary with a standby: acknowledged events outlive the primary, and writers continue."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import ExitStack, closing
from typing import Any

import psycopg
import pytest

from replay.errors import StoreError
from replay.store import examine
from replay.store.postgres import PostgresStore
from replay.store.postgres.connecting import reading, writing
from replay.store.postgres.driver import shown
from replay.store.sql.store import Store
from replay.store.stream_verification import verify_chain
from tests.replay.store.internals import reader
from tests.replay.store.postgres_server import Server, database_of, running, standby_of, url_of
from tests.replay.store.streams import append, event, match
from tests.waiting import PATIENCE

pytestmark = pytest.mark.postgres


@pytest.fixture
def servers() -> Iterator[tuple[Server, Server]]:
    """Start a primary and its synchronous standby."""
    with running() as primary, standby_of(primary) as standby:
        primary.wait_for_standby()
        yield primary, standby


class Player(threading.Thread):
    """A player who enters event after event and repeats each until it is acknowledged."""

    def __init__(self, store: Store) -> None:
        super().__init__(daemon=True)
        self.stream = match(store)
        self.acknowledged: list[bytes] = []
        self.refused = 0
        self.done = threading.Event()
        self._store = store

    def run(self) -> None:
        while not self.done.is_set():
            self._enter()

    def _enter(self) -> None:
        sent = event()
        while True:
            try:
                self._store.append(self.stream.id, len(self.acknowledged), [sent]).result()
            except StoreError:
                self.refused += 1
                self.done.wait(0.01)
            else:
                self.acknowledged.append(sent.id)
                return

    def wait(self, events: int) -> None:
        """Wait until this many more events are acknowledged."""
        until = len(self.acknowledged) + events
        while len(self.acknowledged) < until:
            assert self.is_alive()
            self.done.wait(0.01)


def test_death_of_primary_neither_loses_nor_doubles_events(servers):
    primary, standby = servers
    url = url_of(database_of(primary.new_book()), primary, standby)
    with ExitStack() as opened:
        stores = [opened.enter_context(closing(PostgresStore(url))) for _ in range(2)]
        players = [Player(store) for store in stores * 3]
        for player in players:
            player.start()
        for player in players:
            player.wait(20)
        primary.kill()
        standby.promote()
        for player in players:
            player.wait(20)
            player.done.set()
        for player in players:
            player.join()
            stored = [each.id for each in stores[0].read(player.stream.id)]
            assert stored == player.acknowledged
            assert verify_chain(stores[0], player.stream.id) is None
        assert any(player.refused for player in players)


def test_followers_are_notified_by_the_promoted_standby(servers):
    primary, standby = servers
    url = url_of(database_of(primary.new_book()), primary, standby)
    with closing(PostgresStore(url)) as store, closing(PostgresStore(url)) as elsewhere:
        stream = match(store)
        told = threading.Semaphore(0)
        store.on_change(told.release)
        assert told.acquire(timeout=PATIENCE)
        primary.kill()
        standby.promote()
        assert told.acquire(timeout=PATIENCE), "it listens again"
        append(elsewhere, stream)
        assert told.acquire(timeout=PATIENCE)


def test_writing_host_is_found_among_several(servers):
    primary, standby = servers
    book = database_of(primary.new_book())
    primary.wait_until_shown()
    for several in ((primary, standby), (standby, primary)):
        with closing(PostgresStore(url_of(book, *several))) as store:
            append(store, match(store))
            with reader(store) as connection:
                assert connection.execute("SELECT pg_is_in_recovery()").fetchone() == (False,)
    anywhere = f"{url_of(book, standby, primary)}&target_session_attrs=any"
    with closing(reading(anywhere)) as connection:  # as the URL says
        assert connection.execute("SELECT pg_is_in_recovery()").fetchone() == (True,)


def test_standby_is_read_and_refuses_writes(servers):
    primary, standby = servers
    url = primary.new_book()
    with closing(PostgresStore(url)) as store:
        stream = match(store, 3)
    primary.wait_until_shown()
    with closing(PostgresStore(standby.url(database_of(url)))) as store:
        assert [each.version for each in store.read(stream.id)] == [1, 2, 3]
        with pytest.raises(StoreError, match="read-only") as told:
            append(store, stream)
        assert told.value.reason == "it is read-only: a standby, or set so"
    primary.kill()
    with pytest.raises(StoreError, match="read-only"):
        PostgresStore(url_of(database_of(url), primary, standby))


@pytest.mark.parametrize("set_by", ["the URL", "the database", "the role"])
def test_standby_with_remote_apply_shows_acknowledged_events(servers, set_by):
    primary, standby = servers
    url = primary.new_book()
    if set_by == "the URL":
        url += "&options=-c%20synchronous_commit%3Dremote_apply"
    else:
        whom = f"DATABASE {database_of(url)}" if set_by == "the database" else "ROLE plybook"
        primary.run(f"ALTER {whom} SET synchronous_commit TO remote_apply")
    with closing(writing(url)) as connection:
        assert connection.execute("SHOW synchronous_commit").fetchone() == ("remote_apply",)
    with closing(PostgresStore(url)) as store:
        stream = match(store)
        with closing(PostgresStore(standby.url(database_of(url)))) as copy:
            for version in range(1, 31):
                append(store, stream)
                assert copy.stream(stream.id).head == version


def test_cancelled_standby_wait_is_not_acknowledged(servers):
    """An operator cancels the wait: then only the primary has the event."""
    primary, standby = servers
    url = primary.new_book()
    with closing(PostgresStore(url)) as store:
        stream, sent = match(store, 1), event()
        standby.stop()
        write: Future[Any] = store.append(stream.id, 1, [sent])
        with psycopg.connect(url, autocommit=True) as connection:
            waits = "FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
            while not connection.execute(f"SELECT pg_cancel_backend(pid) {waits}").fetchall():
                pass
        with pytest.raises(StoreError, match=r"wait for a standby was cancelled .* not known"):
            write.result(PATIENCE)
        standby.start()
        assert store.append(stream.id, 1, [sent]).result(PATIENCE).repeated
        assert append(store, stream) == (3,)


def test_missing_standby_stops_moves_only_briefly(servers):
    primary, standby = servers
    url = f"{primary.new_book()}&options=-c%20plybook.commit_timeout%3D1s"
    with closing(PostgresStore(url, patience=0.5)) as store:
        stream, sent = match(store, 1), event()
        assert store.obstacle() is None
        standby.stop()
        with pytest.raises(StoreError, match=r"standby did not answer in 1 seconds .* not known"):
            store.append(stream.id, 1, [sent]).result(PATIENCE)
        assert store.stream(stream.id).head == 1, "what the standby lacks is not shown"
        with pytest.raises(StoreError, match="another program is writing"):
            append(store, stream)
        assert store.obstacle() == "commits wait for a standby that is away"
        standby.start()
        while store.stream(stream.id).head == 1:
            pass
        assert store.append(stream.id, 1, [sent]).result(PATIENCE).repeated
        assert append(store, stream) == (3,)


def test_returning_old_primary_is_not_used(servers):
    primary, standby = servers
    book = database_of(primary.new_book())
    url = url_of(book, primary, standby)
    standby.promote()  # nobody stopped the old one
    for _ in range(2):
        with closing(PostgresStore(url)) as store:
            made = match(store)
    with closing(PostgresStore(standby.url(book))) as alone:
        assert alone.stream(made.id) == made
    standby.stop()
    with pytest.raises(StoreError, match="an old primary answers") as told:
        PostgresStore(url)
    assert told.value.reason == "an old primary answers"
    standby.start()
    with closing(PostgresStore(url)) as store:
        assert store.stream(made.id) == made


def test_doctor_sees_whether_commits_wait_for_a_standby(servers):
    primary, standby = servers
    url = primary.new_book()

    def look(url: str) -> tuple[str, str]:
        [found] = [each for each in examine(url) if each.check == "standby"]
        return found.verdict, found.message

    assert look(url) == ("ok", "commits wait for *")
    standby.stop()
    primary.run("ALTER SYSTEM SET wal_sender_timeout = 100")
    primary.run("SELECT pg_reload_conf()")
    while look(url)[0] == "ok":
        pass
    assert "none is connected" in look(url)[1]
    primary.run("ALTER SYSTEM SET synchronous_standby_names = ''")
    primary.run("SELECT pg_reload_conf()")
    assert look(url) == ("ok", "commits wait for only the disk of this server")
    wanted = f"{url}&options=-c%20synchronous_commit%3Dremote_apply"
    assert look(wanted)[0] == "warning"


SHOWN = {
    "postgresql://me:geheim@a:5433,b/book?target_session_attrs=any": "postgresql://me@a:5433,b/book",
    "postgresql://a,b,c/book": "postgresql://a,b,c/book",
    "postgresql://a,b/book?port=6432": "postgresql://a:6432,b:6432/book",
    "postgresql://[::1]:5433,b/book": "postgresql://[::1]:5433,b/book",
    "postgresql:///book?host=/run/one,/run/two": "postgresql:///book",
}


@pytest.mark.parametrize(("url", "name"), SHOWN.items())
def test_all_hosts_of_a_url_are_shown(url, name):
    assert shown(url) == name
