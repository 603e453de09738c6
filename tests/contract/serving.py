"""A real server process over a book of its own, with no limits to how much is asked of it."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import httpx

ROOT = Path(__file__).parents[2]
UNLIMITED = ("--requests-per-minute=0", "--matches-per-hour=0", "--events-per-match=0")


class Opened(NamedTuple):
    """A match, and the headers of its host and of its seats."""

    id: str
    host: dict[str, str]
    seats: dict[str, dict[str, str]]


class Server(NamedTuple):
    """The address of a server, a client that keeps its connection, its log and its process."""

    url: str
    client: httpx.Client
    log: Path
    pid: int

    def open(self, game: str, **body: Any) -> Opened:
        """Open a match."""
        answer = self.client.post("/matches", json={"game": game, **body})
        assert answer.status_code == 201, answer.text
        tokens = answer.json()["tokens"]
        seats = {seat: bearer(token) for seat, token in tokens["seats"].items()}
        return Opened(answer.json()["match"], bearer(tokens["host"]), seats)


def bearer(token: str) -> dict[str, str]:
    """Return the header that a token goes into."""
    return {"Authorization": f"Bearer {token}"}


@contextlib.contextmanager
def served(folder: Path, *path: str) -> Iterator[Server]:
    """Serve a new book in a folder; what is in the folders of `path` can be imported there."""
    log = folder / "server.log"
    command = [sys.executable, "-m", "cli", "serve", "--port", "0", *UNLIMITED]
    environment = os.environ | {
        "PYTHONUNBUFFERED": "1",
        "PYTHONPATH": os.pathsep.join((str(ROOT), *path)),
    }
    with log.open("wb") as errors:
        process = subprocess.Popen(
            [*command, "--db", str(folder / "book.db")],
            stdout=subprocess.PIPE,
            stderr=errors,
            env=environment,
            text=True,
        )
    assert process.stdout is not None
    try:
        found = re.search(r"http://[\d.]+:\d+", process.stdout.readline())
        assert found is not None, log.read_text()
        with httpx.Client(base_url=found[0], timeout=30) as client:
            yield Server(found[0], client, log, process.pid)
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(timeout=20)
        process.stdout.close()
