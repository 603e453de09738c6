"""A real server with worker processes, and their state in /proc."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import httpx
import pytest

from bench.load.servers import cpu_of
from tests.paths import ROOT
from tests.waiting import PATIENCE, eventually

needs_proc = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="there is no /proc")

LONG = 200
"""The plies of an animation that takes a second: the most it may have."""
AT_WORK = 0.1
"""Seconds of CPU time after which a worker is at an animation, which takes ten times as long."""


class Server:
    """`plybook serve` in its own process, on a free port, with its log in the book's folder."""

    def __init__(
        self,
        db: Path,
        *settings: str,
        command: Sequence[str] = ("-m", "cli"),
        folder: Path | None = None,
    ) -> None:
        limits = ("--requests-per-minute", "0", "--matches-per-hour", "0", *settings)
        self.log = db.with_suffix(".log")
        with self.log.open("wb") as errors:
            self.process = subprocess.Popen(
                [sys.executable, *command, "--db", str(db), "serve", "--port", "0", *limits],
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                cwd=folder,
                env=os.environ | {"PYTHONUNBUFFERED": "1", "PYTHONPATH": str(ROOT)},
            )
        assert self.process.stdout is not None
        found = re.search(r"http://[\d.]+:\d+", self.process.stdout.readline())
        assert found is not None
        self.url = found[0]
        self.client = httpx.Client(base_url=self.url, timeout=PATIENCE)

    def workers(self) -> list[int]:
        """Return the ids of the worker processes."""
        threads = Path(f"/proc/{self.process.pid}/task").glob("*/children")
        return [int(each) for thread in threads for each in thread.read_text().split()]

    def open(self, game: str) -> tuple[str, dict[str, str]]:
        answer = self.client.post("/matches", json={"game": game}).json()
        return answer["match"], {"Authorization": f"Bearer {answer['tokens']['host']}"}

    def play(self, match: str, host: dict[str, str], *tokens: str) -> None:
        events = {"events": [{"text": token} for token in tokens]}
        answer = self.client.post(f"/matches/{match}/events", json=events, headers=host)
        assert answer.status_code == 200, answer.text

    def long(self) -> str:
        """Return the path of an animation that takes seconds."""
        match, host = self.open("blockade")
        for _ in range(LONG // 2):
            self.play(match, host, "1:offer-draw", "2:decline-draw")
        return f"/matches/{match}/record?format=gif"

    def kill(self) -> None:
        if self.process.poll() is None:
            self.stop(signal.SIGTERM)

    def stop(self, how: signal.Signals) -> None:
        self.client.close()
        self.process.send_signal(how)
        self.process.wait(timeout=PATIENCE)
        assert self.process.stdout is not None
        self.process.stdout.close()


def is_gone(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except (FileNotFoundError, ProcessLookupError):
        return True


def is_busy(pid: int) -> bool:
    """Return whether a worker is at work: it is nice then."""
    return os.getpriority(os.PRIO_PROCESS, pid) > os.getpriority(os.PRIO_PROCESS, 0)


def leave(server: Server, paths: Sequence[str]) -> list[int]:
    """Ask for animations and leave once workers are at them; wait until these were ended.

    The workers are stopped meanwhile: work that is soon finished is not ended.
    """
    before = {each: cpu_of(each) for each in server.workers()}
    address = httpx.URL(server.url)
    host = f"{address.host}:{address.port}"
    clients = [socket.create_connection((address.host, address.port)) for _ in paths]
    for client, path in zip(clients, paths, strict=True):
        client.sendall(f"GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())

    def at_work() -> list[int]:
        return [
            each
            for each in filter(is_busy, server.workers())
            if cpu_of(each) > before.get(each, 0) + AT_WORK
        ]

    busy = eventually(at_work)
    for each in busy:
        os.kill(each, signal.SIGSTOP)
    for client in clients:
        client.close()
    eventually(lambda: all(map(is_gone, busy)))
    return busy
