"""Another process that writes may end the epoch of an append."""

from __future__ import annotations

import subprocess
import sys

import pytest

from replay.errors import Outdated, Stale
from replay.store.sqlite.driver import Connection
from replay.store.stream_verification import verify_chain
from tests.replay.store.internals import submit
from tests.replay.store.streams import append, events, match

DIGEST = b"\1" * 32
TOKEN = ("host", None)

DROPPING = """
import sys
from pathlib import Path
from replay.store import open_store

store = open_store(Path(sys.argv[1]))
store.drop_key(store.find("kqzw").id, bytes.fromhex(sys.argv[2])).result()
store.close()
"""

APPENDING = """
import sys
from pathlib import Path
from replay.store import open_store
from replay.store.types import NewEvent

store = open_store(Path(sys.argv[1]))
stream = store.find("kqzw")
store.append(stream.id, stream.head, [NewEvent(bytes(15) + b"!", "moved", "1", 0, b"{}")]).result()
store.close()
"""


def test_revoked_token_of_another_process_ends_the_epoch(opened, path):
    store = opened(path)
    stream = match(store, 1, "kqzw")
    store.add_key(stream.id, DIGEST, *TOKEN).result()
    append(store, stream)
    epoch = store.epoch()
    assert store.key(stream.id, DIGEST) == TOKEN
    subprocess.run([sys.executable, "-c", DROPPING, str(path), DIGEST.hex()], check=True)
    with pytest.raises(Outdated):
        append(store, stream, epoch=epoch)
    assert store.key(stream.id, DIGEST) is None
    assert store.stream(stream.id).head == 2


def test_head_of_another_process_is_not_remembered(opened, path):
    store = opened(path)
    stream = match(store, 1, "kqzw")
    append(store, stream)
    subprocess.run([sys.executable, "-c", APPENDING, str(path)], check=True)
    with pytest.raises(Stale) as stale:
        store.append(stream.id, 2, events(1)).result()
    assert stale.value.current == 3
    assert store.append(stream.id, 3, events(1)).result().versions == (4,)
    assert verify_chain(store, stream.id) is None


def test_commit_of_the_same_store_keeps_the_epoch(opened, path):
    here, there = opened(path), opened(path)
    stream = match(here, 1)
    append(here, stream)
    epoch = here.epoch()
    for _ in range(3):
        append(here, stream, epoch=epoch)
    append(there, stream)
    with pytest.raises(Outdated):
        append(here, stream, epoch=epoch)


def test_head_of_a_rolled_back_append_is_forgotten(sqlite):
    stream = match(sqlite, 1)
    append(sqlite, stream)

    def fails(connection: Connection) -> None:
        connection.execute("ROLLBACK")
        raise RuntimeError

    first = sqlite.append(stream.id, 2, events(1))
    failed = submit(sqlite, fails)
    second = sqlite.append(stream.id, 3, events(1))
    assert (first.result().versions, second.result().versions) == ((3,), (4,))
    assert failed.exception() is not None
    assert verify_chain(sqlite, stream.id) is None
