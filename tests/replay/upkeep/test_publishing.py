"""A published book has the public matches as plain tables, and none of the book's secrets."""

from __future__ import annotations

import sqlite3  # Python's SQLite, which may be older than Plybook's
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from domain.events import Ruled
from replay import book_file, match_batches, processes, registry
from replay.access import accounts, capability_tokens, credentials, operators, web_hooks
from replay.access.visibility import set_visibility
from replay.annotations.editing import annotate, retract
from replay.annotations.notation import Wording
from replay.book import Book
from replay.branches.forks import fork
from replay.corrections.takebacks import take_back
from replay.errors import StoreError, Usage
from replay.library import indexes
from replay.record.addresses import Address
from replay.record.match_record import MatchRecord
from replay.referee.entering import play
from replay.referee.opening import open_match
from replay.store.sqlite import driver
from replay.tags.people import tag
from replay.upkeep import publishing
from replay.upkeep.publishing import Published
from tests.replay.store.tampering import run_unguarded

PROGRAM = "S=FFF,M=...,L=..."


@pytest.fixture
def book(path: Path) -> Iterator[Book]:
    with book_file.open_book(path) as opened:
        yield opened


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "published.db"


def publish(book: Book, file: Path) -> Published:
    return publishing.publish(book, file, lambda _: None)


def opened(book: Book, *tokens: str, game: str = "poptrix", **more: Any) -> MatchRecord:
    """Open a public match and enter tokens."""
    match = open_match(book, registry.find(game), players={1: "Jet", 2: "Red"}, **more)
    set_visibility(book, match, "public")
    return play(book, match, tokens)


def rows(path: Path, sql: str, library: Any = sqlite3) -> list[dict[str, Any]]:
    with closing(library.connect(path)) as connection:
        connection.row_factory = library.Row
        return [dict(row) for row in connection.execute(sql)]


def published_ids(file: Path) -> list[str]:
    return [row["match"] for row in rows(file, "SELECT match FROM matches")]


@pytest.mark.parametrize("view", ["matches", "players", "moves"])
def test_tables_have_the_rows_of_the_views(book, path, file, view):
    opened(book, "M@c1", "S@c6", "c1>L@c3", "stood=c6>S@c5", "2:resign")
    opened(book, "1:offer-draw", "2:accept-draw")
    play(book, opened(book), [Ruled("abandoned")])
    opened(book, f"1:{PROGRAM}", game="pyramid-ball")
    opened(book, "1:3", "2:9", "3:3", "4:1", game="score-sheet", seats=4, options={"rounds": "1"})
    take_back(book, opened(book, "M@c1", "S@c6"), 1)
    fork(book, *book.at(Address(opened(book, "M@c1").id, 1)), "variation")
    indexes.catch_up_positions(book)
    publish(book, file)
    there = rows(path, f"SELECT * FROM {view}", driver.sqlite3)
    assert len(there) >= 6
    key = lambda row: str(list(row.values()))  # noqa: E731
    assert sorted(rows(file, f"SELECT * FROM {view}"), key=key) == sorted(there, key=key)


def test_only_public_matches_are_published(book, file):
    public = opened(book, "M@c1")
    set_visibility(book, opened(book), "unlisted")
    set_visibility(book, opened(book), "private")
    book.store.trash(opened(book).stream.id).result()
    assert publish(book, file).matches == 1
    assert published_ids(file) == [public.id]


def test_held_comments_are_published_at_the_end(book, file):
    record = opened(book, "M@c1", comments="end")
    annotate(book, record, 1, Wording("a quokka"))
    assert publish(book, file).annotations == 0
    play(book, record, ["1:resign"])
    assert publish(book, file).annotations == 1


def test_tags_and_annotations_are_rows(book, file):
    match = opened(book, "M@c1", "S@c6")
    tag(book, match, {"Event": "Cup", "Date": "2026.07.12"})
    annotate(book, match, 2, Wording("A bold reply", glyphs=("!",)), author="seat 2")
    [gone] = annotate(book, match, 1, Wording("Regretted"))
    retract(book, match, gone.id)
    assert publish(book, file).annotations == 2
    tags = rows(file, "SELECT name, value FROM tags")
    assert [tuple(each.values()) for each in tags] == [("Date", "2026.07.12"), ("Event", "Cup")]
    said = rows(file, "SELECT ply, kind, text, author FROM annotations ORDER BY kind")
    assert [tuple(each.values()) for each in said] == [
        (2, "comment", "A bold reply", "Red"),
        (2, "glyph", "!  good move", "Red"),
    ]
    assert b"Regretted" not in file.read_bytes()


def test_sqlite_of_python_reads_every_table(book, file):
    annotate(book, opened(book, "M@c1"), 1, Wording("A bold beginning"))
    publish(book, file)
    tables = [row["name"] for row in rows(file, "SELECT name FROM pragma_table_list")]
    assert {*publishing.TABLES, "annotations_fts"} <= set(tables)
    for table in tables:
        rows(file, f'SELECT * FROM "{table}"')
    assert rows(file, "PRAGMA integrity_check") == [{"integrity_check": "ok"}]
    assert rows(file, "SELECT text FROM annotations_fts WHERE annotations_fts MATCH 'bold'")


def test_published_file_needs_no_log(book, file, tmp_path):
    opened(book, "M@c1")
    publish(book, file)
    rollback = 1  # and 2 is the write-ahead log
    assert list(file.read_bytes()[18:20]) == [rollback, rollback]
    with closing(sqlite3.connect(file)) as reader:
        reader.execute("SELECT * FROM moves").fetchall()
        assert {each.name for each in tmp_path.glob("*published*")} == {file.name}


HELD = (
    "SELECT payload FROM sealed",
    "SELECT digest FROM keys UNION SELECT digest FROM operators",
    "SELECT digest FROM account_tokens UNION SELECT digest FROM accounts",
    "SELECT name FROM accounts",
    "SELECT value FROM held",
    "SELECT secret FROM hooks UNION SELECT url FROM hooks UNION SELECT id FROM hooks",
    "SELECT value ->> 'secret' FROM hooks, json_each(hooks.former)",
    "SELECT public_id FROM streams AS s WHERE NOT EXISTS (SELECT 1 FROM facts WHERE stream = s.id"
    " AND value = 'public') OR trashed",
    "SELECT hash FROM events UNION SELECT event_id FROM events UNION SELECT head_hash FROM streams",
)


def test_file_holds_no_secret(book, path, file):
    match = opened(book, f"1:{PROGRAM}", game="pyramid-ball")
    opened(
        book,
        game="blockade",
        dice="service",
        credentials=credentials.derive(b"name", b"asked").credentials(2),
    )
    hook = web_hooks.register(book, match, "https://example.org/hook")
    web_hooks.rotate(book, hook)
    capability_tokens.issue(book, match)
    operators.issue(book)
    accounts.add(book, "secretive")
    private = opened(book, "M@c1")
    set_visibility(book, private, "private")
    child = fork(book, *book.at(Address(private.id, 1)), "match")
    set_visibility(book, child, "public")
    book.store.trash(opened(book).stream.id).result()
    publish(book, file)
    assert child.id in published_ids(file)
    secrets = [value for sql in HELD for value in held(path, sql)]
    written = file.read_bytes()
    assert [each for each in secrets if each in written] == []
    assert PROGRAM.encode() not in written
    assert b'"FFF"' not in written


def held(path: Path, sql: str) -> list[bytes]:
    """Return the secrets of a book as raw bytes and in hex; there is at least one."""
    found = [next(iter(row.values())) for row in rows(path, sql, driver.sqlite3)]
    assert found, sql
    raw = [each.encode() if isinstance(each, str) else bytes(each) for each in found]
    return [*raw, *(each.hex().encode() for each in raw)]


def test_book_is_never_replaced(book, path):
    before = path.read_bytes()
    with pytest.raises(Usage, match=r"is a book of Plybook; publish to another file"):
        publish(book, path)
    assert path.read_bytes() == before


def test_older_file_stays_if_publishing_fails(book, file, tmp_path):
    opened(book)
    file.write_bytes(b"older")

    def fail(_: int) -> None:
        raise OSError(28, "No space left on device")

    with pytest.raises(StoreError, match=r" was not published: No space left on device"):
        publishing.publish(book, file, fail)
    assert file.read_bytes() == b"older"
    assert not list(tmp_path.glob(".plybook-*"))


def test_only_few_matches_are_in_memory_together(book, file):
    for _ in range(2 * publishing.TOGETHER + 1):
        opened(book)
    done: list[int] = []
    assert publishing.publish(book, file, done.append).matches == sum(done) == len(done) * 20 - 19
    assert publishing.count_public(book) == sum(done)


def test_unreadable_match_is_left_out_and_named(book, path, file):
    whole, broken = opened(book, "M@c1"), opened(book, "M@c1")
    book.cache.drop(broken)
    run_unguarded(path, f"UPDATE events SET data = '{{' WHERE stream = {broken.stream.id}")
    assert publish(book, file).unread == (broken.id,)
    assert published_ids(file) == [whole.id]


def test_several_processes_publish_the_same_in_order(book, file, path, monkeypatch):
    for _ in range(5):
        opened(book, "M@c1", "S@c6")
    run_unguarded(path, "UPDATE events SET data = '{}' WHERE stream = 5")
    with book_file.open_book(path) as fresh:
        alone, tables = publish(fresh, file), ("matches", "players", "moves", "tags")
        published = [rows(file, f"SELECT * FROM {table}") for table in tables]
        monkeypatch.setattr(match_batches, "MANY", 0)
        monkeypatch.setattr(match_batches, "BATCH", 3)
        monkeypatch.setattr(processes, "processors", lambda: 2)
        assert publish(fresh, file) == alone
    assert [rows(file, f"SELECT * FROM {table}") for table in tables] == published
    assert len(alone.unread) == 1
