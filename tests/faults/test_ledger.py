"""The ledger separates lost, doubled, doubtful and correct things."""

from __future__ import annotations

from collections import Counter

from tests.faults.ledger import Comment, Event, Ledger, Match

THINGS = (Match("m"), Event("m", 1, "a"), Event("m", 2, "b"), Comment("m", "said"))


def filled() -> Ledger:
    ledger = Ledger()
    for thing in THINGS:
        ledger.acknowledge(thing)
    return ledger


def test_a_database_with_everything_once_is_whole():
    census = filled().census(Counter(THINGS))
    assert census.whole
    assert census.acknowledged == len(THINGS)
    assert filled().version("m") == 2


def test_each_missing_thing_is_lost():
    for thing in THINGS:
        assert filled().census(Counter(THINGS) - Counter([thing])).lost == [thing]


def test_a_thing_that_is_stored_twice_is_doubled():
    for thing in THINGS:
        assert filled().census(Counter([*THINGS, thing])).doubled == [thing]


def test_unacknowledged_stored_event_must_be_doubted():
    ledger, stored = filled(), Counter([*THINGS, Event("m", 3, "c")])
    assert ledger.census(stored).doubled == [Event("m", 3, "c")]
    ledger.doubt("m")
    assert ledger.census(stored).whole
    assert not ledger.census(stored | Counter([Event("m", 4, "d")])).whole


def test_loss_counts_events_acknowledged_before_place():
    places = iter((10, 20, 30, 40))
    ledger = Ledger(lambda: next(places))
    for thing in THINGS:
        ledger.acknowledge(thing)
    assert ledger.lost(Counter(), 25) == [*THINGS[:2]]
