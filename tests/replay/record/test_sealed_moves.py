"""Hidden moves and clocks do not depend on how often a match was read."""

from __future__ import annotations

import io
from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plybook.testing.subjects import random_event
from replay.book import Book
from replay.branches.forks import fork
from replay.corrections.amendments import plan_deletion, plan_insertion
from replay.corrections.takebacks import take_back
from replay.errors import Refused
from replay.formats.archive.importer import import_archive
from replay.formats.archive.writer import write_archive
from replay.formats.ply.writer import export_record
from replay.reading import timeline
from replay.record.addresses import Address
from replay.record.clock import Clock
from replay.record.match_creation import NewMatch
from replay.record.match_record import MatchRecord
from replay.referee.entering import UNOPENED, dry_run, judge, play
from replay.store import temporary_store
from tests.conformance import door
from tests.conformance.subjects import GAMES, SITE

CLOCKS = {"hidden-bid": Clock(total=60), "pyramid-ball": Clock(move=900), "poptrix": Clock(total=9)}


@pytest.fixture(autouse=True)
def sixth_game() -> Iterator[None]:
    with door.opened(SITE):
        yield


def bid(book: Book, *tokens: str, clock: Clock | None = None) -> MatchRecord:
    """Play an auction of three seats, each event by itself."""
    match = book.create(NewMatch(GAMES["hidden-bid"], seats=3, clock=clock))
    for token in tokens:
        match = play(book, match, [token])
    return match


@pytest.mark.parametrize("slug", CLOCKS)
@settings(max_examples=10)
@given(seed=st.integers(0, 2**32))
def test_match_read_event_by_event_equals_whole_read(slug, seed):
    rng, times = Random(seed), iter(range(0, 10**9, 61_000))
    store = temporary_store()
    book = Book(store, now=lambda: next(times))
    match = book.create(NewMatch(GAMES[slug], seats=max(GAMES[slug].seats), clock=CLOCKS[slug]))
    for _ in range(30):
        match = _gone_on(book, match, rng)
        assert match == Book(store).open(match.id)


def _gone_on(book: Book, match: MatchRecord, rng: Random) -> MatchRecord:
    """Return the match after another event, or after a takeback."""
    line = match.match.line
    if line and (match.state.outcome is not None or rng.random() < 0.2):
        return take_back(book, match, rng.randrange(len(line)))
    return play(book, match, [random_event(match.game, match.state, rng)])


def test_resigned_seat_keeps_its_move_hidden(book):
    tokens = "roll=4", "1:bid=1", "3:bid=7", "3:resign", "2:bid=2", "roll=1"
    assert bid(book, *tokens).secrets == {3}


@pytest.mark.parametrize("leaving", ["1:resign", "2:flag"])
def test_resignation_that_ends_the_round_reveals_sealed_moves(leaving):
    times = iter(range(0, 10**9, 61_000))
    book = Book(temporary_store(), now=lambda: next(times))
    match = bid(book, "roll=4", "2:bid=1", "3:bid=7", leaving, clock=Clock(total=60))
    assert not match.state.position.sealed
    assert not match.secrets
    record = export_record(book, match)
    assert "2:bid=1 3:bid=7" in record
    other = Book(temporary_store())
    import_archive(other, io.BytesIO(write_archive(book, match)))
    assert other.open(match.id).match.line == match.match.line


SEALING = {
    "pyramid-ball": ("2:S=...,M=...,L=...", ("1:S=...,M=...,L=...", "1:take=S")),
    "hidden-bid": ("1:bid=4", ("2:bid=3", "roll=1")),
}


@pytest.mark.parametrize("slug", SEALING)
@pytest.mark.parametrize("last", ["as it goes on", "nonsense"])
def test_revealing_move_must_be_last_of_its_batch(book, slug, last):
    sealing, (opening, following) = SEALING[slug]
    match = book.create(NewMatch(GAMES[slug], seats=2))
    match = play(book, match, [*(["roll=4"] if slug == "hidden-bid" else []), sealing])
    for trying in (judge, dry_run):
        with pytest.raises(Refused) as caught:
            trying(book, match, [opening, following if last == "as it goes on" else last])
        assert (caught.value.violation, caught.value.index) == (UNOPENED, 1)
        assert caught.value.match == match.match
    assert not play(book, match, [opening]).state.position.sealed


def test_revealing_resignation_must_be_last_of_its_batch(book):
    match = bid(book, "roll=4", "1:bid=4", "2:bid=7")
    with pytest.raises(Refused) as caught:
        judge(book, match, ["3:resign", "roll=1"])
    assert (caught.value.violation, caught.value.match) == (UNOPENED, match.match)


def test_batch_may_seal_and_reveal_its_own_moves(book):
    match = book.create(NewMatch(GAMES["hidden-bid"], seats=2))
    assert play(book, match, ["roll=4", "1:bid=4", "2:bid=3", "2:roll=1"]).match.version == 4


def test_amendment_does_not_replay_an_unrevealed_secret(book):
    match = bid(book, "roll=4", "1:bid=1", "1:resign", "2:bid=2", "3:bid=3")
    for wanted in (
        lambda: plan_deletion(match, 3),
        lambda: plan_insertion(match, 3, "2:offer-draw"),
    ):
        with pytest.raises(Refused, match="never revealed"):
            wanted()
    assert plan_insertion(match, 4, "2:offer-draw").report().stood == 2


def test_fork_reads_no_secret_of_its_parent(book):
    match = take_back(
        book, play(book, book.create(NewMatch(GAMES["hidden-bid"])), ["roll=4", "1:bid=1"]), 1
    )
    for token in ("1:bid=2", "2:bid=3"):
        match = play(book, match, [token])
    copy = fork(book, *book.at(Address(match.id)), "match")
    assert [each.text for each in timeline.log(match, 1)][1] == "1:bid=1"
    assert [each.text for each in timeline.log(copy, 1)][1] is None


def test_fork_reveals_no_secret_of_its_parent(book):
    match = bid(book, "roll=4", "1:bid=1", "1:resign")
    copy = take_back(book, fork(book, *book.at(Address(match.id)), "match"), 2)
    assert timeline.point(copy, 2, 1).scene == timeline.point(copy, 2, None).scene
    assert next(timeline.entries(copy, 1, after=1)).text is None
    with pytest.raises(Refused, match="belongs to the match that this one leaves"):
        play(book, copy, ["2:bid=2"])
    assert play(book, take_back(book, copy, 1), ["1:bid=3"]).state.position.sealed == (1,)
    own = take_back(book, match, 2)
    assert play(book, own, ["2:bid=2"]).state.position.sealed == (1, 2)
