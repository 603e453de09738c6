"""Moves stay fast while eight clients ask for pictures, pages and checks of long records."""

from __future__ import annotations

import os
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path
from statistics import median
from time import perf_counter, sleep

import httpx
import pytest

from tests.service.workers.processes import LONG, Server, is_busy, leave, needs_proc
from tests.waiting import PATIENCE, eventually

pytest.importorskip("resvg_py")
pytestmark = [needs_proc, pytest.mark.slow]

SECONDS = 16.0
"""Seconds of timed moves."""
MOVES = 200
"""The number of moves of a match."""
MAX_SLOWDOWN = 2.5
"""The median of a server with expensive work, in that of one without on the same machine."""
MEMORY = 1500
"""The limit of megabytes for the server and its workers."""
RECORD = 1024 * 1000
"""The size of the refereed records in bytes, a little below the limit of a body."""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    running = Server(tmp_path / "book.db", "--workers", "0")
    yield running
    running.kill()


@pytest.fixture
def other(tmp_path: Path) -> Iterator[Server]:
    running = Server(tmp_path / "other.db")
    yield running
    running.kill()


def moves(servers: Sequence[Server], seconds: float) -> list[list[float]]:
    """Play at servers in turn for a while; return the milliseconds of the moves of each."""
    took: list[list[float]] = [[] for _ in servers]
    end = perf_counter() + seconds
    while perf_counter() < end:
        matches = [server.open("poptrix") for server in servers]
        for ply in range(MOVES):
            token = "2:decline-draw" if ply % 2 else "1:offer-draw"
            for server, match, times in zip(servers, matches, took, strict=True):
                start = perf_counter()
                server.play(*match, token)
                times.append((perf_counter() - start) * 1000)
    return took


class Load:
    """Eight clients that ask for expensive work, never the same twice."""

    def __init__(self, server: Server) -> None:
        self.url = server.url
        self.path = server.long()
        self.record = Path("fixtures/power-play/games.ply").read_bytes()
        self.statuses: Counter[int] = Counter()
        self.ended = threading.Event()
        self.numbers = count()
        kinds = (*(self.animation,) * 3, *(self.page,) * 2, *(self.check,) * 3)
        self.clients = [threading.Thread(target=self.ask, args=(kind,)) for kind in kinds]

    def ask(self, kind) -> None:
        with httpx.Client(base_url=self.url, timeout=PATIENCE) as client:
            while not self.ended.is_set():
                self.statuses[kind(client).status_code] += 1

    def animation(self, client: httpx.Client) -> httpx.Response:
        first = next(self.numbers) % (LONG // 2)
        return client.get(f"{self.path}&from={first}&to={first + LONG // 4}")

    def page(self, client: httpx.Client) -> httpx.Response:
        ply = next(self.numbers) % LONG
        return client.get(f"{self.path.replace('gif', 'html')}&ply={ply}")

    def check(self, client: httpx.Client) -> httpx.Response:
        # Two copies would hold more events than may be imported at once.
        body = self.record + b";" + str(next(self.numbers)).encode()
        body += b"\n;" + b"x" * (RECORD - len(body))
        headers = {"Content-Type": "text/plain"}
        return client.post("/records/check", content=body, headers=headers)

    def __enter__(self) -> Load:
        for client in self.clients:
            client.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.ended.set()
        for client in self.clients:
            client.join()


class Watch(threading.Thread):
    """Samples the memory of a server and its workers in megabytes, and keeps the maximum."""

    def __init__(self, server: Server) -> None:
        super().__init__()
        self.server = server
        self.ended = threading.Event()
        self.most = 0.0

    def run(self) -> None:
        while not self.ended.is_set():
            processes = [self.server.process.pid, *self.server.workers()]
            self.most = max(self.most, sum(map(resident, processes)))
            sleep(0.1)

    def __enter__(self) -> Watch:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.ended.set()
        self.join()


def resident(pid: int) -> float:
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except (FileNotFoundError, ProcessLookupError):
        return 0.0
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


@pytest.mark.skipif((os.cpu_count() or 1) < 2, reason="there is no processor beside the server's")
def test_moves_continue_during_expensive_requests(server, other, capsys):
    load = Load(server)
    with Watch(server) as watch:
        with load:
            eventually(lambda: any(map(is_busy, server.workers())))
            loaded, alone = moves((server, other), SECONDS)
        ended = len(leave(server, [f"{load.path}&from={first}" for first in range(8)]))
    times = median(loaded) / median(alone)
    statuses = ", ".join(f"{number} × {status}" for status, number in sorted(load.statuses.items()))
    with capsys.disabled():
        print(
            f"\nexpensive work: a move takes {median(loaded):.1f} ms under 8 clients,"
            f" {times:.1f} times as long as at a server beside; they were answered {statuses};"
            f" {watch.most:.0f} MB at most; {ended} workers ended whose clients had left"
        )
    assert set(load.statuses) <= {200, 503}
    assert load.statuses[200]
    assert times < MAX_SLOWDOWN
    assert watch.most < MEMORY
