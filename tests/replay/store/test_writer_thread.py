"""The writer: groups, neighbours, durability before answers, and its end."""

from __future__ import annotations

import logging
import threading

import pytest

from replay.errors import Stale, StoreError
from replay.store.connection_pool import MAX_READERS
from replay.store.sqlite import SqliteStore, connecting, driver
from replay.store.sqlite.driver import Connection, sqlite3
from replay.store.sqlite.events import KNOWN
from tests.replay.store.internals import close_readers, commits, held, reader, submit
from tests.replay.store.streams import event, events, match, new
from tests.waiting import PATIENCE


def test_queued_writes_share_one_transaction(sqlite):
    stream = match(sqlite)
    before = commits(sqlite)
    with held(sqlite):
        queued = [sqlite.append(stream.id, version, events(1)) for version in range(100)]
    assert [each.result().versions[0] for each in queued] == list(range(1, 101))
    assert commits(sqlite) == before + 2


def test_failing_append_leaves_its_neighbours_stored(sqlite):
    stream, other = match(sqlite), match(sqlite)

    def fails_late(connection: Connection) -> None:
        connection.execute("INSERT INTO purging VALUES (1)")
        connection.execute("INSERT INTO nonsense VALUES (1)")

    before = commits(sqlite)
    with held(sqlite):
        first = sqlite.append(stream.id, 0, events(1))
        stale = sqlite.append(stream.id, 0, events(1))
        broken = submit(sqlite, fails_late)
        second = sqlite.append(stream.id, 1, events(1))
        elsewhere = sqlite.append(other.id, 0, events(1))
    assert first.result().versions == elsewhere.result().versions == (1,)
    assert second.result().versions == (2,)
    with pytest.raises(Stale):
        stale.result()
    with pytest.raises(StoreError, match="nonsense"):
        broken.result()
    assert commits(sqlite) == before + 2
    assert sqlite.stream(stream.id).head == 2
    with pytest.raises(sqlite3.IntegrityError), sqlite3.connect(sqlite.path) as outside:
        outside.execute("DELETE FROM events")


def test_failing_append_leaves_appends_at_known_heads_stored(sqlite):
    streams, asked = [match(sqlite) for _ in range(3)], list[str]()
    submit(sqlite, lambda connection: connection.set_trace_callback(asked.append)).result()
    first = [events(1) for _ in streams]
    for stream, one in zip(streams, first, strict=True):
        sqlite.append(stream.id, 0, one).result()
    queued = threading.Event()
    submit(sqlite, lambda _: queued.wait(), ends_epoch=False)
    together = [sqlite.append(stream.id, 1, events(1)) for stream in streams[1:]]
    repeated = sqlite.append(streams[0].id, 1, first[0])
    queued.set()
    assert [each.result().versions for each in together] == [(2,)] * 2
    assert repeated.result().versions == (1,)
    assert sum("ROLLBACK TO known" in each for each in asked) >= 1
    assert [sqlite.stream(stream.id).head for stream in streams] == [1, 2, 2]


def test_lost_transaction_leaves_its_neighbours_stored(sqlite):
    stream = match(sqlite)

    def loses(connection: Connection) -> None:
        connection.execute("ROLLBACK")  # SQLite may roll back by itself when a disk fails
        raise sqlite3.OperationalError("disk I/O error")

    with held(sqlite):
        first = sqlite.append(stream.id, 0, events(1))
        lost = submit(sqlite, loses)
        second = sqlite.append(stream.id, 1, events(1))
    assert (first.result().versions, second.result().versions) == ((1,), (2,))
    with pytest.raises(StoreError, match="disk I/O error"):
        lost.result()
    assert [each.version for each in sqlite.read(stream.id)] == [1, 2]


def test_append_is_answered_when_it_can_be_read(sqlite):
    stream = match(sqlite)
    seen = []
    with held(sqlite):
        for version in range(3):
            future = sqlite.append(stream.id, version, events(1))
            future.add_done_callback(lambda _: seen.append(sqlite.stream(stream.id).head))
    future.result()
    sqlite.close()
    assert seen == [3, 3, 3]


def test_writer_is_durable_at_every_commit(sqlite):
    def settings(connection: Connection) -> list[object]:
        names = ("journal_mode", "synchronous", "foreign_keys")
        return [connection.execute(f"PRAGMA {name}").fetchone()[0] for name in names]

    assert submit(sqlite, settings).result() == ["wal", 2, 1]


@pytest.mark.parametrize("ids", ["?", "?, ?", "NULL"])
def test_append_looks_for_its_ids_by_index(sqlite, ids):
    query = "EXPLAIN QUERY PLAN " + KNOWN.format(ids=ids)
    with reader(sqlite) as connection:
        plan = " ".join(row[-1] for row in connection.execute(query, (b"",) * (query.count("?"))))
    assert "event_id=" in plan
    assert "SCAN" not in plan


def test_readers_cannot_write(sqlite):
    match(sqlite)
    with pytest.raises(StoreError, match="it is read-only"), reader(sqlite) as connection:
        connection.execute("INSERT INTO purging VALUES (1)")


def test_readers_are_limited_and_reused(sqlite, monkeypatch):
    stream = match(sqlite, 1)
    opened = []
    connect = connecting._connect
    monkeypatch.setattr(connecting, "_connect", lambda *args: opened.append(1) or connect(*args))
    threads = [
        threading.Thread(target=lambda: [sqlite.read(stream.id) for _ in range(20)])
        for _ in range(3 * MAX_READERS)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(opened) < MAX_READERS


def test_closed_store_closes_returned_readers(sqlite):
    with reader(sqlite) as connection:
        sqlite.close()
        assert connection.execute("SELECT 1").fetchone() == (1,)
    with pytest.raises(sqlite3.ProgrammingError):
        connection.execute("SELECT 1")


def test_cancelled_append_is_not_written(sqlite):
    stream = match(sqlite)
    with held(sqlite):
        cancelled = sqlite.append(stream.id, 0, events(1))
        assert cancelled.cancel()
        stands = sqlite.append(stream.id, 0, events(1))
    assert stands.result().versions == (1,)


def test_programming_error_reaches_only_its_caller(sqlite):
    stream = match(sqlite)

    def mistaken(_: Connection) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        submit(sqlite, mistaken).result()
    assert sqlite.append(stream.id, 0, events(1)).result().versions == (1,)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_death_of_the_writer_fails_all_appends(sqlite):
    stream = match(sqlite)

    def dies(_: Connection) -> None:
        raise SystemExit

    with held(sqlite):
        before = sqlite.append(stream.id, 0, events(1))
        submit(sqlite, dies)
        after = sqlite.append(stream.id, 1, events(1))
    for future in (before, after, sqlite.append(stream.id, 0, events(1))):
        with pytest.raises(StoreError, match="closed"):
            future.result(PATIENCE)
    assert sqlite.stream(stream.id).head == 0
    sqlite.close()


def test_writing_program_is_waited_for_and_reported(path):
    store = SqliteStore(path, timeout=0.05)
    stream = match(store)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreError, match="another program"):
        store.append(stream.id, 0, events(1)).result()
    assert store.stream(stream.id) == stream, "reading goes on"
    other.execute("ROLLBACK")
    other.close()
    assert store.append(stream.id, 0, events(1)).result().versions == (1,)
    store.close()


def test_full_disk_keeps_smaller_writes(path):
    store = SqliteStore(path, settings=(*connecting.DURABLE, "PRAGMA max_page_count = 90"))
    stream, other = match(store, 2), match(store)
    with held(store):
        huge = store.append(stream.id, 2, [event('"' + "x" * 500_000 + '"')])
        small = store.append(other.id, 0, events(1))
    with pytest.raises(StoreError, match="no space is left"):
        huge.result()
    assert small.result().versions == (1,)
    assert store.stream(stream.id) == stream
    store.close()


def test_missing_file_is_reported_and_not_recreated(path):
    SqliteStore(path).close()
    store = SqliteStore(path)
    close_readers(store)
    path.unlink()
    with pytest.raises(StoreError, match=str(path)):
        store.create(new()).result()
    assert not path.exists()
    store.close()


@pytest.mark.parametrize(
    ("version", "warned"), [((3, 51, 2), True), ((3, 51, 3), False), ((3, 53, 0), False)]
)
def test_sqlite_that_can_damage_files_warns_once(version, warned, monkeypatch, caplog):
    monkeypatch.setattr(driver.sqlite3, "sqlite_version_info", version)
    driver.warn_if_affected.cache_clear()
    with caplog.at_level(logging.WARNING):
        driver.warn_if_affected()
        driver.warn_if_affected()
    driver.warn_if_affected.cache_clear()
    assert len(caplog.records) == warned
