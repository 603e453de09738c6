"""The estimated size of a match is near its use of memory, for every game, and cheap to compute."""

from __future__ import annotations

import gc
import tracemalloc
from typing import Any

import pytest

from domain.events import Ruled
from domain.games import BUILT_IN, built_in
from plybook.testing.subjects import random_match
from replay.book import Book
from replay.record import match_cache
from replay.record.match_cache import MatchSizes
from replay.record.match_creation import NewMatch
from replay.referee import entering

PLIES = 200


def longest(slug: str) -> list[Any]:
    """Return the events of the longest of some random matches."""
    game = built_in(slug)
    matches = (random_match(game, seed, limit=PLIES) for seed in range(10))
    return [(ply.event, "seat 1") for ply in max((match.line for match in matches), key=len)]


@pytest.mark.parametrize("slug", BUILT_IN)
def test_estimate_is_near_the_memory_of_a_match(book, slug):
    stream = book.create(NewMatch(built_in(slug), events=longest(slug))).stream
    Book(book.store).read(stream)  # so that nothing else is loaded below
    gc.collect()
    tracemalloc.start()
    try:
        record = Book(book.store).read(stream)
        gc.collect()
        taken, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert 0.7 < MatchSizes().whole(record) / taken < 2


def test_long_texts_are_counted(book):
    plain = book.create(NewMatch(built_in("poptrix"), events=[(Ruled("drawn"), "scorekeeper")]))
    wordy = book.create(
        NewMatch(built_in("poptrix"), events=[(Ruled("drawn", reason="x" * 10_000), "scorekeeper")])
    )
    sizes = MatchSizes()
    assert sizes.whole(wordy) - sizes.whole(plain) >= 20_000


def test_growing_match_is_measured_only_a_few_times(book, monkeypatch):
    measured = []
    measure = match_cache._measure
    monkeypatch.setattr(
        match_cache, "_measure", lambda match: measured.append(match.ply()) or measure(match)
    )
    record = book.create(NewMatch(built_in("power-play")))
    for event, _ in longest("power-play"):
        record = entering.play(book, record, [event])
    assert record.ply() == PLIES
    assert measured == [0, 16, 32, 64, 128]


def test_measuring_cost_does_not_grow_with_the_match(book, monkeypatch):
    sized = []
    monkeypatch.setattr(match_cache, "getsizeof", lambda one: sized.append(one) or 64)
    counts = []
    events = longest("power-play")
    for length in (50, PLIES):
        record = book.create(NewMatch(built_in("power-play"), events=events[:length]))
        sized.clear()
        MatchSizes().whole(record)
        counts.append(len(sized))
    assert counts[1] < 1.5 * counts[0]
