"""`plybook referee`: moves judged for another program over a pipe."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from time import perf_counter

from bench.games import record
from bench.load.servers import cpu_of
from bench.row import Figure, Row, Sample
from tests.paths import ROOT

COMMAND = (sys.executable, "-m", "cli", "referee")
Process = subprocess.Popen[bytes]
Send = Callable[[Process, Sequence[bytes]], None]


@dataclass(frozen=True)
class Refereeing(Row):
    """Recorded matches of Poptrix, played by one program over a pipe: moves per second from the
    first answer to the last. The program sends all at once, or each after the answer to the one
    before.
    """

    moves: int = 20_000

    @property
    def figures(self) -> Sequence[Figure]:
        return (
            Figure("moves judged over a pipe, sent at once", "/s", at_least=20_000),
            Figure("moves judged in a second of the referee's CPU", "/s"),
            Figure("moves judged over a pipe, one at a time", "/s"),
        )

    @contextmanager
    def prepared(self) -> Iterator[Sample]:
        matches = list(record("poptrix", self.moves))
        lines = [
            line
            for match in matches
            for line in (b"new poptrix\n", *(f"play {one.text}\n".encode() for one in match.moves))
        ]
        repeated = lines * -(-self.moves // len(lines))
        yield lambda: (*_speeds(repeated, _at_once), _speeds(lines, _one_by_one)[0])


def _speeds(lines: Sequence[bytes], send: Send) -> tuple[float, float]:
    """Return the lines answered per second, and per second of CPU; the start does not count."""
    with subprocess.Popen(
        COMMAND, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        _one_by_one(process, [b"new poptrix\n"])
        start, used = perf_counter(), cpu_of(process.pid)
        send(process, lines)
        count = len(lines)
        return count / (perf_counter() - start), count / (cpu_of(process.pid) - used)


def _at_once(process: Process, lines: Sequence[bytes]) -> None:
    writer = threading.Thread(target=_write, args=(process, lines))
    writer.start()
    for _ in lines:
        _read(process)
    writer.join()


def _one_by_one(process: Process, lines: Sequence[bytes]) -> None:
    for line in lines:
        _write(process, [line])
        _read(process)


def _write(process: Process, lines: Sequence[bytes]) -> None:
    assert process.stdin is not None
    process.stdin.writelines(lines)
    process.stdin.flush()


def _read(process: Process) -> None:
    assert process.stdout is not None
    assert process.stdout.readline().startswith(b'{"ok":true,')
