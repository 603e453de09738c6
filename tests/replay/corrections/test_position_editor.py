"""Moving by hand in a match: the results of shifts, and the messages for impossible ones."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from domain.games import BUILT_IN
from domain.games.poptrix import GAME as POPTRIX
from domain.games.pyramid_ball import GAME as PYRAMID_BALL
from domain.scene import Mark
from plybook.testing.subjects import random_match
from replay.book import Book
from replay.corrections.adjustments import (
    MAX_PIECE_MOVES,
    Arrangement,
    ImpossibleEdit,
    PieceMove,
    adjust,
    arrange,
)
from replay.drawing import board_buttons
from replay.errors import Refused, Usage
from replay.record.match_creation import NewMatch
from replay.record.match_record import MatchRecord
from replay.record.match_summary import describe_standing
from replay.referee.entering import play
from replay.referee.verification import verify_match
from replay.store import temporary_store
from tests.conformance import door
from tests.conformance.subjects import GAMES, SITE
from tests.replay.formats.html.matches import record

OPENING = ("M@c1", "S@c6", "c1>L@c3")
BEGUN = "2s2/5/5/2L2/5/2M2 5S4M4L 4s5m5l 2 4"


@pytest.fixture
def match(book: Book) -> MatchRecord:
    return play(book, book.create(NewMatch(POPTRIX)), OPENING)


def shifts(*written: str) -> list[PieceMove]:
    return [PieceMove(*one.split(",")) for one in written]


def told(arrangement: Arrangement) -> str:
    return describe_standing(arrangement.state) if arrangement.state else arrangement.why


def test_untouched_editor_shows_the_recorded_position(match):
    shown = arrange(match)
    assert (shown.text, shown.differs, shown.changed) == (BEGUN, False, ())
    assert shown.position == match.state.position
    assert told(shown) == "seat 2 is to launch"


def test_edits_apply_in_order_and_are_marked(match):
    shown = arrange(match, shifts("L,c3,d3", "S,stash1,c3", "M,c1,out"))
    assert shown.text == "2s2/5/5/2SL1/5/5 4S4M4L 4s5m5l 2 4"
    assert shown.differs
    assert shown.changed == ("c1", "c3", "d3", "stash1", "out")
    assert shown.scene.marks == (Mark("c1", "from"), Mark("c3", "to"), Mark("d3", "to"))


def test_piece_put_back_is_unchanged(match):
    shown = arrange(match, shifts("L,c3,d3", "L,d3,c3"))
    assert (shown.differs, shown.changed, shown.scene.marks) == (False, (), ())


def test_turn_is_given_to_a_seat(match):
    assert arrange(match).turns == (1, 2)
    shown = arrange(match, shifts("L,c3,d3"), seat=1)
    assert told(shown) == "seat 1 is to launch"
    assert shown.text.endswith(" 1 4")
    assert shown.turns == (1, 2)


def test_editor_shows_the_outcome_of_a_final_position(match):
    shown = arrange(match, shifts("s,c6,out"))
    assert shown.state.outcome.clause == "POP-6.1"
    assert "seat 1 won" in told(shown)


def test_edits_apply_to_a_given_position(match):
    shown = arrange(match, shifts("M,b1,b2"), base="2s2/5/5/5/5/1M3 5S4M5L 4s5m5l 1 3")
    assert shown.text == "2s2/5/5/5/1M3/5 5S4M5L 4s5m5l 1 3"
    assert shown.differs


def test_incomplete_position_is_drawn_with_the_reason(book):
    match = play(book, book.create(NewMatch(POPTRIX)), OPENING[:1])
    shown = arrange(match, shifts("M,c1,a6"))
    assert shown.state is None
    assert "on turn 2" in shown.why
    assert "column" not in shown.why
    assert board_buttons.board(shown.scene)
    assert shown.turns == (1, 2)


@pytest.mark.parametrize(
    ("written", "number", "reason"),
    [
        (["L,c3,d3", "M,stash1,d3"], 2, "d3 is taken"),
        (["L,c3,d3", "L,c3,d4"], 2, "'L' is not on c3"),
        (["M,c1,stash2"], 1, "in its own stash"),
        (["M,nowhere,c1"], 1, "'nowhere' is not a place"),
        (["M,c1,z9"], 1, "on a square"),
        ([",,"], 1, "'' is not a place"),
    ],
)
def test_impossible_edit_is_named_with_the_reason(match, written, number, reason):
    with pytest.raises(ImpossibleEdit, match=reason) as refused:
        arrange(match, shifts(*written))
    assert refused.value.number == number
    assert reason in refused.value.reason
    assert str(refused.value).startswith(f"shift {number}, ")


def test_invalid_seat_text_and_length_are_refused(match):
    with pytest.raises(Usage, match="seat 7 is not in the game"):
        arrange(match, seat=7)
    with pytest.raises(Usage, match="not a position, column 9"):
        arrange(match, base="nonsense")
    with pytest.raises(Usage, match=f"at most {MAX_PIECE_MOVES}"):
        arrange(match, shifts("L,c3,d3") * (MAX_PIECE_MOVES + 1))


def test_sealed_move_prevents_editing(book):
    match = play(book, book.create(NewMatch(PYRAMID_BALL)), ["1:S=...,M=...,L=..."])
    with pytest.raises(Refused, match="sealed"):
        arrange(match)


def test_game_without_locations_keeps_its_text(book):
    with door.opened(SITE):
        match = book.create(NewMatch(GAMES["hidden-bid"]))
        shown = arrange(match)
        assert (shown.locations, shown.turns) == ((), ())
        assert arrange(match, base=shown.text).state is not None
        with pytest.raises(ImpossibleEdit, match="by hand"):
            arrange(match, shifts("a,b,c"))


def test_adjustment_to_an_edited_position_verifies(book, match):
    shown = arrange(match, shifts("L,c3,d4", "s,c6,a6"), seat=1)
    after = adjust(book, match, shown.text, "the cat")
    assert after.state.position == shown.position
    assert verify_match(book, after.stream).ok
    assert not arrange(after).differs


@pytest.mark.parametrize("slug", BUILT_IN)
@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(chance=st.integers(0, 2**32), plies=st.integers(0, 60), count=st.integers(1, 12))
def test_random_edits_are_drawn_and_recorded_or_refused(slug, chance, plies, count):
    rng, book = Random(chance), Book(temporary_store())
    match = record(book, random_match(GAMES[slug], 3, limit=60), plies)
    if match.state.position.sealed:
        return
    shown, moved = arrange(match), list[PieceMove]()
    for _ in range(count if shown.locations else 0):
        things = [(thing.what, spot.at) for spot in shown.locations for thing in spot.things]
        what, start = rng.choice(things)
        shift = PieceMove(what, start, rng.choice(shown.locations).at)
        seat = rng.choice((None, *shown.turns))
        try:
            shown = arrange(match, [*moved, shift], seat)
            moved.append(shift)
        except ImpossibleEdit:
            continue
        assert board_buttons.board(shown.scene)
        assert shown.state or shown.why
    if shown.state:
        assert adjust(book, match, shown.text, "the cat").state.position == shown.position
