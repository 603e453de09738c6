"""PostgreSQL fails: the store reports each failure in a sentence and recovers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager

import pytest

from replay.errors import StoreError
from replay.store.postgres import PostgresStore, connecting
from replay.store.postgres.connecting import reading, writing
from replay.store.postgres.writer_thread import MAX_TRIES
from replay.store.sql.store import Store
from tests.replay.store.internals import held, reader, refuse_single_commits, submit
from tests.replay.store.postgres_server import other_program
from tests.replay.store.streams import append, events, match
from tests.waiting import PATIENCE

pytestmark = pytest.mark.postgres


@pytest.fixture
def store(url: str) -> Iterator[PostgresStore]:
    with closing(PostgresStore(url)) as opened:
        yield opened


@contextmanager
def failing(url: str, code: str, times: int) -> Iterator[None]:
    """Let the server refuse the first `times` events with an error code of PostgreSQL."""
    with other_program(url) as connection:
        connection.execute(f"""
            CREATE SEQUENCE tried;
            CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                IF nextval('tried') <= {times} THEN
                    RAISE EXCEPTION 'so it is' USING ERRCODE = '{code}';
                END IF;
                RETURN NEW;
            END $$;
            CREATE TRIGGER failing BEFORE INSERT ON events
                FOR EACH ROW EXECUTE FUNCTION fail();
        """)
        yield
        connection.execute("DROP TRIGGER failing ON events")


TOLD = {
    "the disk is full": ("53100", "no space is left on its disk"),
    "the memory is full": ("53200", "the server has no memory left"),
    "the disk fails": ("58030", "reading or writing it failed"),
    "a long lock": ("55P03", "another program is writing to it; try again"),
    "no serial order": ("40001", "another program is writing to it; try again"),
    "a deadlock": ("40P01", "another program is writing to it; try again"),
    "a standby": ("25006", "it is read-only: a standby, or set so"),
    "a cancelled statement": ("57014", "the query took too long, or was cancelled"),
}


@pytest.mark.parametrize(("code", "told"), TOLD.values(), ids=TOLD)
def test_failing_server_is_reported_and_recovers(url, store, code, told):
    stream, other = match(store, 2), match(store, 2)
    with failing(url, code, 99):
        with held(store):
            writes = [store.append(each.id, 2, events(1)) for each in (stream, other)]
        errors = [write.exception(30) for write in writes]
    assert [error.reason for error in errors if isinstance(error, StoreError)] == [told, told]
    assert append(store, stream) == (3,)
    assert append(store, other) == (3,)


def backend(store: Store) -> int:
    """Return the number of the server process that writes for a store."""
    return submit(store, lambda connection: connection.info.backend_pid).result()


PASSING = ["40001", "40P01", "25006"]


@pytest.mark.parametrize("code", PASSING)
def test_aborted_group_is_retried(url, store, code):
    stream, other = match(store, 2), match(store, 2)
    before = backend(store)
    with failing(url, code, MAX_TRIES - 1):
        with held(store):
            writes = [store.append(each.id, 2, events(2)) for each in (stream, other)]
        assert [write.result(PATIENCE).versions for write in writes] == [(3, 4), (3, 4)]
    assert backend(store) != before


def test_loser_of_a_deadlock_retries(url, store):
    stream = match(store, 1)
    with other_program(url) as connection:
        connection.execute("SET deadlock_timeout = '1h'")  # so the other one finds it
        with connection.transaction():
            connection.execute("LOCK TABLE events")
            write = store.append(stream.id, 1, events(1))
            _wait_for_lock(url)
            connection.execute("SELECT * FROM plybook FOR UPDATE")
    assert write.result(PATIENCE).versions == (2,)


def test_whole_group_fails_if_a_lock_lasts(url):
    """If each write waited by itself, they would wait for the lock a thousand times."""
    with closing(PostgresStore(url, patience=0.05)) as store, other_program(url) as connection:
        stream = match(store)
        refuse_single_commits(store)
        with connection.transaction():
            connection.execute("LOCK TABLE events")
            with held(store):
                writes = [store.append(stream.id, 0, events(1)) for _ in range(3)]
            for write in writes:
                with pytest.raises(StoreError, match="another program is writing"):
                    write.result(PATIENCE)
        assert append(store, stream) == (1,)


def _wait_for_lock(url: str) -> None:
    """Wait until a connection waits for a lock in a database."""
    waits = (
        "SELECT 1 FROM pg_stat_activity "
        "WHERE wait_event_type = 'Lock' AND datname = current_database()"
    )
    with other_program(url) as connection:
        while not connection.execute(waits).fetchone():
            pass


def test_query_beyond_its_time_limit_is_ended(url):
    slow = f"{url}&options=-cstatement_timeout%3D50ms"
    with closing(PostgresStore(slow)) as store:
        stream = match(store, 1)
        with pytest.raises(StoreError, match="took too long") as told:
            store._query(lambda connection: connection.execute("SELECT pg_sleep(60)"))
        assert told.value.reason == "the query took too long, or was cancelled"
        assert store.stream(stream.id) == stream


def test_queries_have_a_default_time_limit(url):
    shown = "SHOW statement_timeout"
    for place, longest in ((url, "1min"), (f"{url}&options=-cstatement_timeout%3D5s", "5s")):
        with closing(reading(place)) as connection:
            assert connection.execute(shown).fetchone() == (longest,)
    with closing(writing(url)) as connection:  # a rebuild takes as long as it takes
        assert connection.execute(shown).fetchone() == ("0",)


def test_process_that_stops_in_a_transaction_is_ended(url, store, monkeypatch):
    """A suspended process, or one on a lost machine, would hold up all others."""
    stream = match(store)
    with closing(PostgresStore(url, patience=0.05)) as other, held(store):
        with pytest.raises(StoreError, match="another program is writing"):
            append(other, stream)
        monkeypatch.setattr(connecting, "SILENCE_LIMIT", 0.01)
        assert append(other, stream) == (1,)
    assert append(store, stream) == (2,)


def test_waiting_process_is_not_ended(url, store, monkeypatch):
    stream = match(store)
    monkeypatch.setattr(connecting, "SILENCE_LIMIT", 0.0)
    with closing(connecting.writing(url)) as connection, connection.transaction():
        connection.execute("SELECT * FROM plybook FOR UPDATE")
        write = store.append(stream.id, 0, events(1))
        _wait_for_lock(url)
        connecting.end_silent(connection)
    assert write.result(PATIENCE).versions == (1,)


def test_server_without_a_free_connection_is_reported(url):
    with other_program(url) as connection:
        connection.execute("CREATE ROLE few LOGIN CONNECTION LIMIT 2 IN ROLE plybook")
        try:
            with closing(PostgresStore(url.replace("plybook@", "few@"))) as store:
                stream = match(store, 1)  # one connection reads, one writes
                with (
                    reader(store),
                    pytest.raises(StoreError, match="too many connections") as told,
                ):
                    store.stream(stream.id)
                assert told.value.reason == "the server has no connection left; try again"
                assert store.stream(stream.id) == stream
        finally:
            connection.execute("DROP ROLE few")


@pytest.mark.parametrize("connect", [reading, writing])
def test_silent_machine_is_noticed(url, connect):
    """libpq notices it within its time limit; without one it waits for hours or for ever."""
    for place, milliseconds in ((url, "15000"), (f"{url}&tcp_user_timeout=2000", "2000")):
        with closing(connect(place)) as connection:
            given = connection.info.get_parameters()
            assert given["tcp_user_timeout"] == milliseconds
            assert int(given["keepalives_idle"]) < 60
