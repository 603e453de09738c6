"""A restored backup replaces the whole book, checked, while the book is closed to everybody."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from replay.errors import Damaged, PlybookError, StoreError, Usage
from replay.store import open_store
from replay.store.sqlite import SqliteStore, database_file, file_copy
from replay.store.sqlite.driver import sqlite3
from replay.store.stream_verification import people_fault, verify_chain
from replay.upkeep.backup import back_up, restore
from replay.upkeep.doctor import checkup
from tests.replay.store.streams import event, events, match
from tests.replay.store.tampering import downgrade, run_unguarded, tampered
from tests.replay.store.test_replaced_files import left_behind, swap

HUGE = '"' + "x" * 20_000 + '"'


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """A book with later events than its backup."""
    (tmp_path / "folder").mkdir()
    book = tmp_path / "folder" / "book.db"
    store = open_store(book)
    stream = match(store, 3, "kqzw")
    back_up(book, tmp_path / "backup.db")
    store.append(stream.id, 3, events(2)).result()
    store.close()
    return book


@pytest.fixture
def backup(book: Path, tmp_path: Path) -> Path:
    return tmp_path / "backup.db"


def head(path: Path) -> int:
    store = open_store(path)
    found = store.find("kqzw")
    assert verify_chain(store, found.id) is None
    store.close()
    return found.head


def files(path: Path) -> dict[str, bytes]:
    return {each.name: each.read_bytes() for each in path.parent.iterdir()}


def test_backup_replaces_the_book_and_keeps_it(book, backup):
    copy = backup.read_bytes()
    restored = restore(book, backup)
    assert (restored.contents.matches, restored.contents.events) == (1, 3)
    kept = book.with_name("book.db.before-restore")
    assert restored.kept == kept
    assert sorted(files(book)) == ["book.db", "book.db.before-restore"]
    assert (head(book), head(kept)) == (3, 5)
    assert backup.read_bytes() == copy
    assert sorted(each.name for each in backup.parent.iterdir()) == ["backup.db", "folder"]
    assert not [each for each in checkup(book) if each.verdict == "fault"]


def test_player_erased_since_the_backup_stays_erased(tmp_path):
    path, backup = tmp_path / "book.db", tmp_path / "backup.db"
    with closing(open_store(path)) as store:
        streams = [match(store, 1, name) for name in ("kqzw", "mmmm")]
        for each in streams:
            store.set_metadata(each.id, {"Seat1": "Ana", "Seat2": "Bob"}).result()
        back_up(path, backup)
        store.set_metadata(streams[0].id, {"Seat1": None, "Seat2": "Ben"}).result()
        store.set_metadata(streams[1].id, {"Seat1": "Anna"}).result()
    assert restore(path, backup).erased == 1
    with closing(open_store(path)) as store:
        kept = [store.people(store.find(each.public_id).id) for each in streams]
        assert not any(
            people_fault(*pair)
            for pair in zip((each.origin for each in streams), kept, strict=True)
        )
    assert [people.names for people in kept] == [{2: "Ben"}, {1: "Ana", 2: "Bob"}]
    assert "Ana" not in {text.text for text in kept[0].texts}


def test_backup_with_a_cut_chain_of_people_is_refused(tmp_path):
    path, backup = tmp_path / "book.db", tmp_path / "backup.db"
    with closing(open_store(path)) as store:
        stream = match(store, 1, "kqzw")
        store.set_metadata(stream.id, {"Seat1": "Ana"}).result()
        store.set_metadata(stream.id, {"Seat1": None}).result()
    back_up(path, backup)
    run_unguarded(backup, "DELETE FROM people")
    with pytest.raises(Damaged, match="the last person event is not number 2"):
        restore(path, backup)


def test_book_that_links_to_itself_is_refused(tmp_path, backup):
    circle = tmp_path / "circle"
    circle.symlink_to("circle")
    with pytest.raises(Usage, match="cannot be used"):
        restore(circle, backup)
    assert circle.is_symlink()


def test_each_replaced_book_has_its_own_name(book, backup):
    names = []
    for _ in range(3):
        kept = restore(book, backup).kept
        assert kept is not None
        names.append(kept.name)
    assert names == [f"book.db.before-restore{more}" for more in ("", "-2", "-3")]


def test_replaced_book_can_be_discarded(book, backup):
    kept = restore(book, backup).kept
    assert kept is not None
    file_copy.discard(kept)
    assert list(files(book)) == ["book.db"]


def test_missing_book_is_restored(book, backup):
    book.unlink()
    assert restore(book, backup).kept is None
    assert head(book) == 3
    assert book.stat().st_mode & 0o777 == database_file.PRIVATE_MODE


def test_restored_book_keeps_its_permissions(book, backup):
    book.chmod(0o640)
    restore(book, backup)
    assert book.stat().st_mode & 0o777 == 0o640


def test_log_of_the_replaced_book_is_kept(book, backup):
    book.unlink()
    left_behind(book)
    kept = restore(book, backup).kept
    assert kept is not None
    assert sorted(files(book)) == [book.name, kept.name]
    store = open_store(kept)
    (stream,) = store.matches()
    assert len(store.read(stream.id)) == 3
    store.close()
    assert head(book) == 3


def test_log_of_the_backup_is_restored(book, backup):
    with_log = backup.with_name("with log")
    with_log.mkdir()
    left_behind(with_log / "book.db")
    assert restore(book, with_log / "book.db").contents.events == 3


@pytest.mark.parametrize("writes", [False, True])
def test_open_book_is_refused(book, backup, *, writes):
    store = SqliteStore(book)
    if writes:
        match(store, 1)
    before = sorted(files(book))
    with pytest.raises(Usage, match="open in another program"):
        restore(book, backup)
    assert sorted(files(book)) == before
    assert match(store, 1)
    store.close()
    assert head(book) == 5


def test_book_open_in_another_program_is_refused(book, backup):
    other = sqlite3.connect(book)
    other.execute("SELECT * FROM streams").fetchall()
    with pytest.raises(Usage, match="open in another program"):
        restore(book, backup)
    other.close()
    assert head(book) == 5


def test_book_replaced_in_use_is_refused(book, backup):
    store = SqliteStore(book)
    match(store, 1)
    swap(book)
    with pytest.raises(Usage, match="open in another program"):
        restore(book, backup)
    store.close()
    restore(book, backup)
    assert head(book) == 3


def test_book_cannot_be_opened_during_a_restore(book, backup, monkeypatch):
    def opening(folder: Path) -> None:
        with pytest.raises(StoreError, match="restored by another program"):
            SqliteStore(book, timeout=0.05)

    monkeypatch.setattr(database_file, "sync", opening)
    restore(book, backup)
    monkeypatch.undo()
    assert head(book) == 3


def test_damaged_book_is_replaced_and_kept(book, backup):
    damaged = b"".join((book.read_bytes()[:100], b"\xff" * 8000, book.read_bytes()[8100:]))
    book.write_bytes(damaged)
    Path(f"{book}-wal").write_bytes(b"what was left")
    kept = restore(book, backup).kept
    assert kept is not None
    assert kept.read_bytes() == damaged
    assert head(book) == 3


def test_foreign_log_is_attached_to_neither_book(opened, book, backup):
    book.unlink()
    left_behind(book)
    swap(book)
    log = Path(f"{book}-wal").read_bytes()
    kept = restore(book, backup).kept
    assert kept is not None
    assert head(book) == 3
    assert not Path(f"{kept}-wal").exists()
    assert book.with_name("book.db-wal.before-restore").read_bytes() == log
    store = opened(kept)
    assert list(store.matches()) == []


def test_backup_of_an_older_plybook_is_migrated(book, backup):
    downgrade(
        backup,
        8,
        "ALTER TABLE hooks DROP COLUMN former; ALTER TABLE hooks DROP COLUMN rotation;"
        "ALTER TABLE hooks DROP COLUMN types; ALTER TABLE hooks DROP COLUMN site;"
        "DROP TABLE operators; DROP TABLE changes; DROP TABLE eras; DROP INDEX texts_named;"
        "DELETE FROM _sqlite_migrations WHERE name IN ('rotations_and_operators', 'changes')",
    )
    restore(book, backup)
    assert head(book) == 3


def run(*statements: str) -> Callable[[Path], None]:
    return lambda backup: tampered(backup, *statements)


INDEX_OFF = (
    "PRAGMA writable_schema = ON",
    "CREATE TABLE gone (a)",
    "UPDATE sqlite_master SET rootpage = (SELECT rootpage FROM sqlite_master "
    "WHERE name = 'gone') WHERE name = 'forks'",
    "DELETE FROM sqlite_master WHERE name = 'gone'",
)
"""Statements that delete a row of an index, as a bad disk may."""

BAD = {
    "a hash": (
        lambda path: run_unguarded(path, "UPDATE events SET data = '{\"a\":1}' WHERE version = 2"),
        Damaged,
        "this event does not match its hash",
    ),
    "a guard": (run("DROP TRIGGER events_delete"), Damaged, "events_delete"),
    "a table": (run("DROP TABLE keys"), PlybookError, "keys"),
    "a reference": (run("INSERT INTO keys VALUES (99, x'00', 'host', 1)"), Damaged, "keys"),
    "an index": (run(*INDEX_OFF), PlybookError, "damaged"),
    "another program's": (run("PRAGMA application_id = 7"), StoreError, "not one of Plybook"),
    "newer": (
        run(f"PRAGMA user_version = {database_file.SCHEMA + 1}"),
        StoreError,
        "newer Plybook",
    ),
    "text": (lambda path: path.write_text("Dear diary"), StoreError, "not a Plybook database"),
    "empty": (lambda path: path.write_bytes(b""), StoreError, "empty file"),
    "cut short": (lambda path: os.truncate(path, 20_000), PlybookError, "damaged"),
    "gone": (Path.unlink, Usage, "does not exist"),
    "a folder": (lambda path: (path.unlink(), path.mkdir()), Usage, "is not a file"),
}


@pytest.mark.parametrize(("damage", "error", "words"), BAD.values(), ids=BAD)
def test_invalid_backup_changes_nothing(book, backup, damage, error, words):
    damage(backup)
    before = files(book)
    with pytest.raises(error, match=words) as raised:
        restore(book, backup)
    assert files(book) == before
    assert str(backup) in str(raised.value)
    assert ".plybook-" not in str(raised.value)


def test_backup_of_newer_schema_changes_nothing(book, backup):
    BAD["newer"][0](backup)
    with pytest.raises(StoreError, match=r"newer Plybook .*; nothing was changed"):
        restore(book, backup)


def test_restoring_a_book_from_itself_is_refused(book, backup):
    link = book.with_name("link.db")
    link.symlink_to(book)
    for same in (book, link):
        with pytest.raises(Usage, match="the database itself"):
            restore(book, same)


def test_foreign_file_is_not_replaced(book, backup):
    book.write_text("Dear diary")
    with pytest.raises(StoreError, match="not a Plybook database"):
        restore(book, backup)
    assert book.read_text() == "Dear diary"


def test_full_disk_leaves_the_book_unchanged(book, backup):
    store = open_store(backup)
    stream = store.find("kqzw")
    store.append(stream.id, 3, [event(HUGE) for _ in range(50)]).result()
    store.close()
    before = files(book)
    code = (
        "import resource, sys; from pathlib import Path; from replay.upkeep.backup import restore;"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, 300_000));"
        "restore(Path(sys.argv[1]), Path(sys.argv[2]))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code, str(book), str(backup)], capture_output=True, text=True
    )
    assert "StoreError" in ran.stderr.splitlines()[-1]
    assert files(book) == before


def test_restore_works_on_file_system_without_links(book, backup, monkeypatch):
    def unable(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(Path, "hardlink_to", unable)
    kept = restore(book, backup).kept
    assert kept is not None
    assert (head(book), head(kept)) == (3, 5)
