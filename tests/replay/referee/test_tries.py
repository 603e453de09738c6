"""Refused tries: which ones count, when a seat forfeits, and what the statistics say."""

from __future__ import annotations

import pytest

from domain.events import Forfeited
from domain.games import built_in
from domain.log_edits import TryRefused
from replay.book import Book
from replay.errors import Refused, Usage
from replay.library import explorer
from replay.referee import tries
from replay.referee.entering import play
from replay.referee.opening import open_match
from replay.referee.verification import verify_match
from replay.store import temporary_store

POPTRIX = built_in("poptrix")
OUTSIDE = TryRefused(1, "M@c3", "POP-2.1")


@pytest.fixture
def book():
    store = temporary_store()
    yield Book(store)
    store.close()


def try_out(book, record, *entered):
    """Enter refused moves one after the other, and return the match then."""
    for one in entered:
        with pytest.raises(Refused):
            play(book, book.open(record.id), [one])
    return book.open(record.id)


def opened(book, slug="poptrix", most=3, **more):
    return open_match(book, built_in(slug), tries=most, **more)


def test_last_refused_try_forfeits_the_match(book):
    record = try_out(book, opened(book), "M@c3", "nonsense", "1:M@c3")
    assert record.events == (OUTSIDE, TryRefused(1, "", "form"), OUTSIDE, Forfeited(1))
    assert (record.state.outcome.winners, record.state.outcome.clause) == ((2,), "forfeited")
    assert verify_match(book, record.stream).fault is None


def test_legal_move_restores_the_tries(book):
    record = try_out(book, opened(book), "M@c3", "M@c3")
    assert tries.left(record, 1) == 1
    record = play(book, record, ["M@c1"])
    record = try_out(book, play(book, record, ["S@c6"]), "M@c3")
    assert (tries.left(record, 1), record.state.outcome) == (2, None)


def test_draw_offer_does_not_restore_tries(book):
    record = try_out(book, opened(book), "M@c3", "M@c3")
    record = play(book, record, ["1:offer-draw"])
    assert tries.left(record, 1) == 1


@pytest.mark.parametrize("entered", ["2:M@c6", "2:accept-draw"])
def test_entries_out_of_turn_are_no_tries(book, entered):
    assert try_out(book, opened(book), entered).events == ()


def test_moves_are_entered_one_at_a_time(book):
    record = opened(book)
    with pytest.raises(Refused, match="one event at a time"):
        play(book, record, ["M@c1", "M@c1"])
    assert book.open(record.id).events == ()


def test_refused_secret_move_stays_unknown(book):
    record = try_out(book, opened(book, "pyramid-ball"), "1:S=FFFF,M=...,L=...")
    assert [each.text for each in record.events] == [""]


def test_forfeiting_seat_of_four_leaves_the_game(book):
    record = try_out(book, opened(book, "power-play", 1, seats=4), "nonsense")
    assert record.state.outcome is None
    assert 1 not in record.state.position.playing


def test_refused_tries_are_counted_by_player(book):
    record = opened(book, players={1: "Ann", 2: "Bob"})
    try_out(book, record, "M@c3", "nonsense", "M@c3")
    (found,) = explorer.stats(book)
    told = [(each.player, each.clause, each.times) for each in found.refused]
    assert told == [("Ann", "POP-2.1", 2), ("Ann", "form", 1)]
    assert explorer.stats(book, player="bob")[0].refused == ()


@pytest.mark.parametrize("most", [0, 101])
def test_number_of_tries_is_limited(book, most):
    with pytest.raises(Usage, match="use 1 to 100"):
        opened(book, most=most)


def test_match_without_the_option_logs_no_tries(book):
    record = open_match(book, POPTRIX)
    assert try_out(book, record, "M@c3").events == ()
