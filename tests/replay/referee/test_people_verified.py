"""Verification finds what was changed behind the back of Plybook about who played."""

from __future__ import annotations

from contextlib import closing

import pytest

from domain.games import built_in
from replay.book import Book
from replay.referee.opening import open_match
from replay.referee.verification import verify_match
from replay.store import open_store
from replay.store.sqlite.driver import sqlite3
from replay.tags.people import name_players

HASH = "person event 2 does not match its hash"
TAMPERED = {
    "UPDATE facts SET value = 'Eve' WHERE name = 'Seat1'": "the names of the players are not",
    "UPDATE people SET author = 'seat 2' WHERE number = 2": HASH,
    "UPDATE people SET after_version = 9 WHERE number = 2": HASH,
    "DELETE FROM people WHERE number = 3": "there is a text of person event 3, which has none",
    "UPDATE people_texts SET text = 'Eve' WHERE number = 3": "does not match its digest",
    "DELETE FROM people_texts WHERE number = 3": "is missing, and nobody erased it",
    """UPDATE people_texts SET number = 9 WHERE number = 3;
    UPDATE people_texts SET number = 3 WHERE number = 2;
    UPDATE people_texts SET number = 2 WHERE number = 9""": "does not match its digest",
    "DELETE FROM people": "there is a text of person event 1, which has none",
}


@pytest.fixture
def path(tmp_path):
    with closing(open_store(tmp_path / "book.db")) as store:
        book = Book(store)
        record = open_match(book, built_in("poptrix"), players={1: "Ana", 2: "Bob"})
        name_players(book, record, {1: "Anna"})
        assert verify_match(book, book.open(record.id).stream).ok
    return tmp_path / "book.db"


@pytest.mark.parametrize("statement", TAMPERED)
def test_tampering_with_people_is_found(path, statement):
    with sqlite3.connect(path) as connection:
        for (name,) in connection.execute(
            "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name LIKE 'people%'"
        ).fetchall():
            connection.execute(f"DROP TRIGGER {name}")
        connection.executescript(statement)
    connection.close()
    with closing(open_store(path)) as store:
        [stream] = store.matches()
        verdict = verify_match(Book(store), stream)
    assert not verdict.ok
    assert TAMPERED[statement] in verdict.fault


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE people SET author = 'x'",
        "DELETE FROM people",
        "INSERT OR REPLACE INTO people SELECT * FROM people WHERE number = 1",
        "UPDATE people_texts SET text = 'x'",
    ],
)
def test_guards_forbid_changes_of_people(path, statement):
    connection = sqlite3.connect(path)
    with pytest.raises(sqlite3.IntegrityError):
        connection.execute(statement)
    connection.close()
