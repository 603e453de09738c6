"""Log lines have time and level, and errors that clients cause do not bury the others."""

from __future__ import annotations

import logging
import re
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import PIPE, Popen

import httpx

from service.http.logs import CONFIG, Seldom
from tests.waiting import PATIENCE

LINE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d{4} (WARNING|ERROR) [\w.]+: \S.*")


def record(name: str, words: str, *arguments: object) -> logging.LogRecord:
    return logging.LogRecord(name, logging.WARNING, "", 1, words, arguments, None)


def test_client_errors_are_logged_once_a_minute():
    time = [5.0]
    seldom = Seldom(lambda: time[0])
    through = [seldom.filter(record("uvicorn.error", "Invalid")) for _ in range(100)]
    assert through == [True] + [False] * 99
    assert seldom.filter(record("uvicorn.error", "another"))
    time[0] += 60
    late = record("uvicorn.error", "Invalid")
    assert seldom.filter(late)
    assert "99 more" in late.getMessage()


def test_server_faults_are_always_logged():
    seldom = Seldom(lambda: 1.0)
    assert all(seldom.filter(record("plybook.service", "%s", n)) for n in range(100))


def test_line_has_its_time_and_its_level():
    chosen = CONFIG["formatters"]["plain"]
    formatter = logging.Formatter(chosen["format"], chosen["datefmt"])
    assert LINE.fullmatch(formatter.format(record("plybook.service", "a fault")))


def free_port() -> int:
    with socket.socket() as there:
        there.bind(("127.0.0.1", 0))
        return int(there.getsockname()[1])


@contextmanager
def serving(folder: Path, *options: str) -> Iterator[str]:
    command = [sys.executable, "-m", "cli", "serve", "--port", "0", *options]
    with (folder / "log").open("wb") as log:
        process = Popen([*command, "--db", folder / "book.db"], stdout=PIPE, stderr=log, text=True)
    assert process.stdout is not None
    try:
        found = re.search(r"http://127\.0\.0\.1:\d+", process.stdout.readline())
        assert found is not None, (folder / "log").read_text()
        yield found[0]
    finally:
        process.terminate()
        process.wait(timeout=PATIENCE)
        process.stdout.close()


def test_broken_requests_leave_one_line(tmp_path):
    port = free_port()
    with serving(tmp_path, "--metrics-port", str(port)) as url:
        address = (httpx.URL(url).host, httpx.URL(url).port)
        for _ in range(50):
            with socket.create_connection(address, timeout=PATIENCE) as there:
                there.sendall(b"nonsense\r\n\r\n")
                assert b" 400 " in there.recv(1000)
        for _ in range(50):
            with socket.create_connection(address, timeout=PATIENCE) as there:
                there.sendall(
                    b"POST /matches HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
                    b"Content-Length: 100\r\n\r\n{"
                )
        assert httpx.get(f"{url}/metrics", timeout=PATIENCE).status_code == 404
        told = httpx.get(f"http://127.0.0.1:{port}/metrics", timeout=PATIENCE)
        assert told.status_code == 200
        assert 'status="5' not in told.text
    (line,) = (tmp_path / "log").read_text().splitlines()
    assert LINE.fullmatch(line)
