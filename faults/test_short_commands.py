"""Short commands run together with a server that restarts: none is refused."""

from __future__ import annotations

import io
import multiprocessing
import signal
import subprocess
import sys
import threading
from concurrent.futures import ProcessPoolExecutor
from contextlib import redirect_stderr, redirect_stdout
from random import Random
from typing import Final, NamedTuple

import pytest

from cli import main
from faults.server import NotStarted, Server, sleep
from faults.verification import complaints

pytestmark = [pytest.mark.slow, pytest.mark.faults]

WORKERS: Final = 6
ROUNDS: Final = 5
"""The rounds of commands that a worker runs on one match."""
HOWS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGKILL)
ROUND: Final = (
    ("play", "{match}", "M@c1", "S@c6"),
    ("list", "--limit=3"),
    ("tag", "{match}", "Event=Evening"),
    ("show", "{match}"),
    ("annotate", "{match}", "a comment"),
    ("takeback", "{match}@0"),
    ("find", "comment", "--limit=3"),
    ("log", "{match}"),
    ("backup", "{copy}", "--force"),
    ("doctor",),
)
"""Commands that open the book, for writing and for reading, and two that inspect it."""


class Ended(NamedTuple):
    arguments: tuple[str, ...]
    status: int
    output: str
    complaint: str


def test_no_short_command_is_refused(tmp_path, budget, figures):
    book, server = tmp_path / "book.db", Server(tmp_path / "book.db")
    ended, over = list[Ended](), threading.Event()
    with ProcessPoolExecutor(WORKERS, multiprocessing.get_context("spawn")) as pool:
        workers = [pool.submit(run_round, str(book), each) for each in range(WORKERS)]
        restarting = threading.Thread(target=restart, args=(server, over, starts := list[str]()))
        restarting.start()
        try:
            while workers:
                ended += workers.pop(0).result()
                if budget.left > 0:
                    workers.append(pool.submit(run_round, str(book), len(ended)))
        finally:
            over.set()
            restarting.join()
    refused = [each for each in ended if each.status]
    not_started = [each for each in starts if each]
    found = list(complaints(book))
    figures(
        "short commands",
        commands=len(ended),
        refused=len(refused),
        starts_of_the_server=len(starts),
        refused_starts=len(not_started),
        complaints=len(found),
    )
    assert not refused
    assert not not_started
    assert not found


def restart(server: Server, over: threading.Event, starts: list[str]) -> None:
    """Start and stop the server until it is over, and note why it did not start."""
    rng = Random(len(str(server.database)))
    while not over.is_set():
        try:
            server.start()
            starts.append("")
        except NotStarted as reason:
            starts.append(str(reason))
        sleep(rng.uniform(0, 1))
        server.stop(rng.choice(HOWS))


def run_round(book: str, seed: int) -> list[Ended]:
    """Open a match and run commands on it, a few of them as processes of their own."""
    rng = Random(seed)
    opened = run(rng, "new", "poptrix", f"--db={book}")
    ended, place = [opened], {"match": opened.output.strip(), "copy": f"{book}.{seed}.copy"}
    for _ in range(ROUNDS if not opened.status else 0):
        for arguments in ROUND:
            filled = (each.format_map(place) for each in arguments)
            ended.append(run(rng, *filled, f"--db={book}"))
    return ended


def run(rng: Random, *arguments: str) -> Ended:
    if rng.random() < 1 / 30:
        done = subprocess.run(
            [sys.executable, "-m", "cli", *arguments], capture_output=True, text=True, check=False
        )
        return Ended(arguments, done.returncode, done.stdout, done.stderr)
    output, complaint = io.TextIOWrapper(io.BytesIO(), write_through=True), io.StringIO()
    with redirect_stdout(output), redirect_stderr(complaint), pytest.raises(SystemExit) as left:
        main(arguments)
    output.seek(0)
    return Ended(arguments, int(left.value.code or 0), output.read(), complaint.getvalue())
