"""Another program with the file open cannot change stored events by mistake."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from replay.store.sqlite import SqliteStore
from replay.store.sqlite.driver import Connection, sqlite3
from replay.store.types import Stream
from tests.replay.store import foreign_writes
from tests.replay.store.streams import event, match, new, summary

HASH = "zeroblob(32)"
VALUES = f"(NULL, 1, {{}}, randomblob(16), 't', 'a', 0, '{{{{}}}}', {HASH})"
EVENT = f"{foreign_writes.EVENT} VALUES {VALUES}"
REPLACED = foreign_writes.EVENT.replace("INSERT", "INSERT OR REPLACE")
STREAM = (
    "INTO streams (id, public_id, kind, header, origin, head, head_hash) "
    f"VALUES ({{}}, '{{}}', 'match', '{{{{}}}}', {HASH}, 0, {HASH})"
)

REFUSED = foreign_writes.refused("randomblob(16)", HASH) | {
    "replace of an event by its version": EVENT.format(3).replace("INSERT", "INSERT OR REPLACE"),
    "replace of an event by its id": f"{REPLACED} "
    "SELECT NULL, 1, 4, event_id, 't', 'a', 0, '{}', hash FROM events WHERE version = 2",
    "replace of an event by its position": f"{REPLACED} "
    f"VALUES (1, 1, 4, randomblob(16), 't', 'a', 0, '{{}}', {HASH})",
    "update of a sealed payload with bytes": "UPDATE sealed SET payload = x'00'",
    "replace of a sealed payload": "INSERT OR REPLACE INTO sealed VALUES (1, x'00')",
    "replace of a stream by its number": f"INSERT OR REPLACE {STREAM.format(1, 'other')}",
    "replace of a stream by its id": f"INSERT OR REPLACE {STREAM.format('NULL', 'kqzw')}",
}


@pytest.fixture
def stream(sqlite: SqliteStore) -> Stream:
    first = sqlite.create(new("kqzw"), [event(sealed=b"x"), event(), event()]).result()
    match(sqlite)
    return first


@pytest.fixture
def other_program(sqlite: SqliteStore, stream: Stream) -> Iterator[Connection]:
    connection = sqlite3.connect(sqlite.path, isolation_level=None)
    yield connection
    connection.close()


def _contents(connection: Connection) -> list[list[tuple]]:
    tables = ("streams", "events", "sealed", "segments")
    return [connection.execute(f"SELECT * FROM {table}").fetchall() for table in tables]


@pytest.mark.parametrize("statement", REFUSED.values(), ids=REFUSED)
def test_guards_refuse_changes_of_the_log(other_program, statement):
    before = _contents(other_program)
    with pytest.raises(sqlite3.IntegrityError):
        other_program.execute(statement)
    assert _contents(other_program) == before


def test_proper_append_moves_the_head(sqlite, stream, other_program):
    other_program.execute(EVENT.format(4))
    now = sqlite.stream(stream.id)
    assert (now.head, now.head_hash) == (4, bytes(32))


def test_writes_of_another_program_make_a_summary_due(sqlite, stream, other_program):
    for each in sqlite.summaries_due():
        sqlite.summarise(each.id, summary(each.head)).result()
    other_program.execute(EVENT.format(4))
    other_program.execute(f"INSERT {STREAM.format(7, 'other')}")
    assert [each.id for each in sqlite.summaries_due()] == [stream.id, 7]


def test_purged_match_leaves_no_trace(sqlite, path):
    secret = event('{"said":"unforgettable"}', sealed=b"unforgettable too")
    gone = sqlite.create(new(), [secret], {"Seat1": "unforgettable name"}).result()
    kept = match(sqlite, 3)
    sqlite.purge(gone.id).result()
    sqlite.close()
    assert [file.name for file in path.parent.iterdir()] == [path.name]
    assert b"unforgettable" not in path.read_bytes()
    assert kept.public_id.encode() in path.read_bytes()
