"""Under a long mixed load a server's memory, descriptors, threads and log do not grow."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from statistics import median
from typing import Final, NamedTuple

import pytest

from faults.client import Client, Unanswered
from faults.followers import following
from faults.ledger import Ledger
from faults.players import Player, playing
from faults.server import Server, sleep

pytestmark = [pytest.mark.slow, pytest.mark.faults]

PLAYERS: Final = 3
MOVE_INTERVAL: Final = 0.05
"""Seconds between two events of a player, so an hour's book stays small."""
INTERVAL: Final = 0.5
"""Seconds between two samples."""
PATHS: Final = (
    "/",
    "/library",
    "/library/stats",
    "/m/{match}",
    "/m/{match}/replay",
    "/m/{match}/share",
    "/matches/{match}",
    "/matches/{match}/legal",
    "/matches/{match}/verify",
    "/matches/{match}/record?format=ply",
    "/matches/{match}/record?format=html",
    "/matches/{match}/record?format=sheet",
    "/matches/{match}/record?format=archive",
    "/stats",
    "/metrics",
)
"""The paths to read, in turn."""
RECORD: Final = Path("fixtures/poptrix/commented.ply").read_bytes()
MEGABYTE: Final = 1024 * 1024


class Sample(NamedTuple):
    """The use of memory, descriptors and threads at a moment."""

    memory: int
    descriptors: int
    threads: int
    log: int


ROOM: Final = Sample(memory=256 * MEGABYTE, descriptors=32, threads=16, log=16 * MEGABYTE)
"""The largest acceptable growth from early to late.

The cache of 256 matches fills in the first minutes, which takes up to 200 MB for long matches; then
memory stays.
"""


def test_server_under_load_leaks_nothing(tmp_path, budget, figures):
    server, ledger, samples = Server(tmp_path / "book.db"), Ledger(), list[Sample]()
    server.start()
    try:
        with (
            playing(server, ledger, PLAYERS, pause=MOVE_INTERVAL) as players,
            following(server, ledger, players),
            reading(server, players) as reader,
        ):
            while budget.left > 0:
                sleep(INTERVAL)
                samples.append(sample(server))
    finally:
        server.stop()
    early, late = quarter(samples, 1), quarter(samples, 3)
    figures(
        "soak",
        acknowledged=len(ledger),
        pages_and_exports=reader.answered,
        memory_MB=f"{early.memory // MEGABYTE} -> {late.memory // MEGABYTE}",
        descriptors=f"{early.descriptors} -> {late.descriptors}",
        threads=f"{early.threads} -> {late.threads}",
        log_kB=f"{early.log // 1024} -> {late.log // 1024}",
    )
    assert not server.log.read_text()
    for name, before, after, room in zip(Sample._fields, early, late, ROOM, strict=True):
        assert after <= before * 1.25 + room, name


class Reader(threading.Thread):
    """Asks for pages and exports, and imports records, until it is stopped."""

    def __init__(self, server: Server, players: Sequence[Player]) -> None:
        super().__init__(name="reader", daemon=True)
        self.stopping = threading.Event()
        self.answered = 0
        self.trouble: BaseException | None = None
        self._client = Client(server, self.stopping)
        self._players = players

    def run(self) -> None:
        try:
            for number in itertools.count():
                self._ask(number)
                self.answered += 1
                self.stopping.wait(MOVE_INTERVAL)
        except Unanswered:
            pass
        except BaseException as error:
            self.trouble = error
        finally:
            self._client.close()

    def _ask(self, number: int) -> None:
        """Read the next path about a current match; after each round import a record."""
        match = self._players[number % len(self._players)].current
        path = PATHS[number % len(PATHS)].format(match=match)
        if match is not None or "{match}" not in PATHS[number % len(PATHS)]:
            answer = self._client.ask("GET", path)
            assert answer.status == 200, (path, answer)
        if number % len(PATHS) == 0:
            answer = self._client.ask("POST", "/records", RECORD)
            assert answer.status == 201, answer


@contextmanager
def reading(server: Server, players: Sequence[Player]) -> Iterator[Reader]:
    """Read during the block. Raises the error of a reader."""
    reader = Reader(server, players)
    reader.start()
    try:
        yield reader
    finally:
        reader.stopping.set()
        reader.join()
    if reader.trouble is not None:
        raise reader.trouble


def sample(server: Server) -> Sample:
    log = Path(f"{server.database}-wal")
    parts = [used(pid) for pid in family(server.pid)]
    memory, descriptors, threads = map(sum, zip(*parts, strict=True))
    return Sample(memory, descriptors, threads, log.stat().st_size if log.exists() else 0)


def used(pid: int) -> tuple[int, int, int]:
    """Return memory in bytes, descriptors and threads of a process: zeros if it has ended."""
    process = Path(f"/proc/{pid}")
    try:
        lines = (process / "status").read_text().splitlines()
        status = dict(line.split(":\t", 1) for line in lines)
        descriptors = len(list((process / "fd").iterdir()))
        return int(status["VmRSS"].split()[0]) * 1024, descriptors, int(status["Threads"])
    except (OSError, KeyError):
        return 0, 0, 0


def family(pid: int) -> Iterator[int]:
    """Yield a process and its descendants."""
    yield pid
    with suppress(OSError):
        for thread in Path(f"/proc/{pid}/task").iterdir():
            for child in (thread / "children").read_text().split():
                yield from family(int(child))


def quarter(samples: Sequence[Sample], number: int) -> Sample:
    """Return the medians of a quarter of the samples, counted from 0."""
    size = max(len(samples) // 4, 1)
    part = samples[number * size : (number + 1) * size] or samples[-1:]
    return Sample(*(int(median(values)) for values in zip(*part, strict=True)))
