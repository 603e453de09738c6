"""Reads for lists, searches and statistics do not grow with the book."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing

import pytest

from replay.store import temporary_store
from replay.store.sql.store import Store
from replay.store.types import Creation, IndexedStep, SummaryFilter, Text
from tests.replay.store.streams import events, hook, new, summary

FEW, MANY = 40, 400
START, KEY = b"start", b"k" * 32
MAX_GROWTH = 1.2
"""Ten times as many matches add a level to an index, and no more."""
READS: dict[str, Callable[[Store], object]] = {
    "statistics": lambda store: store.tallies(),
    "statistics of a player": lambda store: store.tallies(None, "Rare"),
    "statistics of a caller": lambda store: store.tallies_of([1, 2], KEY),
    "summaries due": lambda store: store.summaries_due(),
    "positions due": lambda store: store.positions_due(),
    "texts due": lambda store: store.texts_due(),
    "matches of a player": lambda store: list(store.listed(SummaryFilter("match", player="Rare"))),
    "public matches of a player": lambda store: list(
        store.listed(SummaryFilter("match", player="Rare", public=True))
    ),
    "matches of nobody": lambda store: list(store.listed(SummaryFilter("match", player="Nobody"))),
    "hooks of a match": lambda store: store.hooks_due([1]),
    "a live hook": lambda store: store.has_live_hook(),
    "moves of a counted position": lambda store: store.move_counts(START),
    "moves of a player": lambda store: store.move_counts_of(START, "Player 0", [1, 6]),
    "search": lambda store: store.search("rare", 10),
}


def filled(count: int) -> Store:
    """Return a store of indexed matches with few names; two of them have a rare one."""
    store = temporary_store()
    for number in range(count):
        names = {"Seat1": f"Player {number % 5}", "Seat2": "Rare" if number < 2 else "Jet"}
        texts = [Text("player", name, value) for name, value in names.items()]
        whole = Creation(
            new(),
            events(1),
            names | {"access.visibility": "public"},
            keys=[(KEY, "host", None)] if number < 2 else [],
            summary=summary(1, "+1"),
            steps=[IndexedStep(1, START, 1, "a")],
            texts=texts,
        )
        [made] = store.create_all([whole]).result()
        store.add_hook(hook(made, made.public_id)).result()
    store.count_position(START).result()
    return store


@pytest.fixture(scope="module")
def books() -> Iterator[tuple[Store, Store]]:
    with closing(filled(FEW)) as small, closing(filled(MANY)) as large:
        yield small, large


def instructions(store: Store, read: Callable[[Store], object]) -> int:
    """Return the instructions of SQLite's machine for a read."""
    counted = 0

    def count() -> int:
        nonlocal counted
        counted += 1
        return 0

    read(store)  # a new connection reads the schema first
    with store._readers.lend() as connection:
        connection.set_progress_handler(count, 1)
    read(store)
    with store._readers.lend() as connection:
        connection.set_progress_handler(None, 0)
    return counted


@pytest.mark.parametrize("read", READS.values(), ids=READS)
def test_read_costs_the_same_in_a_larger_book(books, read):
    small, large = (instructions(store, read) for store in books)
    assert 0 < large <= MAX_GROWTH * small
