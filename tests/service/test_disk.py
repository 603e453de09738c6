"""A full or failing disk stops writing while it lasts, and loses nothing."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from replay.store import open_store
from tests.contract.server import OpenedMatch, Server, run_server
from tests.service.telemetry.test_metrics import counted
from tests.waiting import eventually

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="limits are set by prlimit")

TURNS = ["M@c1", "S@c6", "c1>L@c3", "c6>M@c4"]


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of a few megabytes."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=4m", "none", str(disk)]
    if os.geteuid() or subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("nothing can be mounted here")
    yield disk
    subprocess.run(["umount", "-l", str(disk)], check=True)


@contextmanager
def full(disk: Path) -> Iterator[None]:
    filler = disk / "filler"
    with filler.open("wb", buffering=0) as file:
        try:
            while file.write(bytes(4096)):
                pass
        except OSError:
            pass
    yield
    filler.unlink()


@contextmanager
def failing(server: Server, book: Path) -> Iterator[None]:
    """Prevent a database's log from growing, so writing fails as on a bad disk."""
    size = Path(f"{book}-wal").stat().st_size
    before = resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
    yield
    resource.prlimit(server.pid, resource.RLIMIT_FSIZE, before)


def enter(server: Server, match: OpenedMatch, token: str) -> httpx.Response:
    body = {"events": [{"text": token}]}
    return server.client.post(f"/matches/{match.id}/events", json=body, headers=match.host)


def assert_unavailable(server: Server, match: OpenedMatch, reason: str) -> None:
    for _ in range(5):
        answer = enter(server, match, TURNS[2])
        assert (answer.status_code, reason in answer.json()["detail"]) == (503, True), answer.text
        assert answer.headers["content-type"] == "application/problem+json"
        assert int(answer.headers["Retry-After"]) > 0
    time.sleep(1.1)  # the time for which an answer of /readyz is reused
    ready = server.client.get("/readyz")
    assert (ready.status_code, reason in ready.json()["detail"]) == (503, True), ready.text
    assert int(ready.headers["Retry-After"]) > 0
    assert server.client.get(f"/matches/{match.id}").json()["version"] == 2
    found = counted(server.client.get("/metrics").text)
    assert found["plybook_disk_errors_total",] >= 5
    assert found["plybook_wal_bytes",] > 0
    assert found["plybook_commit_seconds_count",] >= 3


def assert_recovered(server: Server, match: OpenedMatch) -> None:
    eventually(lambda: server.client.get("/readyz").status_code == 200)
    assert [enter(server, match, token).status_code for token in TURNS[2:]] == [200, 200]


def assert_logged_once(server: Server) -> None:
    log = server.log.read_text()
    assert "Traceback" not in log
    assert "File " not in log
    assert len(log.splitlines()) == 1, log


def test_failing_disk_is_503_until_it_works(tmp_path):
    book = tmp_path / "book.db"
    with run_server(tmp_path) as server:
        match = server.open("poptrix")
        assert [enter(server, match, token).status_code for token in TURNS[:2]] == [200, 200]
        with failing(server, book):
            assert_unavailable(server, match, "reading or writing it failed")
        assert_recovered(server, match)
    assert_logged_once(server)
    assert_whole(book, match)


def test_full_disk_is_503_until_there_is_room(tmp_path, disk):
    book = disk / "book.db"
    open_store(book).close()
    (tmp_path / "book.db").symlink_to(book)
    with run_server(tmp_path) as server:
        match = server.open("poptrix")
        assert [enter(server, match, token).status_code for token in TURNS[:2]] == [200, 200]
        with full(disk):
            assert_unavailable(server, match, "no space is left on its disk")
        assert_recovered(server, match)
    assert_logged_once(server)
    assert_whole(book, match)


def test_command_reports_full_disk_in_one_line(disk):
    book = disk / "book.db"
    store = open_store(book)
    store.close()
    command = [sys.executable, "-m", "cli", "new", "poptrix", "--db", str(book)]
    with full(disk):
        ran = subprocess.run(command, capture_output=True, text=True)
        assert (ran.returncode, ran.stdout) == (1, "")
        assert "no space is left on its disk" in ran.stderr
        assert len(ran.stderr.splitlines()) == 1
        elsewhere = subprocess.run(
            [*command[:-1], str(disk / "new.db")], capture_output=True, text=True
        )
        assert elsewhere.returncode == 1
        assert len(elsewhere.stderr.splitlines()) == 1
    assert subprocess.run(command, capture_output=True).returncode == 0


def test_command_reports_failing_disk_in_one_line(tmp_path):
    book = tmp_path / "book.db"
    open_store(book).close()
    ran = subprocess.run(
        [sys.executable, "-m", "cli", "new", "poptrix", "--db", str(book)],
        capture_output=True,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)),
    )
    assert (ran.returncode, ran.stdout) == (1, "")
    assert "reading or writing it failed" in ran.stderr
    assert len(ran.stderr.splitlines()) == 1
    store = open_store(book)
    assert list(store.matches()) == []
    store.close()


def assert_whole(book: Path, match: OpenedMatch) -> None:
    store = open_store(book)
    assert store.find(match.id).head == 4
    store.close()
    verify = [sys.executable, "-m", "cli", "verify", "--db", str(book)]
    assert subprocess.run(verify, capture_output=True).returncode == 0
