"""A server stops with a message when its database file is changed, and loses no answered event."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from replay.store import open_store
from tests.contract.server import OpenedMatch, Server, run_server

TURNS = ["M@c1", "S@c6", "c1>L@c3"]


def swap(book: Path) -> None:
    other = book.with_name("other.db")
    open_store(other).close()
    other.replace(book)


CHANGES: dict[str, Callable[[Path], object]] = {
    "replaced": swap,
    "removed": Path.unlink,
    "log removed": lambda book: book.with_name("book.db-wal").unlink(),
    "index removed": lambda book: book.with_name("book.db-shm").unlink(),
}


def enter(server: Server, match: OpenedMatch, token: str) -> int:
    body = {"events": [{"text": token}]}
    answer = server.client.post(f"/matches/{match.id}/events", json=body, headers=match.host)
    if answer.status_code == 503:
        assert answer.headers["content-type"] == "application/problem+json"
        assert int(answer.headers["Retry-After"]) > 0
        assert "restarted" in answer.json()["detail"]
        assert "book.db" not in answer.text
    return answer.status_code


changes = pytest.mark.parametrize(
    "change",
    [
        CHANGES["replaced"],
        *(pytest.param(change, marks=pytest.mark.slow) for change in list(CHANGES.values())[1:]),
    ],
    ids=CHANGES,
)


@changes
def test_server_stops_when_its_file_is_changed(tmp_path, change):
    book = tmp_path / "book.db"
    with run_server(tmp_path) as server:
        match = server.open("poptrix")
        assert enter(server, match, TURNS[0]) == 200
        assert enter(server, match, TURNS[1]) == 200
        kept = tmp_path / "kept.db"
        kept.hardlink_to(book)
        change(book)
        assert [enter(server, match, TURNS[2]) for _ in range(5)] == [503] * 5
        assert server.client.get(f"/matches/{match.id}").status_code == 503
        page = server.client.get(f"/m/{match.id}", headers={"Accept": "text/html"})
        assert (page.status_code, "restarted" in page.text) == (503, True)
        ready = server.client.get("/readyz")
        assert (ready.status_code, "restarted" in ready.json()["detail"]) == (503, True)
        assert server.client.get("/healthz").status_code == 200
        told = subprocess.run(
            [sys.executable, "-m", "cli", "list", "--db", str(book)], capture_output=True, text=True
        )
        assert (told.returncode, "another program" in told.stderr) == (1, True)
    log = server.log.read_text()
    assert log.count("while it was in use") == 1, log
    assert "Traceback" not in log
    check = sqlite3.connect(kept)
    assert check.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    check.close()
    if book.exists():
        open_store(book).close()
    store = open_store(kept)
    assert store.find(match.id).head == 2
    store.close()


@changes
def test_readiness_check_finds_changed_file(tmp_path, change):
    with run_server(tmp_path) as server:
        assert server.client.get("/games").status_code == 200
        change(tmp_path / "book.db")
        assert server.client.get("/readyz").status_code == 503
