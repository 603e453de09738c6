"""A follower of a store misses no change of any writer."""

from __future__ import annotations

import itertools
import shutil
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from typing import Any

from replay.store import open_store
from replay.store.feed_types import ChangeCursor
from replay.store.sqlite import SqliteStore
from replay.store.types import SummaryFilter, Text
from replay.upkeep.backup import back_up
from tests.replay.store.internals import reader
from tests.replay.store.streams import append, events, match, new, summary
from tests.replay.store.tampering import downgrade

CUP = Text("tag", "Event", "Cup")
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


def test_commits_of_another_store_are_followed(opened, path):
    here, there = opened(path), opened(path)
    stream = match(here, 1)
    cursor, before = here.changes(None).cursor, here.data_version()
    assert there.changes(cursor) == here.changes(cursor)
    append(there, stream)
    assert here.changes(cursor).streams == {stream.id}
    assert here.data_version() != before


def test_feed_shows_writes_of_another_process(opened, path):
    store = opened(path)
    stream = match(store, 2, "kqzw")
    cursor, before = store.changes(None).cursor, store.data_version()
    subprocess.run([sys.executable, "-c", APPENDING, str(path)], check=True)
    assert store.data_version() != before
    assert store.changes(cursor).streams == {stream.id}
    assert store.stream(stream.id).head == 3


def test_follower_notices_a_restored_file(opened, path, tmp_path):
    store = open_store(path)
    stream = match(store, 1)
    backed_up = store.changes(None).cursor
    back_up(path, tmp_path / "backup.db")
    append(store, stream)
    lost = store.changes(None).cursor
    store.close()
    shutil.copyfile(tmp_path / "backup.db", path)  # as people do by hand
    store = opened(path)
    assert store.changes(lost).found is None
    append(store, stream, 3)
    assert store.changes(lost).found is None
    assert store.changes(backed_up).streams == {stream.id}


def test_cursor_outlives_its_store(opened, path):
    store = open_store(path)
    stream = match(store, 1)
    cursor = store.changes(None).cursor
    store.close()
    store = opened(path)
    append(store, stream)
    assert store.changes(cursor).streams == {stream.id}
    store.probe().result()
    assert store.changes(store.changes(None).cursor).found == ()


def test_older_file_lists_each_match_once(opened, path):
    store = open_store(path)
    one, two = match(store, 1), match(store, 1)
    header = b'{"game":"x/1","kind":"variation"}'
    line = store.create(new(header=header, parent=one.id, fork_version=0, fork_ply=0)).result()
    noted = store.create(new(kind="notes", subject=one.id), events(1)).result()
    for stream, last in ((two, 1_000), (one, 2_000)):
        store.append(stream.id, 1, events(1), summary(2, last=last)).result()
    store.close()
    downgrade(
        path,
        10,
        "ALTER TABLE hooks DROP COLUMN types; ALTER TABLE hooks DROP COLUMN site;"
        "DROP TABLE changes; DROP TABLE eras; DROP INDEX texts_named; DROP TABLE erasures;"
        "DELETE FROM _sqlite_migrations WHERE name IN ('changes', 'erasures')",
    )
    store = opened(path)
    found = store.changes(ChangeCursor()).found or ()
    assert [(each.stream, each.what) for each in found] == [
        (each.id, ("opened",)) for each in (line, two, one)
    ]
    assert [each.at for each in found[1:]] == [1_000, 2_000]
    cursor = store.changes(None).cursor
    assert cursor.feed
    store.set_metadata(one.id, {"access.visibility": "public"}).result()
    assert store.changes(cursor).streams == {one.id, line.id}
    append(store, noted)
    assert store.changes(ChangeCursor()).found[-1].what == ("opened", "notes", "visibility")


def steps(store: SqliteStore, ask: Callable[[Any], object]) -> int:
    """Return how many instructions SQLite executes for a query."""
    counted = itertools.count()
    with reader(store) as connection:
        connection.set_progress_handler(lambda: next(counted) < 0, 1)
    ask(store)  # on the same connection, as no other is idle
    with store._readers.lend() as connection:
        connection.set_progress_handler(None, 0)
    return next(counted)


PAGES = [
    lambda store: store.changes(ChangeCursor(20), 10),
    lambda store: store.changes(ChangeCursor(20), 10, public=True),
    lambda store: store._listed_page(SummaryFilter(order="changed"), 1_000_000, 10),
    lambda store: store._listed_page(SummaryFilter(order="changed", public=True), 1_000_000, 10),
    lambda store: store._listed_page(SummaryFilter(text=CUP), 1_000_000, 10),
    lambda store: store._listed_page(SummaryFilter(order="changed", text=CUP), 1_000_000, 10),
]


def test_page_cost_does_not_grow_with_the_book(path):
    with closing(SqliteStore(path)) as store:
        costs = []
        for size in (40, 1000):
            made = [match(store) for _ in range(size)]
            for stream in made[:15]:
                store.set_metadata(stream.id, {"access.visibility": "public"}).result()
            if not costs:
                for stream in made[:12]:
                    store.index(stream.id, [CUP], 0, store.metadata(stream.id)).result()
            costs.append([steps(store, ask) for ask in PAGES])
    assert [late < 1.5 * early for early, late in zip(*costs, strict=True)] == [True] * len(PAGES)
