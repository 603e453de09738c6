"""What is hidden, and what the clock shows, does not depend on how often a match was looked at."""

from __future__ import annotations

import io
from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from replay.book import Book
from replay.corrections.corrections import take_back
from replay.formats.archive.importer import import_archive
from replay.formats.archive.writer import write_archive
from replay.formats.ply.exporter import export_record
from replay.match_record import MatchRecord
from replay.referee.clock import Clock
from replay.referee.entering import play
from replay.store.memory import MemoryStore
from tests.conformance import door
from tests.conformance.players import random_event
from tests.conformance.subjects import GAMES, SITE

CLOCKS = {"hidden-bid": Clock(total=60), "pyramid-ball": Clock(move=900), "poptrix": Clock(total=9)}


@pytest.fixture(autouse=True)
def sixth_game() -> Iterator[None]:
    with door.opened(SITE):
        yield


@pytest.mark.parametrize("slug", CLOCKS)
@settings(max_examples=10)
@given(seed=st.integers(0, 2**32))
def test_a_match_read_as_it_goes_on_is_the_match_read_at_once(slug, seed):
    rng, times = Random(seed), iter(range(0, 10**9, 61_000))
    store = MemoryStore()
    book = Book(store, now=lambda: next(times))
    match = book.create(GAMES[slug], seats=max(GAMES[slug].seats), clock=CLOCKS[slug])
    for _ in range(30):
        match = _gone_on(book, match, rng)
        assert match == Book(store).open(match.id)


def _gone_on(book: Book, match: MatchRecord, rng: Random) -> MatchRecord:
    """Return the match with an event more, or with some fewer in its line."""
    line = match.match.line
    if line and (match.state.outcome is not None or rng.random() < 0.2):
        return take_back(book, match, rng.randrange(len(line)))
    return play(book, match, [random_event(match.game, match.state, rng)])


def test_what_a_seat_took_with_it_stays_hidden_when_the_others_move_on():
    book = Book(MemoryStore())
    match = book.create(GAMES["hidden-bid"], seats=3)
    for token in ("roll=4", "1:bid=1", "3:bid=7", "3:resign", "2:bid=2", "roll=1"):
        match = play(book, match, [token])
    assert match.secrets == {3}


@pytest.mark.parametrize("leaving", ["1:resign", "2:flag"])
def test_what_others_had_sealed_is_told_where_the_round_ends_because_a_seat_left(leaving):
    times = iter(range(0, 10**9, 61_000))
    book = Book(MemoryStore(), now=lambda: next(times))
    match = book.create(GAMES["hidden-bid"], seats=3, clock=Clock(total=60))
    for token in ("roll=4", "2:bid=1", "3:bid=7", leaving):
        match = play(book, match, [token])
    assert not match.state.position.sealed
    assert not match.secrets
    record = export_record(book, match)
    assert "2:bid=1 3:bid=7" in record
    other = Book(MemoryStore())
    import_archive(other, io.BytesIO(write_archive(book, match)))
    assert other.open(match.id).match.line == match.match.line
