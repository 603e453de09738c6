"""A server process to test from outside, and commands on its book."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

from tests.waiting import PATIENCE

SERVE = ["-m", "cli"]


def plybook(db: Path, *arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "cli", "--db", str(db), *arguments],
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
    )


class Living:
    def __init__(self, folder: Path, *options: str, command: Sequence[str] = SERVE) -> None:
        self.db, self.log = folder / "book.db", folder / "server.log"
        with self.log.open("wb") as errors:
            self.process = subprocess.Popen(
                [sys.executable, *command, "serve", "--port=0", f"--db={self.db}", *options],
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                env=os.environ | {"PYTHONUNBUFFERED": "1"},
            )
        assert self.process.stdout is not None
        self.first_line = self.process.stdout.readline()
        found = re.search(r"http://([\d.]+:\d+)", self.first_line)
        if found is None:
            self.process.kill()
            self.process.communicate()
            raise AssertionError(self.log.read_text())
        self.client = httpx.Client(base_url=found[0], timeout=PATIENCE)

    def open(self, **body: Any) -> tuple[str, dict[str, str]]:
        answer = self.client.post("/matches", json={"game": "poptrix", **body}).json()
        return answer["match"], {"Authorization": f"Bearer {answer['tokens']['host']}"}

    def play(self, match: str, host: dict[str, str], token: str, **body: Any) -> httpx.Response:
        body["events"] = [{"text": token}]
        return self.client.post(f"/matches/{match}/events", json=body, headers=host)

    @contextmanager
    def follow(self, match: str) -> Iterator[Iterator[dict[str, Any]]]:
        url = f"/matches/{match}/stream?after=0"
        with self.client.stream("GET", url) as answer:
            assert answer.status_code == 200
            yield (json.loads(line[6:]) for line in answer.iter_lines() if line[:6] == "data: ")

    def end(self, how: signal.Signals = signal.SIGINT) -> int:
        self.process.send_signal(how)
        return self.wait()

    def close(self) -> None:
        """Release everything, also of a server that still runs."""
        if self.process.poll() is None:
            self.process.kill()
        self.wait()

    def wait(self) -> int:
        code = self.process.wait(timeout=PATIENCE)
        self.client.close()
        assert self.process.stdout is not None
        self.process.stdout.close()
        return code
