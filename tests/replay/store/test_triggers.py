"""Another program with the file open cannot change stored events by mistake."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from replay.store.protocol import Stream
from replay.store.sqlite import SqliteStore
from replay.store.sqlite.sqlite_library import Connection, sqlite3
from tests.replay.store.streams import event, match, new, summary

EVENT = "(pos, stream, version, event_id, type, actor, at, data, hash)"
HASH = "zeroblob(32)"
STREAM = "(id, public_id, kind, header, subject, parent_id, fork_version, origin, head, head_hash)"

REFUSED = {
    "update of an event": "UPDATE events SET data = '{}' WHERE version = 1",
    "update of a hash": f"UPDATE events SET hash = {HASH}",
    "delete of an event": "DELETE FROM events WHERE version = 3",
    "insert that leaves a gap": f"INSERT INTO events {EVENT} "
    f"VALUES (NULL, 1, 5, randomblob(16), 't', 'a', 0, '{{}}', {HASH})",
    "insert before the head": f"INSERT INTO events {EVENT} "
    f"VALUES (NULL, 1, 2, randomblob(16), 't', 'a', 0, '{{}}', {HASH})",
    "insert into no stream": f"INSERT INTO events {EVENT} "
    f"VALUES (NULL, 99, 1, randomblob(16), 't', 'a', 0, '{{}}', {HASH})",
    "replace of an event by its version": f"INSERT OR REPLACE INTO events {EVENT} "
    f"VALUES (NULL, 1, 3, randomblob(16), 't', 'a', 0, '{{}}', {HASH})",
    "replace of an event by its id": f"INSERT OR REPLACE INTO events {EVENT} "
    "SELECT NULL, 1, 4, event_id, 't', 'a', 0, '{}', hash FROM events WHERE version = 2",
    "replace of an event by its position": f"INSERT OR REPLACE INTO events {EVENT} "
    f"VALUES (1, 1, 4, randomblob(16), 't', 'a', 0, '{{}}', {HASH})",
    "upsert of an event": f"INSERT INTO events {EVENT} "
    f"VALUES (1, 1, 4, randomblob(16), 't', 'a', 0, '{{}}', {HASH}) "
    "ON CONFLICT DO UPDATE SET data = 'x'",
    "update of what is sealed": "UPDATE sealed SET payload = x'00'",
    "delete of what is sealed": "DELETE FROM sealed",
    "replace of what is sealed": "INSERT OR REPLACE INTO sealed VALUES (1, x'00')",
    "update of a header": "UPDATE streams SET header = '{}'",
    "update of an id": "UPDATE streams SET public_id = 'other' WHERE id = 1",
    "update of a fork address": "UPDATE streams SET parent_id = 1, fork_version = 0 WHERE id = 2",
    "update of an origin": f"UPDATE streams SET origin = {HASH}",
    "move of a head forward": "UPDATE streams SET head = head + 1",
    "move of a head back": "UPDATE streams SET head = 2 WHERE id = 1",
    "change of the hash of a head": f"UPDATE streams SET head_hash = {HASH}",
    "delete of a stream": "DELETE FROM streams WHERE id = 2",
    "replace of a stream by its number": f"INSERT OR REPLACE INTO streams {STREAM} "
    f"VALUES (1, 'other', 'match', '{{}}', NULL, NULL, NULL, {HASH}, 0, {HASH})",
    "replace of a stream by its id": f"INSERT OR REPLACE INTO streams {STREAM} "
    f"VALUES (NULL, 'kqzw', 'match', '{{}}', NULL, NULL, NULL, {HASH}, 0, {HASH})",
    "stream that begins in the middle": f"INSERT INTO streams {STREAM} "
    f"VALUES (NULL, 'other', 'match', '{{}}', NULL, NULL, NULL, {HASH}, 7, {HASH})",
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
    other_program.execute(
        f"INSERT INTO events {EVENT} "
        f"VALUES (NULL, 1, 4, randomblob(16), 't', 'a', 0, '{{}}', {HASH})"
    )
    now = sqlite.stream(stream.id)
    assert (now.head, now.head_hash) == (4, bytes(32))


def test_writes_of_another_program_make_a_summary_due(sqlite, stream, other_program):
    for each in sqlite.summaries_due():
        sqlite.summarise(each.id, summary(each.head)).result()
    other_program.execute(
        f"INSERT INTO events {EVENT} "
        f"VALUES (NULL, 1, 4, randomblob(16), 't', 'a', 0, '{{}}', {HASH})"
    )
    other_program.execute(
        f"INSERT INTO streams {STREAM} "
        f"VALUES (7, 'other', 'match', '{{}}', NULL, NULL, NULL, {HASH}, 0, {HASH})"
    )
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
