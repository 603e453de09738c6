"""A store in PostgreSQL beyond the contract: several writers, guards, a lost server."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, suppress
from itertools import islice
from typing import Any

import psycopg
import pytest

from domain.entry import move_text
from domain.games.poptrix import GAME as POPTRIX
from domain.games.pyramid_ball import GAME as PYRAMID_BALL
from replay import match_batches, processes
from replay.book import Book
from replay.branches.forks import fork
from replay.errors import Damaged, Outdated, Stale, StoreError, Usage
from replay.library import indexes
from replay.record.addresses import Address
from replay.referee.entering import play
from replay.referee.opening import open_match
from replay.store import examine, open_store
from replay.store.hash_chain import event_hash
from replay.store.postgres import PostgresStore, schema
from replay.store.postgres.driver import shown
from replay.store.sql.store import Store
from replay.store.stream_verification import verify_chain
from replay.store.types import Appended, MetadataItem, NewEvent, Stream, SummaryFilter, Text
from tests.replay.store import foreign_writes
from tests.replay.store.contract.test_epoch import WRITES as ENDING
from tests.replay.store.internals import call_before_commit, commits, held, submit
from tests.replay.store.postgres_server import Server, other_program, programs, running
from tests.replay.store.streams import append, event, events, match, new, summary
from tests.verification import verify_all

pytestmark = pytest.mark.postgres

DIGEST = b"\1" * 32
HASH = "decode(repeat('00', 32), 'hex')"
ID = "decode(repeat('00', 16), 'hex')"
EVENT = foreign_writes.EVENT

REFUSED = foreign_writes.refused(ID, HASH) | {
    "truncation of the log": "TRUNCATE events CASCADE",
    "truncation of streams": "TRUNCATE streams CASCADE",
    "truncation of sealed payloads": "TRUNCATE sealed",
    "insert of an id that is there": f"{EVENT} "
    "SELECT 9, 1, 4, event_id, 't', 'a', 0, '{}', hash FROM events WHERE version = 2",
    "insert at a position that is there": f"{EVENT} "
    f"VALUES (1, 1, 4, {ID}, 't', 'a', 0, '{{}}', {HASH})",
    "second row of the book": "INSERT INTO plybook (only_row, schema) VALUES (false, 1)",
}


@pytest.fixture
def empty(postgres: Server) -> Iterator[str]:
    made = postgres.new_database()
    yield made
    postgres.drop(made)


@pytest.fixture
def store(url: str) -> Iterator[PostgresStore]:
    with closing(PostgresStore(url)) as opened:
        yield opened


@pytest.mark.parametrize("statement", REFUSED.values(), ids=REFUSED)
def test_another_program_cannot_change_the_log(url, store, statement):
    sealed = store.create(new("kqzw"), [event(sealed=b"x"), event(), event()]).result()
    match(store)
    before = [store.read(sealed.id), list(store.matches())]
    with other_program(url) as connection, pytest.raises(psycopg.Error):
        connection.execute(statement)
    assert [store.read(sealed.id), list(store.matches())] == before


def test_foreign_events_make_a_summary_due(url, store):
    stream = store.create(new("kqzw"), events(1)).result()
    store.summarise(stream.id, summary(1)).result()
    assert store.summaries_due() == []
    with other_program(url) as connection:
        connection.execute(f"{EVENT} VALUES (9, 1, 2, {ID}, 't', 'a', 0, '{{}}', {HASH})")
    now = store.stream(stream.id)
    assert (now.head, now.head_hash) == (2, bytes(32))
    assert store.summaries_due() == [now]


def test_changed_event_does_not_verify(url, store):
    stream = match(store, 3)
    with other_program(url) as connection:
        connection.execute("ALTER TABLE events DISABLE TRIGGER events_update")
        connection.execute("UPDATE events SET actor = 'somebody' WHERE version = 2")
    fault = verify_chain(store, stream.id)
    assert fault is not None
    assert fault.version == 2
    faults = [each.check for each in examine(url) if each.verdict == "fault"]
    assert "guards" in faults


def test_one_of_two_processes_wins_each_version(store, elsewhere):
    stream = match(store)
    stores = [store, elsewhere] * 4

    def race(here: Store, version: int) -> bool:
        try:
            here.append(stream.id, version, events(1)).result()
        except Stale:
            return False
        return True

    with ThreadPoolExecutor(len(stores)) as pool:
        for version in range(25):
            won = list(pool.map(race, stores, [version] * len(stores)))
            assert won.count(True) == 1
    assert verify_chain(store, stream.id) is None
    assert store.stream(stream.id).head == 25


def test_follower_misses_no_event_of_two_processes(store, elsewhere):
    streams = {here: [match(here) for _ in range(2)] for here in (store, elsewhere)}
    seen = {stream.id: 0 for each in streams.values() for stream in each}
    cursor = store.changes(None).cursor

    def write(here: Store, stream: Stream) -> None:
        for _ in range(25):
            append(here, stream)

    writers = [
        threading.Thread(target=write, args=(here, stream))
        for here, several in streams.items()
        for stream in several
    ]
    for writer in writers:
        writer.start()
    while sum(seen.values()) < 100:
        alive = any(writer.is_alive() for writer in writers)
        changed = store.changes(cursor)
        cursor = changed.cursor
        for number in changed.streams or ():
            seen[number] = store.stream(number).head
        assert alive or changed.streams or sum(seen.values()) == 100
    for writer in writers:
        writer.join()


@pytest.mark.parametrize("write", ENDING.values(), ids=ENDING)
def test_outdating_writes_of_another_process_end_the_epoch(store, elsewhere, write):
    stream = match(store, 1)
    append(store, stream)
    epoch = store.epoch()
    for _ in range(3):  # commits of its own end no epoch
        append(store, stream, epoch=epoch)
    write(elsewhere, stream).result()
    with pytest.raises(Outdated):
        append(store, stream, epoch=epoch)
    assert append(store, stream, epoch=store.epoch()) == (6,)


LASTING: dict[str, Callable[[Store, Stream], Future[Any]]] = {
    "a move": lambda store, stream: store.append(stream.id, 2, events(1)),
    "a match": lambda store, stream: store.create(new("zzzz"), events(3)),
    "a summary": lambda store, stream: store.summarise(stream.id, summary(2)),
    "a probe": lambda store, stream: store.probe(),
    "a refused write": lambda store, stream: store.trash(99),
}


@pytest.mark.parametrize("write", LASTING.values(), ids=LASTING)
def test_epoch_outlasts_harmless_writes_of_another_process(store, elsewhere, write):
    stream = match(store, 1)
    append(store, stream)
    epoch = store.epoch()
    assert write(elsewhere, stream).exception() is None or write is LASTING["a refused write"]
    head = elsewhere.stream(stream.id).head
    with pytest.raises(Stale) as stale:
        store.append(stream.id, head - 1, events(1), epoch=epoch).result()
    assert stale.value.current == head
    assert append(store, stream, epoch=epoch) == (head + 1,)
    assert store.epoch() == epoch
    assert verify_chain(store, stream.id) is None


def test_epoch_ends_after_a_rolled_back_write(store, elsewhere):
    """A count that is wrong by one would take the next write of the other for its own."""
    stream = match(store, 1)

    def fails(connection: psycopg.Connection[Any]) -> None:
        connection.execute("SELECT * FROM nonsense")

    with held(store):
        store.set_metadata(stream.id, {"Seat1": "Jet"})
        failed = submit(store, fails)
    assert failed.exception() is not None
    store.probe().result()
    append(store, stream)
    epoch = store.epoch()
    elsewhere.drop_key(stream.id, DIGEST).result()
    with pytest.raises(Outdated):
        append(store, stream, epoch=epoch)


def test_writes_of_another_process_change_the_data_version(store, elsewhere):
    stream = match(store, 1)
    before = store.data_version()
    assert store.data_version() == before
    append(elsewhere, stream)
    assert store.data_version() != before


def test_queued_appends_are_judged_in_order(store):
    stream, other = match(store), match(store)
    again = event()
    before = commits(store)
    with held(store):
        first = store.append(stream.id, 0, [again], summary(1))
        stale = store.append(stream.id, 0, events(1))
        repeated = store.append(stream.id, 7, [again])
        mixed = store.append(stream.id, 1, [again, event()])
        second = store.append(stream.id, 1, [event(sealed=b"salt")], summary(2))
        elsewhere = store.append(other.id, 0, events(3), summary(3))
        nowhere = store.append(99, 0, events(1))
    assert first.result().versions == (1,)
    said = first.result()
    assert repeated.result() == Appended(said.events, said.head_hash, repeated=True)
    assert second.result().versions == (2,)
    assert elsewhere.result().versions == (1, 2, 3)
    for refused, error in ((stale, Stale), (mixed, Usage), (nowhere, Usage)):
        with pytest.raises(error):
            refused.result()
    assert commits(store) == before + 2
    assert store.read(stream.id)[1].sealed == b"salt"
    assert store.summaries_due() == []
    assert verify_chain(store, stream.id) is None
    assert verify_chain(store, other.id) is None


def test_refused_write_leaves_its_neighbours_stored(store):
    stream = match(store)

    def fails(connection: psycopg.Connection[Any]) -> None:
        connection.execute("INSERT INTO purging VALUES (1)")
        connection.execute("INSERT INTO nonsense VALUES (1)")

    with held(store):
        first = store.append(stream.id, 0, events(1))
        broken = submit(store, fails)
        second = store.append(stream.id, 1, events(1))
    assert (first.result().versions, second.result().versions) == ((1,), (2,))
    with pytest.raises(StoreError, match="nonsense"):
        broken.result()
    store.trash(stream.id).result()
    with pytest.raises(Damaged, match="deleted only when"):
        submit(store, lambda connection: connection.execute("DELETE FROM events")).result()


def test_programming_error_reaches_only_its_caller(store):
    stream = match(store)

    def mistaken(_: object) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        submit(store, mistaken).result()
    assert append(store, stream) == (1,)


def test_writing_program_is_waited_for_and_reported(url):
    with closing(PostgresStore(url, patience=0.05)) as store:
        stream = match(store)
        with other_program(url) as connection, connection.transaction():
            connection.execute("SELECT * FROM plybook FOR UPDATE")
            with pytest.raises(StoreError, match="another program is writing"):
                append(store, stream)
            assert store.stream(stream.id) == stream, "reading goes on"
        assert append(store, stream) == (1,)


@pytest.mark.parametrize(
    ("asked", "used"),
    [("off", "on"), ("local", "on"), ("on", "on"), ("remote_apply", "remote_apply")],
)
def test_commit_is_durable_under_any_server_setting(url, asked, used):
    with closing(PostgresStore(f"{url}&options=-csynchronous_commit%3D{asked}")) as store:
        query = "SHOW synchronous_commit"
        told = submit(store, lambda connection: connection.execute(query).fetchone())
        assert told.result() == (used,)


def test_lost_connections_are_replaced(url, store):
    stream = match(store, 1)
    for version in (2, 3):
        with other_program(url) as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid, 9000) FROM pg_stat_activity "
                "WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
        assert store.stream(stream.id).head == version - 1
        assert append(store, stream) == (version,)


def test_stopped_server_is_reported_and_loses_nothing():
    """The test has a server of its own, which stops as in a crash."""
    with running() as server:
        store = PostgresStore(server.new_book())
        stream = match(store, 2)
        server.stop()
        with pytest.raises(StoreError, match="cannot be reached"):
            store.stream(stream.id)
        with pytest.raises(StoreError, match="cannot be reached"):
            store.append(stream.id, 2, events(1)).result()
        server.start()
        assert store.stream(stream.id).head == 2
        assert append(store, stream) == (3,)
        store.close()


def test_commit_with_a_lost_answer_is_unknown(url, store):
    stream, sent = match(store), event()

    def lose(connection: psycopg.Connection[Any]) -> None:
        connection.execute("SELECT 1").fetchone()  # the rows are sent, and only the commit is left
        with other_program(url) as killer:
            killer.execute("SELECT pg_terminate_backend(%s)", (connection.info.backend_pid,))

    call_before_commit(store, lose)
    with pytest.raises(StoreError, match="not known"):
        store.append(stream.id, 0, [sent]).result()
    assert store.append(stream.id, 0, [sent]).result().versions == (1,)


def test_database_of_another_program_stays_untouched(empty):
    with other_program(empty) as connection:
        connection.execute("CREATE TABLE guests (name text)")
        with pytest.raises(StoreError, match="another program, like guests"):
            open_store(empty)
        row = connection.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'")
        assert row.fetchone() == (1,)
    assert [each.verdict for each in examine(empty)] == ["ok", "fault"]


def test_foreign_table_of_the_same_name_is_refused(empty):
    with other_program(empty) as connection:
        connection.execute("CREATE TABLE plybook (name text)")
    with pytest.raises(StoreError, match="another program"):
        open_store(empty)


def test_database_of_a_newer_version_is_refused(url):
    with other_program(url) as connection:
        connection.execute("UPDATE plybook SET schema = 99")
    with pytest.raises(StoreError, match=r"newer Plybook \(schema 99; this one knows"):
        open_store(url)
    assert [each.verdict for each in examine(url)] == ["ok", "fault"]


def test_stores_opened_simultaneously_create_tables_once(empty):
    with ThreadPoolExecutor(4) as pool:
        stores = list(pool.map(open_store, [empty] * 4))
    made = [match(store, 1) for store in stores]
    assert [each.id for each in made] == [1, 2, 3, 4]
    for store in stores:
        store.close()


def test_failing_migration_leaves_the_database_unchanged(empty, tmp_path, monkeypatch):
    broken = tmp_path / "0002_broken.sql"
    broken.write_text("CREATE TABLE half (x int); CREATE NONSENSE;")
    monkeypatch.setattr(schema, "FILES", [*schema.FILES, broken])
    monkeypatch.setattr(schema, "SCHEMA", len(schema.FILES))
    with pytest.raises(StoreError, match="NONSENSE"):
        open_store(empty)
    with other_program(empty) as connection:
        tables = connection.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'")
        assert tables.fetchone() == (0,)


@pytest.mark.slow
def test_database_of_each_earlier_schema_becomes_a_new_one(postgres):
    new = described(postgres.new_book())
    for done in range(1, schema.SCHEMA):
        url = postgres.new_database()
        with other_program(url) as connection:
            for file in schema.FILES[:done]:
                connection.execute(schema.statements(file))
            connection.execute("UPDATE plybook SET schema = %s", (done,))
        open_store(url).close()
        assert described(url) == new, done
        postgres.drop(url)


def described(url: str) -> str:
    """Return the tables, indexes, views, functions and triggers of a database."""
    command = [str(programs() / "pg_dump"), "--schema-only", "--no-owner", url]
    dumped = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return "\n".join(line for line in dumped.splitlines() if "restrict" not in line)


def test_database_of_a_wrong_encoding_is_refused(postgres):
    postgres.run("CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0")
    with pytest.raises(StoreError, match="encoding LATIN1"):
        open_store(postgres.url("latin"))
    postgres.run("DROP DATABASE latin")


UNUSABLE: dict[str, Callable[[Server], str]] = {
    "no server": lambda _: "postgresql://somebody:geheim@127.0.0.1:1/book",
    "no database": lambda server: server.url("nothing").replace("@", ":geheim@"),
    "no user": lambda server: server.url("postgres").replace("plybook@", "nobody:geheim@"),
    "no host": lambda _: "postgresql://somebody:geheim@nowhere.invalid/book",
    "an unknown parameter": lambda server: f"{server.url('postgres')}&no=geheim",
}


@pytest.mark.parametrize("place", UNUSABLE.values(), ids=UNUSABLE)
def test_unusable_database_is_named_without_the_password(postgres, place):
    with pytest.raises((StoreError, Usage)) as raised:
        open_store(place(postgres))
    told = str(raised.value)
    assert "\n" not in told
    assert "geheim" not in told
    assert [each.verdict for each in examine(place(postgres))] == ["fault"]


def test_password_is_never_shown():
    url = "postgresql://me:geheim@db.example:5433/book?sslmode=require"
    assert shown(url) == "postgresql://me@db.example:5433/book"


def test_missing_driver_is_named_with_its_installation(monkeypatch):
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(StoreError, match=r"pip install '\.\[postgres\]'"):
        open_store("postgresql://127.0.0.1/book")


def test_texts_with_nul_are_refused(store):
    stream = match(store)
    for write in (
        lambda: store.set_metadata(stream.id, {"a\0": "b"}),
        lambda: store.set_metadata(stream.id, {"a": "b\0"}),
        lambda: store.append(stream.id, 0, [event('"\0"')]),
    ):
        with pytest.raises(Usage, match="NUL"):
            write().result()
    with pytest.raises(Usage, match="NUL"):
        list(store.matches(having=MetadataItem("a", "a\0")))


def test_long_words_and_long_texts_are_found(store):
    stream = match(store)
    long = "x" * 5000
    many = " ".join(f"word{number:07}" for number in range(60_000))
    store.index(stream.id, [Text("tag", "a", long), Text("tag", "b", many)], 0, {}).result()
    assert [hit.text.name for hit in store.search("xxx", 9)] == ["a"]
    assert [hit.text.name for hit in store.search("WORD0000007", 9)] == ["b"]


def test_views_have_matches_players_and_moves(url, store):
    book = Book(store)
    played = open_match(book, POPTRIX, players={1: "Jet", 2: "Red"})
    played = play(book, played, ["M@c1", "S@c6", "c1>L@c3", "stood=c6>S@c5", "2:resign"])
    sealed = play(book, open_match(book, PYRAMID_BALL), ["1:S=...,M=...,L=..."])
    store.trash(open_match(book, POPTRIX).stream.id).result()
    indexes.catch_up_positions(book)
    with other_program(url) as connection:

        def rows(query: str) -> list[tuple[Any, ...]]:
            return connection.execute(query).fetchall()

        columns = "match, rules, players, result, winner, ended_by, plies, stood, indexed, doubtful"
        assert rows(f"SELECT {columns} FROM matches ORDER BY game") == [
            (played.id, "poptrix/1", "Jet - Red", "+1", "Jet", "resigned", 5, 1, True, False),
            (sealed.id, "pyramid-ball/1", None, "*", None, "", 1, 0, True, False),
        ]
        query = "SELECT player, text, stood_against FROM moves WHERE game = 'poptrix' ORDER BY ply"
        assert rows(query)[2:] == [("Jet", "c1>L@c3", None), ("Red", "c6>S@c5", "POP-3.2")]
        assert rows("SELECT text FROM moves WHERE game = 'pyramid-ball'") == [(None,)]
        query = "SELECT seat, result FROM players WHERE game = 'poptrix' ORDER BY seat"
        assert rows(query) == [(1, "won"), (2, "lost")]
        play(book, open_match(book, POPTRIX), [move_text.UnsureText(None, "--")])
        indexes.catch_up_positions(book)
        dashes = "SELECT ply, seat, unsure, reconstructed FROM moves WHERE text = '--'"
        assert rows(dashes) == [(1, 1, True, None)]


def test_sound_book_passes_all_checks_but_durability(url, store):
    match(store, 3)
    faults = [each for each in examine(url) if each.verdict == "fault"]
    assert [each.check for each in faults] == ["durability"]
    assert "fsync" in faults[0].message


def test_log_continues_after_another_programs_valid_event(url, store):
    stream = match(store, 1)
    good = NewEvent(bytes(15) + b"1", "t", "a", 0, b"{}")
    hashed = event_hash(stream.head_hash, good)
    with other_program(url) as connection:
        connection.execute(
            f"{EVENT} VALUES (9, 1, 2, %s, 't', 'a', 0, '{{}}', %s)",
            (good.id, hashed),
        )
    assert verify_chain(store, stream.id) is None
    assert append(store, stream) == (3,)
    assert verify_chain(store, stream.id) is None


@pytest.mark.parametrize("level", ["repeatable read", "serializable"])
def test_writers_take_turns_at_every_isolation_level(url, store, level):
    escaped = level.replace(" ", "%5C%20")
    strict = PostgresStore(f"{url}&options=-cdefault_transaction_isolation%3D{escaped}")
    stream = match(store)
    with closing(strict), ThreadPoolExecutor(2) as pool:
        writers = [pool.submit(_append_many, here, stream) for here in (store, strict)]
        assert sum(writer.result() for writer in writers) == 40
    assert store.stream(stream.id).head == 40


def _append_many(store: Store, stream: Stream) -> int:
    """Append twenty events, and try again when another was quicker."""
    stored = 0
    while stored < 20:
        with suppress(Stale):
            stored += len(append(store, stream))
    return stored


def test_several_processes_verify_the_same_in_order(store, monkeypatch):
    book = Book(store)
    for _ in range(7):
        play(book, open_match(book, POPTRIX), ["M@c1", "S@c6"])
    alone = list(verify_all(book))
    assert len(alone) == 7
    assert all(verdict.ok for verdict in alone)
    monkeypatch.setattr(match_batches, "MANY", 0)
    monkeypatch.setattr(match_batches, "BATCH", 3)
    monkeypatch.setattr(processes, "processors", lambda: 2)
    assert list(verify_all(book)) == alone


def test_matches_of_a_player_include_variations(store):
    book = Book(store)
    played = play(book, open_match(book, POPTRIX, players={1: "Jet", 2: "Red"}), ["M@c1"])
    inner = fork(book, *book.at(Address(fork(book, *book.at(Address(played.id, 1))).id, 1)))
    other = fork(book, *book.at(Address(played.id, 1)), "match")
    store.set_metadata(other.stream.id, {"Seat1": "Blue", "Event": "jet"}).result()
    found = {each.stream.id for each in store.listed(SummaryFilter(player="JET"))}
    assert found == {played.stream.id, inner.stream.parent, inner.stream.id}


APPENDING = """
import subprocess
import sys
from random import randbytes
from replay.errors import Stale
from replay.store import open_store
from replay.store.types import NewEvent

store = open_store(sys.argv[1])
stream = store.find("kqzw")
head = 0
while True:
    event = NewEvent(randbytes(16), "moved", "seat 1", 0, b"{}")
    try:
        store.append(stream.id, head, [event]).result()
    except Stale as stale:
        head = stale.current
    else:
        head += 1
        print(head, event.id.hex(), flush=True)
"""


def test_crashes_neither_lose_nor_double_acknowledged_events():
    """Two programs write to one match and are killed in turn; then the server crashes."""
    with running() as server:
        url = server.new_book()
        with closing(PostgresStore(url)) as store:
            stream = match(store, 0, "kqzw")
        acknowledged: dict[int, str] = {}
        for crash in (False, False, True):
            writers = [_appending(url) for _ in range(2)]
            for writer in writers:
                _collect(writer, acknowledged, 20)
            if crash:
                server.stop()
            for writer in writers:
                writer.kill()
                _collect(writer, acknowledged)
        server.start()
        with closing(PostgresStore(url)) as store:
            stored = {each.version: each.id.hex() for each in store.read(stream.id)}
            assert len(acknowledged) >= 120
            assert stored | acknowledged == stored
            assert verify_chain(store, stream.id) is None


def _appending(url: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", APPENDING, url]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)


def _collect(
    writer: subprocess.Popen[str], acknowledged: dict[int, str], most: int | None = None
) -> None:
    """Read the acknowledgements of a program: `most` of them, or all until it ends."""
    assert writer.stdout is not None
    for line in islice(writer.stdout, most):
        if line.endswith("\n"):
            version, event_id = line.split()
            assert acknowledged.setdefault(int(version), event_id) == event_id
    if most is None:
        writer.stdout.close()
        writer.wait()
