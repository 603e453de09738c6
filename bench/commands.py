"""Run commands of `plybook` and take their times."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path
from time import perf_counter
from typing import Final, NamedTuple

from tests.paths import ROOT

AT_ONCE: Final = 1.3
"""The aim of 0.3 s for a command that answers at once, as a multiple of the time to start."""


class Ran(NamedTuple):
    """The wall time and the CPU time of a command, in seconds."""

    wall: float
    cpu: float


class CommandFailed(Exception):
    """Raised for a command with a nonzero exit status; the message is its last line."""


def run(database: Path | None, *arguments: str, timeout: float | None = None) -> Ran:
    """Run `plybook` on a database. Raises `CommandFailed`."""
    chosen = [] if database is None else ["--db", str(database)]
    before, start = _cpu(), perf_counter()
    ran = subprocess.run(
        [sys.executable, "-m", "cli", *chosen, *arguments],
        cwd=ROOT,
        capture_output=True,
        env=os.environ | {"PLYBOOK_DB": ""},
        timeout=timeout,
    )
    taken = Ran(perf_counter() - start, _cpu() - before)
    if ran.returncode:
        raise CommandFailed(f"plybook {arguments[0]}: {_last_line(ran.stderr)}")
    return taken


def start() -> float:
    """Return the wall time of `plybook --version`."""
    return run(None, "--version").wall


def _cpu() -> float:
    """Return the CPU time of the processes that this one started and that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _last_line(text: bytes) -> str:
    return (text.decode(errors="replace").strip().splitlines() or ["no words"])[-1]
