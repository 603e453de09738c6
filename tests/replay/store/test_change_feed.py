"""A follower of a store misses no change of any writer."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from replay.store import open_store
from replay.store.protocol import Store, Stream
from tests.replay.store.streams import events, match

APPENDING = """
import sys
from pathlib import Path
from replay.store import open_store
from replay.store.protocol import NewEvent

store = open_store(Path(sys.argv[1]))
stream = store.find("kqzw")
store.append(stream.id, stream.head, [NewEvent(bytes(15) + b"!", "moved", "1", 0, b"{}")]).result()
store.close()
"""


def append(store: Store, stream: Stream, count: int = 1) -> None:
    store.append(stream.id, store.stream(stream.id).head, events(count)).result()


def test_another_store_of_the_file_is_followed(path: Path) -> None:
    here, there = open_store(path), open_store(path)
    stream = match(here, 1)
    cursor, before = here.changes(None).cursor, here.data_version()
    assert there.changes(cursor) == here.changes(cursor)
    append(there, stream)
    assert here.changes(cursor).streams == {stream.id}
    assert here.data_version() != before
    here.close()
    there.close()


def test_another_process_is_followed(path: Path) -> None:
    store = open_store(path)
    stream = match(store, 2, "kqzw")
    cursor, before = store.changes(None).cursor, store.data_version()
    subprocess.run([sys.executable, "-c", APPENDING, str(path)], check=True)
    assert store.data_version() != before
    assert store.changes(cursor).streams == {stream.id}
    assert store.stream(stream.id).head == 3
    store.close()
