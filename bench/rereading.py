"""Read a long match from its database and fold it, as every cold start does."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Final

from bench import yardsticks
from bench.timing import Job
from domain.games import built_in
from plybook.testing.subjects import random_match
from replay.book import Book
from replay.record.match_creation import NewMatch
from replay.store import open_store
from replay.store.sql.store import Store

EVENTS: Final = 500
SLUG: Final = "power-play"


def jobs() -> Iterator[Job]:
    """Return one job: a match of 500 events, read again from SQLite."""
    folder = Path(tempfile.mkdtemp())
    store = open_store(folder / "bench.db")
    # The job's files must outlive this function; the finalizer removes them at the end.
    atexit.register(shutil.rmtree, folder)
    atexit.register(store.close)
    game = built_in(SLUG)
    match = next(
        match
        for seed in range(100)
        if len((match := random_match(game, seed, limit=EVENTS)).line) == EVENTS
    )
    record = Book(store).create(NewMatch(game, events=[(ply.event, "bench") for ply in match.line]))
    yield Job(SLUG, "events re-read", partial(_reread, store, record.id), yardsticks.refereed)


def _reread(store: Store, match: str) -> int:
    """Open the match in a book that has not cached it."""
    return len(Book(store).open(match).match.line)
