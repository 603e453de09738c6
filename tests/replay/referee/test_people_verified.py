"""Verification finds what was changed behind the back of Plybook about who played."""

from __future__ import annotations

from contextlib import closing, suppress
from random import Random

import pytest

from domain.games import built_in
from replay.book import Book
from replay.branches.forks import fork
from replay.errors import PlybookError
from replay.referee.opening import open_match
from replay.referee.verification import verify_match
from replay.store import open_store
from replay.store.people_chain import Change
from replay.store.sql import people
from replay.store.sqlite.driver import sqlite3
from replay.tags.people import name_players

GUARDS = "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name LIKE 'people%'"
HASH = "person event 2 does not match its hash"
CUT = """DELETE FROM people WHERE number = 3;
DELETE FROM people_texts WHERE number = 3;
UPDATE facts SET value = 'Ana' WHERE name = 'Seat1'"""
TAMPERED = {
    "UPDATE facts SET value = 'Eve' WHERE name = 'Seat1'": "the names of the players are not",
    "UPDATE people SET author = 'seat 2' WHERE number = 2": HASH,
    "UPDATE people SET after_version = 9 WHERE number = 2": HASH,
    "DELETE FROM people WHERE number = 3": "the last person event is not number 3, the head",
    CUT: "the last person event is not number 3, the head",
    "DELETE FROM people_heads": "the last person event is not number 0, the head",
    "UPDATE people_heads SET hash = x'00'": "the last person event is not number 3, the head",
    "UPDATE people_texts SET salt = x'', text = '' WHERE number = 3": "the names of the players",
    "UPDATE people_texts SET text = 'Eve' WHERE number = 3": "does not match its digest",
    "DELETE FROM people_texts WHERE number = 3": "is missing, and nobody erased it",
    """UPDATE people_texts SET number = 9 WHERE number = 3;
    UPDATE people_texts SET number = 3 WHERE number = 2;
    UPDATE people_texts SET number = 2 WHERE number = 9""": "does not match its digest",
    "DELETE FROM people": "the last person event is not number 3, the head",
    """DELETE FROM people; DELETE FROM people_texts;
    DELETE FROM facts""": "the last person event is not number 3, the head",
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
        for (name,) in connection.execute(GUARDS).fetchall():
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
        "DELETE FROM people_heads",
        "UPDATE people_heads SET number = 2",
        "UPDATE people_heads SET hash = zeroblob(32)",
        "INSERT OR REPLACE INTO people_heads VALUES (1, 4, zeroblob(32))",
    ],
)
def test_guards_forbid_changes_of_people(path, statement):
    connection = sqlite3.connect(path)
    with pytest.raises(sqlite3.IntegrityError):
        connection.execute(statement)
    connection.close()


TABLES = {
    "people": "stream, number, event, seat, other, author, at, after_version, reason, name, hash",
    "people_texts": "stream, number, kind, salt, text",
    "people_heads": "stream, number, hash",
    "facts": "stream, name, value",
}


def flipped(random, value):
    """Return a stored value with one bit flipped; text stays text that SQLite can hold."""
    if isinstance(value, int):
        return value ^ 1 << random.randrange(40)
    data = bytearray(value if isinstance(value, bytes) else value.encode())
    if not data:
        return b"x" if isinstance(value, bytes) else "x"
    data[random.randrange(len(data))] ^= 1 << random.randrange(7)
    return bytes(data) if isinstance(value, bytes) else data.decode("utf-8", "replace")


def accepted(book, stream):
    try:
        return verify_match(book, stream).ok
    except PlybookError:
        return False


@pytest.mark.parametrize("tries", [200, pytest.param(10_000, marks=pytest.mark.slow)])
def test_no_flipped_bit_is_accepted(path, tries):
    random = Random(39)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for (name,) in connection.execute(GUARDS).fetchall():
            connection.execute(f"DROP TRIGGER {name}")
        connection.execute("PRAGMA foreign_keys = OFF")
        connection.execute("PRAGMA synchronous = OFF")
        with closing(open_store(path)) as store:
            [stream] = store.matches()
            missed, flips = [], 0
            while flips < tries:
                table = random.choice([*TABLES])
                columns = TABLES[table].split(", ")
                names = "WHERE name GLOB 'Seat*'" if table == "facts" else ""
                rows = connection.execute(f"SELECT {TABLES[table]} FROM {table} {names}").fetchall()
                row = random.choice(rows)
                at = random.randrange(len(columns))
                new = flipped(random, row[at])
                place = " AND ".join(f"{each} IS ?" for each in columns)
                change = f"UPDATE {table} SET {columns[at]} = ? WHERE {place}"
                with suppress(sqlite3.IntegrityError):  # the place of another row
                    connection.execute(change, (new, *row))
                    flips += 1
                    if accepted(Book(store), stream):
                        missed.append((table, columns[at], row[at], new))
                    connection.execute(change, (row[at], *row[:at], new, *row[at + 1 :]))
            assert missed == []
            assert accepted(Book(store), stream), "all is as it was"


def test_fork_that_cites_other_people_is_found(tmp_path, monkeypatch):
    with closing(open_store(tmp_path / "book.db")) as store:
        book = Book(store)
        match = open_match(book, built_in("poptrix"), players={1: "Jet"})
        right = fork(book, match, 0, "match")
        monkeypatch.setattr(people, "_forked", lambda *_: [Change("forked", 0, cited=bytes(32))])
        wrong = fork(book, match, 0, "match")
        assert verify_match(book, right.stream).ok
        fault = f"it cites people that {match.id} never had"
        assert verify_match(book, wrong.stream).fault == fault
