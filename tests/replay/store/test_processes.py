"""Several processes on one file, and a process that is killed while it writes."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import pytest

from replay.store import open_store
from replay.store.stream_verification import verify_chain
from tests.replay.store.streams import match
from tests.waiting import PATIENCE

WRITING = """
import itertools, sys
from pathlib import Path
from replay.store import open_store
from replay.store.types import NewEvent

store = open_store(Path(sys.argv[1]))
stream = store.find("kqzw").id
number = itertools.count(1)

def event():
    return NewEvent(next(number).to_bytes(16), "moved", "seat 1", 0, b"{}")

def answered(future):
    print(future.result().versions[0], flush=True)

for version in itertools.count(0, 5):
    group = [store.append(stream, version + more, [event()]) for more in range(5)]
    for future in group:
        answered(future)
"""

RACING = """
import os, sys
from pathlib import Path
from replay.errors import Stale
from replay.store import open_store
from replay.store.types import NewEvent

store = open_store(Path(sys.argv[1]))
stream = store.find("kqzw").id
while (head := store.stream(stream).head) < int(sys.argv[2]):
    event = NewEvent(os.urandom(16), "moved", sys.argv[3], 0, b"{}")
    try:
        print(store.append(stream, head, [event]).result().versions[0])
    except Stale:
        pass
store.close()
"""


@pytest.fixture
def stored(path: Path) -> Path:
    store = open_store(path)
    match(store, 0, "kqzw")
    store.close()
    return path


@pytest.mark.parametrize("lines", random.Random(3).sample(range(1, 120), 3))
def test_killed_process_loses_no_acknowledged_event(opened, stored, lines):
    process = subprocess.Popen(
        [sys.executable, "-c", WRITING, str(stored)], stdout=subprocess.PIPE, text=True
    )
    with process:
        assert process.stdout is not None
        for _ in range(lines):
            process.stdout.readline()
        process.kill()
        process.stdout.read()
    store = opened(stored)
    stream = store.find("kqzw")
    events = store.read(stream.id)
    assert len(events) >= lines
    assert [each.id for each in events] == [n.to_bytes(16) for n in range(1, len(events) + 1)]
    assert verify_chain(store, stream.id) is None


def test_one_of_two_processes_wins_a_version(opened, stored):
    last = 150
    racing = [
        subprocess.Popen(
            [sys.executable, "-c", RACING, str(stored), str(last), f"seat {seat}"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for seat in (1, 2)
    ]
    won, complaints = zip(*(each.communicate(timeout=PATIENCE) for each in racing), strict=True)
    assert complaints == ("", "")
    versions = sorted(int(version) for output in won for version in output.split())
    store = opened(stored)
    stream = store.find("kqzw")
    actors = [each.actor for each in store.read(stream.id)]
    assert versions == list(range(1, len(actors) + 1))
    assert verify_chain(store, stream.id) is None
    for seat, output in enumerate(won, 1):
        assert all(actors[int(version) - 1] == f"seat {seat}" for version in output.split())
