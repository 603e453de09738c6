"""Maintaining the database through the CLI: backup, restore, doctor and reindex."""

from __future__ import annotations

import pytest

from replay.store import open_store
from replay.store.sqlite.driver import sqlite3
from tests.replay.store.test_replaced_files import left_behind, swap


@pytest.fixture
def match(plybook) -> str:
    made = plybook("new", "poptrix").out.strip()
    assert plybook("play", made, "M@c1", "S@c6").code == 0
    return made


def test_backup_copies_book_and_counts_its_content(plybook, match, tmp_path):
    copy = tmp_path / "copy.db"
    told = plybook("backup", copy).out
    assert told == f"{copy}: 1 match, 2 events, {copy.stat().st_size} bytes, checked\n"
    assert plybook("log", match, "--db", copy).out == plybook("log", match).out
    assert plybook("backup", copy, "--force", "--json").json == {
        "file": str(copy), "matches": 1, "events": 2, "bytes": copy.stat().st_size,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("target", "told"),
    [
        ("there.txt", "--force"),
        ("no/copy.db", "is not a folder"),
        (".", "is a folder"),
        ("book.db", "the database itself"),
    ],
)
def test_backup_to_invalid_target_is_refused(plybook, match, tmp_path, target, told):
    (tmp_path / "there.txt").write_text("mine")
    ran = plybook("backup", tmp_path / target)
    assert ran.code == 2
    assert told in ran.err
    assert (tmp_path / "there.txt").read_text() == "mine"


def test_backup_of_missing_database_makes_no_file(plybook, tmp_path):
    ran = plybook("backup", tmp_path / "copy.db")
    assert ran.code == 2
    assert "does not exist" in ran.err
    assert list(tmp_path.iterdir()) == []


def test_publish_writes_public_matches_to_a_file(plybook, match, tmp_path):
    file = tmp_path / "public.db"
    assert plybook("visibility", match).out == f"{match} unlisted\n"
    assert plybook("visibility", match, "public").out == f"{match} public\n"
    ran = plybook("publish", file)
    size = file.stat().st_size
    assert ran.out == f"{file}: 1 match, 2 moves, 0 annotations, {size} bytes\n"
    assert plybook("publish", file, "--force", "--json").json == {
        "file": str(file), "matches": 1, "moves": 2, "annotations": 0, "bytes": size, "unread": [],
    }  # fmt: skip


def test_publish_replaces_a_file_only_by_force(plybook, match, tmp_path):
    file = tmp_path / "there.db"
    file.write_text("mine")
    ran = plybook("publish", file)
    assert (ran.code, file.read_text()) == (2, "mine")
    assert "--force replaces it" in ran.err
    assert plybook("publish", file, "--force").code == 0
    ran = plybook("publish", tmp_path / "book.db", "--force")
    assert (ran.code, ran.out) == (2, "")
    assert "is a book of Plybook" in ran.err


def test_publish_without_public_matches_suggests_command(plybook, match, tmp_path):
    ran = plybook("publish", tmp_path / "public.db")
    assert (ran.code, ran.out.split(",")[0]) == (0, f"{tmp_path / 'public.db'}: 0 matches")
    assert ran.err == "no match is public; `plybook visibility MATCH public` makes one public\n"


def test_unknown_visibility_is_refused(plybook, match):
    ran = plybook("visibility", match, "secret")
    assert ran.code == 2
    assert "'secret' is not a visibility; use unlisted, public or private" in ran.err
    assert plybook("visibility", match).out == f"{match} unlisted\n"


@pytest.fixture
def copy(plybook, match, tmp_path):
    """A backup that is older than the book."""
    assert plybook("backup", tmp_path / "copy.db").code == 0
    assert plybook("play", match, "c1>L@c3").code == 0
    return tmp_path / "copy.db"


def test_restore_replaces_book_and_keeps_it(plybook, match, copy, tmp_path):
    book, kept = tmp_path / "book.db", tmp_path / "book.db.before-restore"
    size = copy.stat().st_size
    assert plybook("restore", copy).out == (
        f"{book}: 1 match, 2 events, {size} bytes, checked, from {copy}\n"
        f"the previous book is now {kept}\n"
    )
    assert len(plybook("log", match, "--json").lines) == 2
    assert len(plybook("log", match, "--json", "--db", kept).lines) == 3
    assert plybook("restore", copy, "--discard", "--json").json == {
        "database": str(book), "matches": 1, "events": 2, "bytes": size, "kept": None,
        "erased": 0,
    }  # fmt: skip
    assert not list(tmp_path.glob("*-2"))


def test_restore_keeps_players_erased(plybook, tmp_path):
    match = plybook("new", "poptrix", "--seat", "1=Ana").out.strip()
    plybook("backup", tmp_path / "b.db")
    plybook("tag", match, "Seat1=")
    told = plybook("restore", tmp_path / "b.db").out
    assert "players erased since the backup stay erased, in 1 match\n" in told
    assert "Ana" not in plybook("tag", match).out


def test_restore_of_foreign_file_is_refused(plybook, copy, tmp_path):
    (tmp_path / "diary.txt").write_text("Dear diary")
    assert plybook("restore", tmp_path / "diary.txt").code == 2
    ran = plybook("restore", tmp_path / "none.db")
    assert (ran.code, "does not exist" in ran.err) == (2, True)


def test_restore_over_open_book_is_refused(plybook, copy, tmp_path):
    store = open_store(tmp_path / "book.db")
    ran = plybook("restore", copy)
    store.close()
    assert (ran.code, "open in another program" in ran.err) == (2, True)


def test_doctor_prints_a_line_per_check(plybook, match):
    ran = plybook("doctor")
    assert ran.code == 0
    verdicts = [line.split()[0] for line in ran.out.splitlines()]
    assert set(verdicts) <= {"ok", "warning"}
    assert len(verdicts) == len(plybook("doctor", "--json").lines) > 10


def test_doctor_json_keeps_its_fields(plybook, match):
    lines = plybook("doctor", "--json").lines
    assert all(line.keys() == {"check", "verdict", "told", "advice"} for line in lines)
    assert lines


def test_doctor_does_not_create_a_missing_database(plybook, tmp_path):
    ran = plybook("doctor")
    assert ran.code == 0
    assert ran.out.startswith("warning  file        the database")
    assert "book.db does not exist yet" in ran.out
    assert list(tmp_path.iterdir()) == []


def test_doctor_fails_for_fault_with_advice(plybook, match, tmp_path):
    connection = sqlite3.connect(tmp_path / "book.db", isolation_level=None)
    connection.execute("DROP TRIGGER events_delete")
    connection.close()
    ran = plybook("doctor")
    assert ran.code == 1
    (fault,) = [line for line in ran.out.splitlines() if line.startswith("fault")]
    assert "events_delete" in fault
    assert "backup" in fault
    (told,) = [each for each in plybook("doctor", "--json").lines if each["verdict"] == "fault"]
    assert told["check"] == "guards"


def test_verify_and_doctor_find_foreign_log(plybook, tmp_path):
    book = tmp_path / "book.db"
    left_behind(book)
    swap(book)
    for command in ("verify", "doctor"):
        ran = plybook(command)
        assert ran.code == 1
        assert "belongs to another file" in ran.out + ran.err


def test_doctor_leaves_foreign_file_untouched(plybook, tmp_path):
    diary = tmp_path / "diary.txt"
    diary.write_text("Dear diary")
    ran = plybook("doctor", "--db", diary)
    assert ran.code == 1
    assert "not a Plybook database" in ran.out
    assert diary.read_text() == "Dear diary"


def test_reindex_derives_again_and_counts(plybook, match, tmp_path):
    assert plybook("reindex").out == "1 match: 2 moves by position, 1 text\n"
    made = {"matches": 1, "moves": 2, "texts": 1, "unread": []}
    assert plybook("reindex", "--json").json == made
    connection = sqlite3.connect(tmp_path / "book.db", isolation_level=None)
    connection.execute("DELETE FROM steps")
    connection.close()
    assert "plybook reindex" in plybook("doctor").out
    assert plybook("reindex").code == 0
    assert "plybook reindex" not in plybook("doctor").out
