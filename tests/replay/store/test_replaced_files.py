"""A store notices replaced and removed files, and acknowledges nothing after that."""

from __future__ import annotations

import logging
import os
import shutil
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from replay.errors import FileChanged, StoreError
from replay.store import open_store
from replay.store.sqlite import SqliteStore, connecting, lock
from replay.store.sqlite.driver import Connection, sqlite3
from replay.store.stream_verification import verify_chain
from replay.upkeep.backup import back_up
from replay.upkeep.doctor import checkup
from tests.replay.store.internals import call_at_end, submit
from tests.replay.store.streams import event, events, match
from tests.waiting import PATIENCE, eventually

HUGE = '"' + "x" * 20_000 + '"'


def swap(path: Path) -> None:
    """Replace the book by a copy of an empty one."""
    other = path.with_name("other.db")
    open_store(other).close()
    other.replace(path)


def remove(suffix: str) -> Callable[[Path], None]:
    return lambda path: Path(f"{path}{suffix}").unlink()


def replace(suffix: str) -> Callable[[Path], None]:
    def put(path: Path) -> None:
        replaced = Path(f"{path}{suffix}")
        copy = path.with_name("copied")
        shutil.copy(replaced, copy)
        copy.replace(replaced)

    return put


CHANGES: dict[str, Callable[[Path], object]] = {
    "database replaced": swap,
    "database removed": remove(""),
    "database moved": lambda path: path.rename(path.with_name("moved.db")),
    "log removed": remove("-wal"),
    "log replaced": replace("-wal"),
    "index removed": remove("-shm"),
    "index replaced": replace("-shm"),
    "folder moved": lambda path: path.parent.rename(path.parent.with_name("elsewhere")),
}
EACH = pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "folder").mkdir()
    return tmp_path / "folder" / "book.db"


@EACH
def test_changed_file_ends_acknowledgements(path, sqlite, change):
    stream = match(sqlite, 1)
    change(path)
    with pytest.raises(FileChanged):
        sqlite.append(stream.id, 1, events(1)).result()


@EACH
def test_change_between_commit_and_answer_is_noticed(path, sqlite, change):
    match(sqlite, 1)

    def job(_: Connection) -> None:
        change(path)

    with pytest.raises(FileChanged):
        submit(sqlite, job).result()


@EACH
def test_change_before_the_first_write_is_noticed(path, change):
    open_store(path).close()
    store = SqliteStore(path)
    change(path)
    left = path.read_bytes() if path.exists() else b""
    with pytest.raises(FileChanged):
        match(store, 1)
    assert (path.read_bytes() if path.exists() else b"") == left
    store.close()
    assert (path.read_bytes() if path.exists() else b"") == left


def test_store_stays_stopped_until_it_is_reopened(opened, path, sqlite, caplog):
    stream = match(sqlite, 1)
    away = path.with_name("away.db")
    path.rename(away)
    with caplog.at_level(logging.ERROR), pytest.raises(FileChanged, match="started again"):
        sqlite.append(stream.id, 1, events(1)).result()
    away.rename(path)
    for ask in (
        lambda: sqlite.append(stream.id, 1, events(1)).result(),
        lambda: sqlite.read(stream.id),
        sqlite.data_version,
        lambda: list(sqlite.matches()),
    ):
        with pytest.raises(FileChanged):
            ask()
    (line,) = caplog.records
    assert str(path) in line.getMessage()
    sqlite.close()
    again = opened(path)
    assert [each.version for each in again.read(stream.id)] == [1]


def test_polling_reader_notices_a_changed_file(path, sqlite):
    match(sqlite, 1)
    sqlite.data_version()
    swap(path)
    with pytest.raises(FileChanged):
        sqlite.data_version()
    with pytest.raises(FileChanged):
        list(sqlite.matches())


@pytest.mark.parametrize("suffix", ["", "-wal", "-shm"])
def test_acknowledged_events_are_saved_from_the_log(opened, path, sqlite, suffix):
    stream = match(sqlite, 5)
    moved = path.with_name("moved.db")
    Path(f"{path}{suffix}").rename(moved)
    with pytest.raises(FileChanged):
        sqlite.append(stream.id, 5, events(1)).result()
    sqlite.close()
    if not suffix:
        assert not Path(f"{path}-wal").stat().st_size, "no other database can take it for its own"
        moved.rename(path)
    again = opened(path)
    assert len(again.read(stream.id)) == 5
    assert verify_chain(again, stream.id) is None


def test_replacement_of_an_open_database_stays_unchanged(path, sqlite):
    stream = match(sqlite, 1)
    for version in range(1, 9):
        sqlite.append(stream.id, version, [event(HUGE)]).result()
    swap(path)
    before = path.read_bytes()
    with pytest.raises(FileChanged):
        sqlite.append(stream.id, 9, events(1)).result()
    sqlite.close()
    assert path.read_bytes() == before
    again = open_store(path)
    assert list(again.matches()) == []
    again.close()
    check = sqlite3.connect(path)
    assert check.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    check.close()


def test_replaced_open_database_is_refused_elsewhere(path, sqlite):
    match(sqlite, 1)
    swap(path)
    with pytest.raises(StoreError, match="while another program had it open"):
        open_store(path)


@pytest.mark.parametrize("suffix", ["-wal", "-shm"])
def test_removed_log_of_an_open_database_is_refused(path, sqlite, suffix):
    match(sqlite, 1)
    Path(f"{path}{suffix}").unlink()
    with pytest.raises(StoreError, match="write-ahead log"):
        open_store(path)
    assert not Path(f"{path}{suffix}").exists()


def left_behind(path: Path) -> None:
    """Leave a log with events in it, as a killed program does."""
    store = SqliteStore(path)
    match(store, 3)
    for suffix in ("", "-wal", "-shm", "-lock"):
        shutil.copy(f"{path}{suffix}", f"{path}.copy{suffix}")
    store.close()
    for suffix in ("", "-wal", "-shm", "-lock"):
        Path(f"{path}.copy{suffix}").rename(f"{path}{suffix}")
    inodes = [os.stat(f"{path}{suffix}").st_ino for suffix in ("", "-wal", "-shm")]
    Path(f"{path}-lock").write_text(" ".join(map(str, inodes)))


def test_log_of_another_database_is_not_replayed(path):
    left_behind(path)
    swap(path)
    before = path.read_bytes()
    for _ in range(2):
        with pytest.raises(StoreError, match="belongs to another file"):
            open_store(path)
    assert path.read_bytes() == before


def test_log_of_a_killed_program_is_replayed(path):
    left_behind(path)
    store = open_store(path)
    (stream,) = store.matches()
    assert len(store.read(stream.id)) == 3
    assert store.append(stream.id, 3, events(1)).result().versions == (4,)
    store.close()
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_database_moved_with_its_log_is_opened(opened, path):
    left_behind(path)
    folder = path.parent.with_name("moved")
    shutil.copytree(path.parent, folder)
    store = opened(folder / path.name)
    assert len(list(store.matches())) == 1


def test_failing_folder_is_reported_and_nothing_written_twice(path, sqlite, monkeypatch):
    stream = match(sqlite, 1)
    stat = os.stat
    answers = iter([True] * 3)

    def failing(file: str, **options: Any) -> os.stat_result:
        if str(file).startswith(str(path)) and not next(answers, False):
            raise PermissionError(13, "Permission denied")
        return stat(file, **options)

    with monkeypatch.context() as broken:
        broken.setattr(os, "stat", failing)
        with pytest.raises(StoreError, match="Permission denied"):
            sqlite.append(stream.id, 1, events(1)).result()
    assert sqlite.append(stream.id, 2, events(1)).result().versions == (3,)


# The check-up


def identity(path: Path) -> tuple[str, str]:
    (found,) = [each for each in checkup(path) if each.check == "identity"]
    return found.verdict, found.message


def test_checkup_reports_a_replaced_file(path, sqlite):
    match(sqlite, 1)
    assert identity(path)[0] == "ok"
    swap(path)
    before = path.read_bytes()
    verdict, told = identity(path)
    assert (verdict, "was replaced or removed while another program" in told) == ("fault", True)
    assert path.read_bytes() == before


@pytest.mark.parametrize("suffix", ["-wal", "-shm"])
def test_checkup_reports_a_removed_log(path, sqlite, suffix):
    match(sqlite, 1)
    Path(f"{path}{suffix}").unlink()
    verdict, told = identity(path)
    assert (verdict, "write-ahead log" in told) == ("fault", True)
    assert not Path(f"{path}{suffix}").exists()


def test_checkup_reports_the_log_of_another_database(path):
    left_behind(path)
    swap(path)
    before = path.read_bytes()
    verdict, told = identity(path)
    assert (verdict, "belongs to another file" in told) == ("fault", True)
    with pytest.raises(StoreError, match="belongs to another file"):
        back_up(path, path.with_name("copy.db"))
    assert path.read_bytes() == before


def test_checkup_warns_of_a_missing_log(path):
    left_behind(path)
    assert identity(path)[0] == "ok"
    Path(f"{path}-wal").unlink()
    verdict, told = identity(path)
    assert (verdict, "may be lost" in told) == ("warning", True)


def test_store_works_without_a_lock_file(opened, path, monkeypatch):
    monkeypatch.setattr(lock, "_open", lambda *_: None)
    store = opened(path)
    match(store, 1)
    swap(path)
    with pytest.raises(FileChanged):
        match(store, 1)


def test_told_text_stands_for_a_while_behind_the_inodes(opened, path):
    heard: list[str] = []
    teller, hearer = opened(path), opened(path)
    hearer.on_told(heard.append)
    inodes = Path(f"{path}-lock").read_text()
    for text in ("a long text", "short", "short"):
        before = len(heard)

        def tell(text: str = text) -> int:
            teller.tell(text)
            hearer.hear()
            return len(heard)

        eventually(lambda: tell() > before)  # noqa: B023  # called at once
        assert heard[-1] == text
        hearer.hear()
        assert len(heard) == before + 1
    teller.tell("late")
    os.utime(f"{path}-lock", ns=(0, time.time_ns() - lock.FRESH - 1))
    hearer.hear()
    assert "late" not in heard
    assert Path(f"{path}-lock").read_text().startswith(inodes + "\0")
    swap(path)
    with pytest.raises(StoreError, match="was replaced or removed while"):
        open_store(path)


def test_swap_during_opening_is_noticed(opened, path, monkeypatch):
    open_store(path).close()
    store = SqliteStore(path)
    connect = connecting._connect

    def late(*arguments: object) -> Connection:
        monkeypatch.undo()
        swap(path)
        return connect(*arguments)

    monkeypatch.setattr(connecting, "_connect", late)
    with pytest.raises(FileChanged):
        match(store, 1)
    store.close()
    again = opened(path)
    assert list(again.matches()) == []


# Programs that begin while another one ends


def begin(run: Callable[[], object]) -> Future[object]:
    """Run something in a thread, until it ends or waits for the test."""
    pool = ThreadPoolExecutor(1)
    begun = pool.submit(run)
    wait([begun], 0.5)
    pool.shutdown(wait=False)
    return begun


def take_freed_inodes(path: Path) -> None:
    """Use the inodes of files that were just removed, so that no new log gets one of them."""
    for number in range(9):
        path.parent.with_name(f"other{number}").touch()
        (path.parent / f"other{number}").touch()


def look_around(path: Path) -> None:
    """Open the book as a third program does, inspect it, and copy it."""
    open_store(path).close()
    assert identity(path) == ("ok", "the file and its log belong together")
    back_up(path, path.with_name("copy.db"))
    path.with_name("copy.db").unlink()


def test_store_opened_while_another_closes_admits_others(path, sqlite, monkeypatch):
    stream, acquire = match(sqlite, 2), lock.acquire
    ended: list[Future[object]] = []

    def late(*arguments: Any) -> lock.Lock:
        monkeypatch.undo()
        held = acquire(*arguments)
        ended.append(begin(sqlite.close))
        take_freed_inodes(path)
        return held

    monkeypatch.setattr(lock, "acquire", late)
    second = open_store(path)
    ended[0].result(PATIENCE)
    look_around(path)
    assert second.append(stream.id, 2, events(1)).result().versions == (3,)
    look_around(path)
    second.close()
    assert not list(path.parent.glob("book.db-*"))


def test_closing_store_admits_others(path, sqlite):
    match(sqlite, 2)
    looked: list[Future[object]] = []
    call_at_end(sqlite, lambda: looked.append(begin(lambda: look_around(path))))
    sqlite.close()
    looked[0].result(PATIENCE)


def test_store_opened_during_an_inspection_admits_others(path, sqlite, monkeypatch):
    match(sqlite, 2)
    compare = lock._contradiction
    ended: list[Future[Any]] = []

    def late(*arguments: Any) -> str | None:
        monkeypatch.undo()
        ended.append(begin(sqlite.close))
        take_freed_inodes(path)
        ended.append(begin(lambda: open_store(path)))
        return compare(*arguments)

    monkeypatch.setattr(lock, "_contradiction", late)
    lock.check(path)
    ended[0].result(PATIENCE)
    second = ended[1].result(PATIENCE)
    look_around(path)
    second.close()


def test_gate_admits_one_program_at_a_time(path):
    with lock.gate(path):
        for _ in range(2):
            with pytest.raises(StoreError, match="try again"), lock.gate(path, patience=0):
                pass
    with lock.gate(path, patience=0):
        pass
    assert list(path.parent.iterdir()) == []


def test_gate_of_a_killed_program_is_free(path):
    left = Path(f"{path}-gate")
    left.touch()
    open_store(path).close()
    assert not left.exists()


def test_closing_store_waits_for_the_gate(path, sqlite):
    match(sqlite, 1)
    with lock.gate(path):
        ending = begin(sqlite.close)
        assert Path(f"{path}-wal").exists()
    ending.result(PATIENCE)
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_checkup_reports_a_closed_gate(path, sqlite, monkeypatch):
    match(sqlite, 1)
    with lock.gate(path):
        monkeypatch.setattr(lock, "gate", partial(lock.gate, patience=0))
        verdict, told = identity(path)
    assert (verdict, "being opened or restored" in told) == ("fault", True)
