"""The ledger separates lost, doubled, doubtful and correct things."""

from __future__ import annotations

from collections import Counter

from faults.ledger import Comment, Event, Ledger, Match

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


def test_missing_thing_counts_as_lost():
    for thing in THINGS:
        assert filled().census(Counter(THINGS) - Counter([thing])).lost == [thing]


def test_thing_stored_twice_counts_as_doubled():
    for thing in THINGS:
        assert filled().census(Counter([*THINGS, thing])).doubled == [thing]


def test_unacknowledged_event_counts_as_doubled_unless_doubted():
    ledger, stored = filled(), Counter([*THINGS, Event("m", 3, "c")])
    assert ledger.census(stored).doubled == [Event("m", 3, "c")]
    ledger.doubt("m")
    assert ledger.census(stored).whole
    assert not ledger.census(stored | Counter([Event("m", 4, "d")])).whole


def test_only_events_acknowledged_earlier_count_as_lost():
    places = iter((10, 20, 30, 40))
    ledger = Ledger(lambda: next(places))
    for thing in THINGS:
        ledger.acknowledge(thing)
    assert ledger.lost(Counter(), 25) == [*THINGS[:2]]
