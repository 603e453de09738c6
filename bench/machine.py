"""Describe the machine that measures, without its name and paths."""

from __future__ import annotations

import os
import platform
import sqlite3
import tempfile
from datetime import date
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

from msgspec import Struct


class Machine(Struct, frozen=True):
    """The conditions of the figures. `fsync` is the time to make 4 kB durable, in milliseconds."""

    date: str
    commit: str
    processor: str
    cores: int
    memory: str
    kernel: str
    python: str
    sqlite: str
    file_system: str
    fsync: float
    load: str


def describe(commit: str) -> Machine:
    """Describe this machine now, and the file system on which the rows make their books."""
    with tempfile.TemporaryDirectory() as folder:
        return Machine(
            date.today().isoformat(),
            commit,
            _field(Path("/proc/cpuinfo"), "model name") or platform.processor(),
            os.cpu_count() or 1,
            f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 2**30:.0f} GiB",
            f"{platform.system()} {platform.release()}",
            f"{platform.python_implementation()} {platform.python_version()}",
            _sqlite().sqlite_version,
            _file_system(Path(folder)),
            round(_fsync(Path(folder, "probe")), 2),
            " ".join(f"{load:.1f}" for load in os.getloadavg()),
        )


def _sqlite() -> Any:
    """Return the library that the store uses: `pysqlite3` where it is installed."""
    try:
        import pysqlite3
    except ImportError:
        return sqlite3
    return pysqlite3


def _field(file: Path, name: str) -> str | None:
    lines = file.read_text().splitlines() if file.exists() else []
    return next((line.partition(":")[2].strip() for line in lines if line.startswith(name)), None)


def _file_system(folder: Path) -> str:
    """Return the type of the file system of a folder: that of the longest mount point above it."""
    mounts = Path("/proc/mounts")
    found = (
        [line.split()[1:3] for line in mounts.read_text().splitlines()] if mounts.exists() else []
    )
    above = [(place, kind) for place, kind in found if folder.resolve().is_relative_to(place)]
    return max(above, key=lambda mount: len(mount[0]), default=("", "unknown"))[1]


def _fsync(probe: Path) -> float:
    times = []
    with probe.open("wb") as file:
        for _ in range(50):
            file.write(bytes(4096))
            file.flush()
            start = perf_counter()
            os.fsync(file.fileno())
            times.append(perf_counter() - start)
    return median(times) * 1000
