"""The role of `docs/deploy/roles.sql` keeps a book, and cannot change the record."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import closing
from typing import Any

import psycopg
import pytest

from domain.games.poptrix import GAME as POPTRIX
from domain.games.pyramid_ball import GAME as PYRAMID_BALL
from replay.book import Book
from replay.branches.forks import fork
from replay.errors import NotAllowed
from replay.library import indexes
from replay.record.addresses import Address
from replay.referee.entering import play
from replay.referee.opening import open_match
from replay.store import examine
from replay.store.feed_types import Hook
from replay.store.postgres import PostgresStore
from replay.store.sql.store import Store
from replay.store.stream_verification import verify_chain
from replay.store.types import Derived, Evening, Stream, Text
from tests.paths import ROOT
from tests.replay.store.postgres_server import Server, programs
from tests.replay.store.streams import event, events, match, new, noted, summary

pytestmark = pytest.mark.postgres

ROLE = "only appends"
DIGEST = b"\1" * 32
FILE = ROOT / "docs" / "deploy" / "roles.sql"


def run_file(url: str) -> None:
    psql = shutil.which("psql") or f"{programs()}/psql"
    command = [psql, "--no-psqlrc", f"--set=role={ROLE}", f"--file={FILE}", url]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.fixture
def limited(url: str, postgres: Server) -> Iterator[str]:
    """Return the URL of a book for the role. The file was run twice, as after an upgrade."""
    run_file(url)
    run_file(url)
    yield url.replace("plybook@", f"{ROLE.replace(' ', '%20')}@")
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f'DROP OWNED BY "{ROLE}"')
        connection.execute(f'DROP ROLE "{ROLE}"')


@pytest.fixture
def store(limited: str) -> Iterator[PostgresStore]:
    with closing(PostgresStore(limited)) as opened:
        yield opened


def test_role_may_make_every_write_of_a_book(limited, store):
    book = Book(store)
    played = open_match(book, POPTRIX, players={1: "Jet", 2: "Red"})
    played = play(book, played, ["M@c1", "S@c6", "c1>L@c3", "2:resign"])
    sealed = play(book, open_match(book, PYRAMID_BALL), ["1:S=...,M=...,L=..."])
    assert fork(book, *book.at(Address(played.id, 2))).match.version == 2
    stream = played.stream.id
    store.create(new(kind="notes", subject=sealed.stream.id), events(2)).result()
    store.set_metadata(stream, {"Seat1": "Jetta", "Event": "Cup"}).result()
    store.set_metadata(stream, {"Event": None}).result()
    store.add_key(stream, DIGEST, "host", None).result()
    store.drop_key(stream, DIGEST).result()
    evening = Evening("0" * 12, DIGEST, "Tuesday", "2026.11.24", "unlisted", 1)
    store.put_evening(evening).result()
    store.replace_link(DIGEST, bytes(32)).result()
    hook = Hook("hook", stream, "https://club.example", "secret", 0, 0)
    store.add_hook(hook).result()
    assert store.claim_hook("hook", 1, 2).result() is not None
    store.drop_hook("hook").result()
    indexes.catch_up_positions(book)
    store.index(stream, [Text("tag", "Seat1", "Jetta")], 0, store.metadata(stream)).result()
    assert [each.text.name for each in store.search("jetta", 9)] == ["Seat1"]
    store.replace_derived({stream: Derived()}).result()
    store.count_position(b"a position").result()
    store.probe().result()
    assert verify_chain(store, stream) is None
    assert {each.check for each in examine(limited) if each.verdict == "fault"} == {"durability"}


REFUSED = {
    "update of an event": "UPDATE events SET data = '{}'",
    "delete of an event": "DELETE FROM events",
    "update of what is sealed": "UPDATE sealed SET payload = ''",
    "delete of what is sealed": "DELETE FROM sealed",
    "update of who played": "UPDATE people SET seat = 2",
    "delete of who played": "DELETE FROM people",
    "delete of a match": "DELETE FROM streams",
    "update of a header": "UPDATE streams SET header = '{}'",
    "the trash": "UPDATE streams SET trashed = true",
    "opening the guards": "INSERT INTO purging VALUES (1)",
    "a shorter fork": "DELETE FROM segments",
    "deletion of private values": "DELETE FROM held",
    "an operator": "INSERT INTO operators VALUES (decode(repeat('00', 32), 'hex'), 0)",
    "an account": "INSERT INTO accounts VALUES ('ann', decode(repeat('00', 32), 'hex'), 0)",
    "another version of the tables": "UPDATE plybook SET schema = 99",
    "truncation": "TRUNCATE events CASCADE",
    "drop of a table": "DROP TABLE sealed",
    "a disabled guard": "ALTER TABLE events DISABLE TRIGGER events_update",
    "guards that are left out": "SET session_replication_role = replica",
    "a new table": "CREATE TABLE other (x int)",
    "a temporary table": "CREATE TEMPORARY TABLE other (x int)",
    "a new trigger": "CREATE TRIGGER other BEFORE INSERT ON events EXECUTE FUNCTION guard_event()",
}


@pytest.mark.parametrize("statement", REFUSED.values(), ids=REFUSED)
def test_role_may_not_change_the_record(limited, store, statement):
    store.create(new(), [event(sealed=b"x"), event()], {"Seat1": "Jet"}).result()
    with (
        closing(psycopg.connect(limited, autocommit=True)) as connection,
        pytest.raises(psycopg.errors.InsufficientPrivilege),
    ):
        connection.execute(statement)


def test_role_cannot_move_head_without_event(limited, store):
    match(store, 3)
    with (
        closing(psycopg.connect(limited, autocommit=True)) as connection,
        pytest.raises(psycopg.errors.RaiseException, match="with an event only"),
    ):
        connection.execute("UPDATE streams SET head = 2")


WRITES: dict[str, Callable[[Store, Stream], Future[Any]]] = {
    "a purge": lambda store, stream: store.purge(stream.id),
    "the trash": lambda store, stream: store.trash(stream.id),
    "an erasure": lambda store, stream: store.erase_notes(
        stream.id, [each.id for each in store.read(noted(store, stream).id)]
    ),
    "a rebuild": lambda store, stream: store.rebuild_indexes(),
    "an operator": lambda store, stream: store.add_operator(DIGEST, 0),
}


@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)
def test_forbidden_write_of_the_role_is_reported(store, write):
    stream = match(store, 3)
    store.summarise(stream.id, summary(3)).result()
    with pytest.raises(NotAllowed, match="this user may not do that") as told:
        write(store, stream).result()
    assert told.value.reason == "this user may not do that"
    assert store.append(stream.id, 3, events(1)).result().versions == (4,)
