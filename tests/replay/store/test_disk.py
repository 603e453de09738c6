"""A probe says whether a disk is full, read-only or broken."""

from __future__ import annotations

import errno
import os
import tempfile
from pathlib import Path

import pytest

from replay.errors import StoreError
from replay.store.sqlite import database_file
from replay.store.sqlite.driver import Connection, sqlite3
from tests.replay.store.internals import submit
from tests.replay.store.streams import match


class Observing:
    def __init__(self) -> None:
        self.commits = 0
        self.failures = 0

    def committed(self, seconds: float, writes: int = 1) -> None:
        assert seconds >= 0
        assert writes == 1
        self.commits += 1

    def failed(self) -> None:
        self.failures += 1


def test_probe_leaves_nothing_and_notifies_no_follower(path, sqlite):
    match(sqlite, 1)
    seen, files = sqlite.data_version(), sorted(path.parent.iterdir())
    sqlite.probe().result()
    assert sqlite.data_version() == seen
    assert sorted(path.parent.iterdir()) == files


@pytest.mark.parametrize(
    ("number", "reason"),
    [
        (errno.ENOSPC, "no space is left"), (errno.EDQUOT, "no space is left"),
        (errno.EROFS, "is read-only"), (errno.EACCES, "is read-only"),
        (errno.EIO, "failed"),
    ],
)  # fmt: skip
def test_probe_reports_a_failing_disk(path, sqlite, number, reason, monkeypatch):
    def fail(**_: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(tempfile, "TemporaryFile", fail)
    with pytest.raises(StoreError, match=os.strerror(number)) as told:
        sqlite.probe().result()
    assert reason in told.value.reason
    assert str(path) not in told.value.reason


def test_probe_after_a_failure_writes_to_the_database(sqlite):
    match(sqlite, 1)
    observing = Observing()
    sqlite.observe(observing)

    def fail(_: Connection) -> None:
        error = sqlite3.OperationalError("disk I/O error")
        error.sqlite_errorcode = sqlite3.SQLITE_IOERR
        raise error

    with pytest.raises(StoreError, match="disk I/O error"):
        submit(sqlite, fail).result()
    assert observing.failures == 1
    for changes in (True, False):
        seen = sqlite.data_version()
        sqlite.probe().result()
        assert (sqlite.data_version() != seen) == changes
    assert observing.commits == 3


def test_condition_has_log_size_and_free_disk_space(path, sqlite):
    match(sqlite, 1)
    found = sqlite.condition()
    assert found.log == Path(f"{path}-wal").stat().st_size > 0
    assert found.free > 0


def test_missing_disk_is_reported(tmp_path):
    with pytest.raises(StoreError):
        database_file.disk_condition(tmp_path / "gone" / "book.db")
