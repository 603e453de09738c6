"""The log in words: events that are no moves have sentences, not tokens."""

from __future__ import annotations

import pytest

from domain.entry.move_text import OF_A_SEAT
from domain.games import built_in
from domain.names import Names
from replay.reading import timeline
from replay.reading.timeline import DEEDS
from replay.referee.entering import play
from replay.referee.opening import open_match

OFFER = "1:offer-draw"


@pytest.mark.parametrize(
    ("moves", "what"),
    [
        (["1:resign"], "Jet resigns"),
        (["1:forfeit"], "Jet forfeits"),
        (["2:flag"], "seat 2 claims that time is up"),
        ([OFFER], "Jet offers a draw"),
        ([OFFER, "2:accept-draw"], "seat 2 accepts the draw"),
        ([OFFER, "2:decline-draw"], "seat 2 declines the draw"),
        (["ruled=+1"], "Jet wins by a ruling"),
        (["ruled=="], "a draw by a ruling"),
        (["ruled=*"], "abandoned by a ruling"),
    ],
)
def test_event_that_is_no_move_is_a_sentence(book, moves, what):
    record = play(book, open_match(book, built_in("poptrix")), moves)
    (*_, last) = timeline.log(record, names=Names({1: "Jet"}))
    assert last.what == what


def test_every_event_of_a_seat_has_a_sentence():
    assert set(OF_A_SEAT.values()) == set(DEEDS)
