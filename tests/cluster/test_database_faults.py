"""PostgreSQL fails or keeps servers waiting: they answer 503, recover by themselves, lose nothing.

Meanwhile a request that needs no database is answered while one that needs it waits: the event loop
waits for nothing.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

import psycopg
import pytest

from faults.client import Answer, Client
from faults.ledger import Ledger, read_stored
from faults.players import Player, playing, wait_for_play, wait_for_recovery
from faults.server import Server, sleep
from service.http.static_files import digest
from service.live.indexer import POLL_INTERVAL
from tests.cluster.relay import relaying
from tests.cluster.serving import Opened, open_match, serving, wrong
from tests.replay.store.postgres_server import Server as Postgres
from tests.replay.store.postgres_server import database_of
from tests.waiting import PATIENCE, eventually

pytestmark = [pytest.mark.postgres, pytest.mark.faults]

PLAYERS: Final = 3
"""The players at each server."""
STOPPED: Final = 10.0
"""Seconds for which PostgreSQL is away."""
READERS: Final = 16
"""Requests that read at the same time: more than a server has connections to read."""
FREE: Final = ("/healthz", f"/static/{digest()}/css/colours.css", "/rules/poptrix")
"""Paths that need no database."""
MEGABYTE: Final = 1 << 20
DISK: Final = 64
"""The size of a small disk in megabytes."""
TOKEN: Final = "1:offer-draw"

WAITING: Final = """
    SELECT count(*) FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'
"""
CUT: Final = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s"
SESSIONS: Final = "SELECT count(*) FROM pg_stat_activity WHERE datname = %s"
DEADLOCKS: Final = "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"
ABORTING: Final = """
    CREATE SEQUENCE aborted;
    CREATE FUNCTION abort_some() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF nextval('aborted') % 20 = 0 THEN
            RAISE EXCEPTION 'could not serialize access' USING ERRCODE = 'serialization_failure';
        END IF;
        RETURN NEW;
    END $$;
    CREATE TRIGGER abort_some BEFORE INSERT ON events FOR EACH ROW EXECUTE FUNCTION abort_some();
"""
NOT_ABORTING: Final = "DROP TRIGGER abort_some ON events"


class Load(NamedTuple):
    """Two servers, and their players."""

    servers: list[Server]
    players: list[Player]
    ledger: Ledger

    def refused(self) -> None:
        """Wait until each player has been refused once more with 503."""
        before = {player: player.client.refused for player in self.players}
        over = time.monotonic() + PATIENCE
        while any(player.client.refused <= count for player, count in before.items()):
            assert not any(player.trouble for player in self.players)
            assert time.monotonic() < over, "nobody is told that the database is away"
            time.sleep(0.05)

    def serve_what_needs_no_database(self) -> None:
        """Check that each server answers requests from memory."""
        for server in self.servers:
            with closing(Client(server, threading.Event())) as client:
                for path in FREE:
                    assert client.once("GET", path).status == 200, path


@pytest.fixture
def under_load(url: str, tmp_path: Path, figures: Any) -> Callable[..., Any]:
    """Play at two servers on a database, and check that both recovered and lost nothing."""

    @contextmanager
    def play(fault: str, database: str = url) -> Iterator[Load]:
        ledger = Ledger()
        with serving(database, tmp_path) as servers:
            with (
                playing(servers[0], ledger, PLAYERS, seed=1) as some,
                playing(servers[1], ledger, PLAYERS, seed=9) as others,
            ):
                load = Load(servers, [*some, *others], ledger)
                wait_for_play(ledger, 100)
                yield load
                began = time.monotonic()
                for server in servers:
                    wait_for_recovery(server, ledger, load.players)
                took = time.monotonic() - began
            census, found = ledger.census(read_stored(database)), wrong(database)
        figures(
            f"database {fault}",
            refused_with_503=sum(player.client.refused for player in load.players),
            seconds_to_recovery=round(took, 1),
            acknowledged=census.acknowledged,
            lost=len(census.lost),
            doubled=len(census.doubled),
        )
        assert census.whole
        assert found == []

    return play


@contextmanager
def waiting(server: Server, method: str, path: str, **asked: Any) -> Iterator[Future[Answer]]:
    """Ask something in a thread; the block ends when it is answered."""
    with ThreadPoolExecutor(1) as pool, closing(Client(server, threading.Event())) as client:
        yield pool.submit(client.once, method, path, **asked)


def entering(server: Server, match: Opened) -> Any:
    body = {"events": [{"text": TOKEN}]}
    path = f"/matches/{match.id}/events"
    return waiting(server, "POST", path, body=body, token=match.host)


def is_unavailable(answer: Answer) -> bool:
    return answer.status == 503 and (answer.retry_after or "").isdigit()


def test_servers_survive_ten_seconds_without_postgresql(postgres, under_load):
    with under_load("stopped") as load:
        until = time.monotonic() + STOPPED
        postgres.stop()
        try:
            load.refused()
            load.serve_what_needs_no_database()
            sleep(STOPPED, until)
            load.refused()
        finally:
            postgres.start()


def test_servers_survive_a_silently_lost_database(postgres, url, under_load):
    with relaying(postgres) as relay, under_load("cut off", relay.url(url)) as load:
        match = open_match(load.servers[0])
        relay.freeze()
        with entering(load.servers[0], match) as entered:
            until = time.monotonic() + STOPPED
            load.serve_what_needs_no_database()
            assert not entered.done()
            sleep(STOPPED, until)
            relay.thaw()
            answer = entered.result()
        load.ledger.doubt(match.id)
        assert answer.status == 200 or is_unavailable(answer)


@pytest.mark.parametrize("silent", [0, POLL_INTERVAL + 1])  # then its indexer waits too
def test_stopping_server_refuses_waiting_requests(postgres, url, tmp_path, silent):
    with relaying(postgres) as relay, serving(relay.url(url), tmp_path) as servers:
        match = open_match(servers[0])
        relay.freeze()
        sleep(silent)
        with entering(servers[0], match) as entered:
            for path in FREE:
                with closing(Client(servers[0], threading.Event())) as client:
                    assert client.once("GET", path).status == 200
            servers[0].stop()
            answer = entered.result()
        relay.thaw()
        assert is_unavailable(answer)


def test_reads_continue_while_writer_lock_is_held(url, under_load):
    with under_load("locked") as load:
        match = open_match(load.servers[0])
        with psycopg.connect(url) as other:
            other.execute("SELECT * FROM plybook FOR UPDATE")
            with entering(load.servers[0], match) as entered:
                eventually(lambda: _number(url, WAITING))
                load.serve_what_needs_no_database()
                for server in load.servers:
                    with closing(Client(server, threading.Event())) as client:
                        assert client.once("GET", f"/matches/{match.id}").status == 200
                assert not entered.done(), "a read waited for the writer"
                assert is_unavailable(entered.result())
            load.refused()


def test_servers_survive_readers_that_exhaust_connections(postgres, url, under_load):
    postgres.run(f"ALTER DATABASE {database_of(url)} SET statement_timeout = '10s'")
    with under_load("without readers") as load:
        match = open_match(load.servers[0])
        with ExitStack() as asked, psycopg.connect(url) as other:
            other.execute("LOCK TABLE streams, events, facts, keys IN ACCESS EXCLUSIVE MODE")
            reading = [
                asked.enter_context(waiting(server, "GET", f"/matches/{match.id}"))
                for server in load.servers
                for _ in range(READERS)
            ]
            eventually(lambda: _number(url, WAITING) > 2)
            load.serve_what_needs_no_database()
            assert not any(each.done() for each in reading)
            assert all(is_unavailable(each.result()) for each in reading)


def test_servers_survive_programs_that_take_all_connections(postgres, url, under_load):
    with under_load("without connections") as load:
        name = database_of(url)
        with ExitStack() as taken:
            admin = taken.enter_context(psycopg.connect(postgres.url("postgres"), autocommit=True))
            _take_all(admin, name, postgres.url("postgres"), taken)
            load.refused()
            load.serve_what_needs_no_database()


def _take_all(admin: Any, name: str, url: str, taken: ExitStack) -> None:
    """Cut the connections to a database and take all of them, until none is left."""
    over = time.monotonic() + PATIENCE
    while admin.execute(SESSIONS, (name,)).fetchone()[0]:
        assert time.monotonic() < over
        admin.execute(CUT, (name,))
        with suppress(psycopg.OperationalError):
            while True:
                taken.enter_context(psycopg.connect(url))


def test_servers_survive_a_full_database_disk(postgres, under_load):
    with (
        small_disk() as disk,
        _database_on(postgres, disk) as url,
        under_load("on a full disk", url) as load,
    ):
        balloon = disk / "balloon"
        with balloon.open("wb", buffering=0) as file, suppress(OSError):
            while file.write(bytes(MEGABYTE // 64)):
                pass
        load.refused()
        load.serve_what_needs_no_database()
        balloon.unlink()


@contextmanager
def small_disk() -> Iterator[Path]:
    """Mount a file system in memory. Skips where that is not allowed."""
    folder = Path(tempfile.mkdtemp(prefix="plybook-disk-"))
    command = ["mount", "-t", "tmpfs", "-o", f"size={DISK}m,mode=777", "tmpfs", str(folder)]
    try:
        mounted = os.geteuid() == 0 and subprocess.run(command, check=False).returncode == 0
        if not mounted:
            pytest.skip("a small disk needs the right to mount one: run as root")
        try:
            yield folder
        finally:
            subprocess.run(["umount", str(folder)], check=True)
    finally:
        folder.rmdir()


@contextmanager
def _database_on(postgres: Postgres, disk: Path) -> Iterator[str]:
    """Make a database whose tables are on a disk."""
    place = disk / "tables"
    place.mkdir()
    shutil.chown(place, "postgres")
    postgres.run(f"CREATE TABLESPACE small LOCATION '{place}'")
    postgres.run("CREATE DATABASE small TABLESPACE small TEMPLATE template0")
    url = postgres.url("small")
    try:
        yield url
    finally:
        postgres.drop(url)
        postgres.run("DROP TABLESPACE small")


def test_servers_survive_serialization_failures(url, under_load):
    with under_load("that aborts transactions") as load:
        with psycopg.connect(url) as other:
            other.execute(ABORTING)
        eventually(lambda: _number(url, "SELECT last_value FROM aborted") > 200)
        load.serve_what_needs_no_database()
        with psycopg.connect(url) as other:
            other.execute(NOT_ABORTING)


def test_servers_survive_a_deadlock(url, under_load):
    with under_load("in a deadlock") as load:
        match, before = open_match(load.servers[0]), _number(url, DEADLOCKS)
        with psycopg.connect(url) as other:
            other.execute("SET deadlock_timeout = '60s'")  # so the server is the one to give way
            other.execute("SELECT 1 FROM streams WHERE public_id = %s FOR UPDATE", (match.id,))
            with entering(load.servers[0], match) as entered:
                eventually(lambda: _number(url, WAITING) > 1)
                other.execute("SELECT 1 FROM plybook FOR UPDATE")
                other.rollback()
                assert entered.result().status in (200, 503)
        load.ledger.doubt(match.id)
        eventually(lambda: _number(url, DEADLOCKS) > before)


def _number(url: str, query: str) -> int:
    with psycopg.connect(url) as connection:
        row: Sequence[int] = connection.execute(query).fetchone() or (0,)
    return row[0]
