"""Killed worker processes: each request is answered or refused with 503, and none fails."""

from __future__ import annotations

import os
import random
import signal
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Final

import httpx
import pytest

from faults.server import sleep
from tests.service.workers.processes import LONG, Server, needs_proc
from tests.waiting import PATIENCE

pytest.importorskip("resvg_py")
pytestmark = [needs_proc, pytest.mark.slow, pytest.mark.faults]

CLIENTS: Final = 6
MAX_INTERVAL: Final = 1.0
"""The most seconds between two kills."""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    running = Server(tmp_path / "book.db", "--workers", "2")
    yield running
    running.kill()


class Reader(threading.Thread):
    """Asks for expensive work, never the same twice, until it is stopped."""

    numbers = count()

    def __init__(self, server: Server, path: str, stopping: threading.Event) -> None:
        super().__init__(daemon=True)
        self.url, self.path, self.stopping = server.url, path, stopping
        self.statuses: Counter[int] = Counter()

    def run(self) -> None:
        with httpx.Client(base_url=self.url, timeout=PATIENCE) as client:
            while not self.stopping.is_set():
                plies, first = divmod(next(self.numbers), LONG)
                shown = f"from={first}&to={min(first + plies % LONG, LONG)}"
                answer = client.get(f"{self.path}&{shown}")
                self.statuses[answer.status_code] += 1
                if answer.status_code == 503:
                    assert int(answer.headers["retry-after"]) > 0


def test_killed_worker_never_causes_a_500(server, budget, figures):
    path = server.long()
    stopping, killed, chance = threading.Event(), 0, random.Random(7)
    readers = [Reader(server, path, stopping) for _ in range(CLIENTS)]
    for reader in readers:
        reader.start()
    while budget.left > 0:
        sleep(chance.uniform(0, MAX_INTERVAL))
        for worker in chance.sample(server.workers(), min(1, len(server.workers()))):
            with suppress(ProcessLookupError):
                os.kill(worker, signal.SIGKILL)
                killed += 1
    stopping.set()
    for reader in readers:
        reader.join()
    statuses = sum((reader.statuses for reader in readers), Counter[int]())
    others = statuses.total() - statuses[200] - statuses[503]
    calm = server.client.get(path.replace("gif", "archive")).status_code
    figures(
        "killed workers",
        killed=killed,
        answered=statuses[200],
        told_to_come_back=statuses[503],
        answered_otherwise=others,
    )
    log = server.log.read_text()
    assert (others, calm, "Traceback" in log) == (0, 200, False)
    assert killed
    assert statuses[200]
    assert all("was ended by SIGKILL" in line for line in log.splitlines())
