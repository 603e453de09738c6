"""Every command on a book in PostgreSQL."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from types import SimpleNamespace

import psycopg
import pytest

from cli import completion
from cli.app import COMMANDS
from tests.replay.store.postgres_server import Server

pytestmark = pytest.mark.postgres


@pytest.fixture
def url(postgres: Server) -> Iterator[str]:
    made = postgres.new_book()
    yield made
    postgres.drop(made)


@pytest.fixture
def book(plybook, url, monkeypatch) -> str:
    monkeypatch.setenv("PLYBOOK_DB", url)
    return url


@pytest.fixture
def match(plybook, book) -> str:
    made = plybook("new", "poptrix", "--seat", "1=Jet", "--seat", "2=Red").out.strip()
    assert plybook("play", made, "M@c1", "S@c6", "c1>L@c3").code == 0
    return made


COMMANDS_OF_A_MATCH = {
    "play": "play MATCH c6>M@c4",
    "takeback": "takeback MATCH",
    "list": "list",
    "show": "show MATCH",
    "log": "log MATCH",
    "goto": "goto MATCH next-turn",
    "find": "find Jet",
    "explore": "explore poptrix",
    "stats": "stats",
    "amend": "amend MATCH@3 --delete",
    "annotate": "annotate MATCH@2 Good",
    "tag": "tag MATCH Event=Cup",
    "fork": "fork MATCH@2",
    "tree": "tree MATCH",
    "annotations": "annotations MATCH",
    "position": "position MATCH",
    "export": "export MATCH",
    "verify": "verify",
    "token": "token MATCH",
    "delete": "delete MATCH",
    "visibility": "visibility MATCH public",
    "reindex": "reindex",
}


@pytest.mark.parametrize("command", COMMANDS_OF_A_MATCH)
def test_command_succeeds_on_a_postgresql_book(plybook, match, command):
    assert command in COMMANDS
    ran = plybook(*COMMANDS_OF_A_MATCH[command].replace("MATCH", match).split())
    assert (ran.code, ran.err) == (0, "")


def test_database_flag_suffices_to_record_a_match(plybook, url):
    match = plybook("new", "poptrix", "--db", url).out.strip()
    assert plybook("--db", url, "play", match, "M@c1").code == 0
    assert match in plybook("list", "--db", url).out
    assert plybook("list").code == 2, "the book in the file was not made"


def test_records_are_exported_and_imported(plybook, match, tmp_path):
    for form in ("ply", "archive"):
        file = tmp_path / f"match.{form}"
        assert plybook("export", match, "--format", form, "-o", file).code == 0
        assert plybook("delete", match, "--purge", "--yes").code == 0
        assert plybook("import", file).code == 0
        match = plybook("list", "--json").lines[0]["match"]
    assert plybook("verify").code == 0


def test_match_is_deleted_for_good(plybook, match):
    assert plybook("delete", match, "--purge", "--yes").code == 0
    assert plybook("show", match).code == 2
    assert plybook("list").out == ""


def test_matches_are_completed(match, book):
    context = SimpleNamespace(parent=None, params={"db": book})
    assert completion.matches(context, match[:2]) == [(match, "poptrix Jet - Red")]


def test_doctor_reports_on_the_server(plybook, match, book):
    told = {each["check"]: each for each in plybook("doctor", "--json").lines}
    assert "PostgreSQL" in told["server"]["told"]
    # The server of the tests does not wait for its disk, and `doctor` has to notice.
    assert [check for check, each in told.items() if each["verdict"] == "fault"] == ["durability"]


def test_damage_is_found_by_verify(plybook, match, book):
    with closing(psycopg.connect(book, autocommit=True)) as connection:
        connection.execute("ALTER TABLE events DISABLE TRIGGER events_update")
        connection.execute("UPDATE events SET actor = 'x' WHERE version = 2")
    ran = plybook("verify", match)
    assert ran.code == 1
    assert "DAMAGED at version 2" in ran.out


def test_backup_and_restore_name_the_postgresql_programs(plybook, match, tmp_path):
    told = plybook("backup", tmp_path / "copy.db")
    assert (told.code, told.out) == (2, "")
    assert "pg_dump" in told.err
    told = plybook("restore", tmp_path / "copy.db")
    assert (told.code, told.out) == (2, "")
    assert "pg_restore" in told.err
    assert list(tmp_path.iterdir()) == []


def test_book_is_copied_to_file_and_back(plybook, match, book, tmp_path):
    file = tmp_path / "copy.db"
    told = plybook("copy", "--to", file)
    assert told.out == "1 match in both books; copied 1 new match and 3 events\n"
    assert plybook("--db", file, "verify").out == plybook("verify").out
    plybook("--db", file, "play", match, "c6>M@c4")
    assert plybook("copy", "--from", file, "--to", book, "--json").json["events"] == 1
    assert plybook("--db", file, "verify").out == plybook("verify").out


def test_public_matches_are_published(plybook, match, book, tmp_path):
    plybook("visibility", match, "public")
    told = plybook("publish", tmp_path / "public.db")
    assert told.out.startswith(f"{tmp_path / 'public.db'}: 1 match, 3 moves, 0 annotations, ")
    with closing(sqlite3.connect(tmp_path / "public.db")) as published:
        tokens = published.execute("SELECT text FROM moves ORDER BY ply").fetchall()
    assert tokens == [("M@c1",), ("S@c6",), ("c1>L@c3",)]


@pytest.mark.parametrize("flag", ["--to", "--from"])
def test_book_is_not_copied_onto_itself(plybook, match, book, flag):
    other = [] if flag == "--to" else ["--to", book]
    told = plybook("copy", flag, book, *other)
    assert (told.code, told.out) == (2, "")
    assert "the book itself" in told.err


def test_unknown_database_must_be_created_first(plybook, book):
    told = plybook("--db", book.replace("?", "_else?"), "list")
    assert (told.code, told.out) == (1, "")
    assert "the server has no such database or user; create it first" in told.err


def test_unreachable_server_is_one_line_without_password(plybook):
    told = plybook("--db", "postgresql://me:geheim@127.0.0.1:1/book", "list")
    assert (told.code, told.out) == (1, "")
    assert told.err.startswith("plybook: postgresql://me@127.0.0.1:1/book: it cannot be reached")
    assert told.err.count("\n") == 1
    assert "geheim" not in told.err
