"""A database that cannot be read is 503 for everybody, and one line of the log."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from replay.store.sqlite.driver import sqlite3, translate_error
from service.http import logs
from tests.service.conftest import serve

GETS = ("/", "/matches", "/library", "/changes", "/archive", "/matches/abc", "/m/abc", "/mine")


def unreadable(*_, **__):
    """Fail as SQLite does if the disk does not answer: it calls that corruption."""
    error = sqlite3.DatabaseError("database disk image is malformed")
    error.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
    raise translate_error(error, Path("book.db"))


def test_failing_disk_is_503_and_one_line(caplog, monkeypatch):
    monkeypatch.setattr(logs, "CAUSES", logs.Causes())
    with serve() as api, caplog.at_level(logging.ERROR):
        match = api.open()
        monkeypatch.setattr(type(api.book.store), "_query", unreadable)
        monkeypatch.setattr(type(api.book.store), "data_version", unreadable)
        read = [api.get(path).status_code for path in GETS]
        written = api.play(match.id, match.host, "M@c1")
    assert set(read) - {200} == {503}
    assert read.count(503) >= 6
    assert written.status_code in (200, 503)
    assert len([each for each in caplog.records if each.name == "plybook.service"]) == 1


@pytest.mark.parametrize("name", ["SQLITE_CORRUPT", "SQLITE_NOTADB", "SQLITE_IOERR"])
def test_reason_names_no_path(name):
    error = sqlite3.DatabaseError("something")
    error.sqlite_errorcode = getattr(sqlite3, name)
    told = translate_error(error, Path("/home/ann/book.db"))
    assert (told.code, "/home" in told.reason) == ("store-unavailable", False)
