"""A copy is a whole snapshot of one moment, or it does not exist."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from replay.errors import Damaged, PlybookError, StoreError, Usage
from replay.store import open_store
from replay.store.sqlite import file_copy
from replay.store.sqlite.driver import sqlite3
from replay.store.stream_verification import verify_chain
from replay.upkeep.backup import back_up, back_up_over
from tests.replay.store.streams import events, match
from tests.replay.store.test_processes import WRITING

Copy = Callable[[Path, Path], file_copy.Contents]
BOTH = pytest.mark.parametrize("copy", [back_up, back_up_over])


@pytest.fixture
def target(tmp_path: Path) -> Path:
    (tmp_path / "elsewhere").mkdir()
    return tmp_path / "elsewhere" / "copy.db"


def only(target: Path) -> bool:
    """Return whether the copy exists, and no other new file."""
    return [each.name for each in target.parent.iterdir()] == [target.name]


def test_copy_holds_and_counts_everything(opened, path, sqlite, target):
    first = match(sqlite, 3, "abcdef")
    match(sqlite, 2)
    sqlite.trash(first.id).result()
    copied = back_up(path, target)
    assert (copied.matches, copied.events, copied.bytes) == (2, 5, target.stat().st_size)
    assert only(target)
    copy = opened(target)
    assert list(copy.matches()) == list(sqlite.matches())
    assert copy.read(first.id) == sqlite.read(first.id)
    copy.append(first.id, 3, events(1)).result()


def test_copy_during_writes_is_a_single_snapshot(opened, path, target):
    store = opened(path)
    match(store, 0, "kqzw")
    with subprocess.Popen(
        [sys.executable, "-c", WRITING, str(path)], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        counts = []
        for _ in range(4):
            for _ in range(20):
                process.stdout.readline()
            counts.append(back_up_over(path, target).events)
            copy = open_store(target)
            stream = copy.find("kqzw")
            assert stream.head == counts[-1] == len(copy.read(stream.id))
            assert verify_chain(copy, stream.id) is None
            copy.close()
        process.kill()
        process.stdout.read()
    assert counts[0] >= 20
    assert counts == sorted(set(counts))


def test_existing_file_is_replaced_only_on_request(path, sqlite, target):
    match(sqlite, 1)
    target.write_text("something else")
    with pytest.raises(Usage, match="exists already"):
        back_up(path, target)
    assert target.read_text() == "something else"
    assert back_up_over(path, target).matches == 1
    assert only(target)


def test_file_that_appears_meanwhile_is_kept(path, sqlite, target, monkeypatch):
    match(sqlite, 1)
    copy = file_copy.copy

    def slow(*paths: Path) -> file_copy.Contents:
        target.write_text("mine")
        return copy(*paths)

    monkeypatch.setattr(file_copy, "copy", slow)
    with pytest.raises(Usage, match="was created meanwhile"):
        back_up(path, target)
    assert target.read_text() == "mine"
    assert only(target)


def test_open_database_is_not_replaced(path, sqlite, target):
    match(sqlite, 1)
    used = open_store(target)
    kept = match(used, 2)
    with pytest.raises(Usage, match="in use"):
        back_up_over(path, target)
    assert used.append(kept.id, 2, events(1)).result().versions == (3,)
    used.close()
    assert back_up_over(path, target).events == 1


def test_database_that_was_only_read_is_replaced(path, sqlite, target):
    match(sqlite, 1)
    back_up(path, target)
    read = open_store(target)
    list(read.matches())
    read.close()
    assert Path(f"{target}-wal").exists()
    back_up_over(path, target)
    assert only(target)


@BOTH
def test_senseless_target_is_refused(copy, path, sqlite, tmp_path):
    match(sqlite, 1)
    (tmp_path / "link.db").symlink_to(path)
    (tmp_path / "circle").symlink_to("circle")
    before = sorted(tmp_path.rglob("*"))
    for target, words in {
        tmp_path: "folder",
        tmp_path / "no" / "copy.db": "is not a folder",
        path / "copy.db": "is not a folder",
        tmp_path / "circle": "cannot be used",
        tmp_path / "nul\0": "cannot be used",
        tmp_path / ("long" * 100): "cannot be used",
    }.items():
        with pytest.raises(Usage, match=words):
            copy(path, target)
    for target in (path, tmp_path / "link.db"):
        with pytest.raises(Usage):
            copy(path, target)
    with pytest.raises(Usage, match="the database itself"):
        back_up_over(path, tmp_path / "link.db")
    assert sorted(tmp_path.rglob("*")) == before


def test_foreign_file_is_not_copied(path, target):
    with pytest.raises(Usage, match="does not exist"):
        back_up(path, target)
    path.write_text("Dear diary")
    with pytest.raises(StoreError, match="not a Plybook database"):
        back_up(path, target)
    assert not list(target.parent.iterdir())


@BOTH
def test_full_disk_leaves_the_old_file(copy, path, sqlite, target, monkeypatch):
    match(sqlite, 1)
    connect = sqlite3.connect

    def small(*arguments: object, **options: object) -> sqlite3.Connection:
        connection = connect(*arguments, **options)
        if not options.get("uri"):
            connection.execute("PRAGMA max_page_count = 4")
        return connection

    monkeypatch.setattr(sqlite3, "connect", small)
    monkeypatch.setattr("shutil.disk_usage", lambda _: type("Usage", (), {"free": 1000}))
    with pytest.raises(StoreError, match=r"full \(.* MB to copy, 0.0 MB free there\)"):
        copy(path, target)
    assert not list(target.parent.iterdir())


def test_damaged_database_is_not_copied(path, target):
    store = open_store(path)
    match(store, 400)
    store.close()
    content = bytearray(path.read_bytes())
    middle = len(content) // 2 // 4096 * 4096
    content[middle : middle + 4096] = bytes(4096)
    path.write_bytes(content)
    with pytest.raises(PlybookError) as refusal:
        back_up(path, target)
    assert isinstance(refusal.value, Damaged | StoreError)
    assert not list(target.parent.iterdir())


def test_copy_has_the_permissions_of_the_original(path, sqlite, target):
    match(sqlite, 1)
    path.chmod(0o640)
    back_up(path, target)
    assert target.stat().st_mode & 0o777 == 0o640
