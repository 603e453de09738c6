"""Run the load benchmark and print its results."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Final

from replay.store import open_store
from tests.bench.load import following, lengths, servers, throughput, wrk
from tests.bench.load.following import Followed
from tests.bench.load.lengths import Lengths
from tests.bench.load.servers import Refused
from tests.bench.load.throughput import Throughput

ROW: Final = "{:>11} {:>8} {:>8} {:>6} {:>5} {:>8} {:>8} {:>9} {:>9}  {}"
EXPLAINED: Final = """
Medians of {rounds} rounds of {seconds} seconds. "moves" are recorded moves of all games, each
refereed, and answered when it was on the disk (synchronous=FULL; an fsync of 4 kB takes
{fsync:.2f} ms here); "bare" is a Litestar endpoint that decodes the same bodies and stores nothing,
served alike, measured in turn. Both, and wrk, share {cores} processors. Times are milliseconds."""


def main(rounds: int, seconds: int) -> None:
    """Measure and print. Exit if wrk is missing or a request was refused."""
    if not wrk.there():
        sys.exit(wrk.MISSING)
    with tempfile.TemporaryDirectory() as folder:
        fsync = _fsync(Path(folder, "probe"))
        database = Path(folder, "load.db")
        try:
            with servers.plybook(database) as plybook, servers.bare() as bare:
                moved = throughput.measure(plybook, bare, rounds, seconds)
                grown = lengths.measure(plybook, rounds)
                followed = following.measure(plybook, seconds)
        except (Refused, OSError) as error:
            sys.exit(str(error))
        _check_stored(database, moved.answered)
    print(*_told(moved, grown, followed), sep="\n")
    print(
        EXPLAINED.format(rounds=rounds, seconds=seconds, fsync=fsync * 1000, cores=os.cpu_count())
    )


def _told(moved: Throughput, grown: Lengths, followed: Followed) -> Iterator[str]:
    yield ROW.format(
        "connections", "moves/s", "bare/s", "ratio", "aim", "p50", "p99", "bare p50", "bare p99", ""
    ).rstrip()
    for level in moved.levels:
        aim = throughput.AIMS.get(level.connections)
        yield ROW.format(
            level.connections,
            f"{level.moves:,.0f}",
            f"{level.bare:,.0f}",
            f"{level.ratio:.2f}",
            f"{aim:.1f}" if aim else "",
            *(f"{time:.2f}" for time in level[4:]),
            _verdict(level.ratio >= aim) if aim else "",
        ).rstrip()
    yield ""
    yield (
        f"move {lengths.EARLY} of a match: {grown.early:.2f} ms, move {lengths.LATE}: "
        f"{grown.late:.2f} ms, × {grown.ratio:.2f} (aim {lengths.AIM}) "
        f"{_verdict(grown.ratio <= lengths.AIM)}"
    )
    yield (
        f"{followed.streams:,} open streams: {followed.moves:,.0f} moves/s, {followed.told:,} "
        f"events came to their followers, {followed.p50:.1f} ms after the move was sent "
        f"(p99 {followed.p99:.1f} ms)"
    )


def _verdict(reached: bool) -> str:
    return "reached" if reached else "missed"


def _check_stored(database: Path, answered: int) -> None:
    """Exit if the database lacks an answered event."""
    with closing(open_store(database)) as store:
        stored = sum(stream.head for stream in store.matches())
    if stored < answered:
        sys.exit(f"{answered} moves were answered, and only {stored} are stored")


def _fsync(probe: Path) -> float:
    """Return the median time in seconds to make 4 kB durable."""
    times = []
    with probe.open("wb") as file:
        for _ in range(50):
            file.write(bytes(4096))
            file.flush()
            start = perf_counter()
            os.fsync(file.fileno())
            times.append(perf_counter() - start)
    return median(times)
