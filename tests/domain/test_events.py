"""Match events: resignations, flags, draw offers, rulings, adjustments."""

from __future__ import annotations

from functools import partial

import pytest

from domain.entry.move_text import legal_texts
from domain.events import Adjusted, DrawOffered, Flagged, Resigned, Ruled
from domain.game import Game
from domain.games.poptrix import GAME as POPTRIX
from domain.games.power_play import GAME as POWER_PLAY
from domain.games.pyramid_ball import GAME as PYRAMID_BALL
from domain.match import Match
from domain.position import Outcome, Violation
from tests.case_table import cases, cases_of_words, compare, ending, listed
from tests.conformance.subjects import GAMES
from tests.token_play import add_token, play_texts, refusal

HIDDEN_BID = GAMES["hidden-bid"]
MIDGAME = "2s2/2L^2/5/5/5/2M2 5S4M4L 4s4m5l 2 6"

MATCHES = {
    "two": lambda: play_texts(POPTRIX, ""),
    "three": lambda: play_texts(POWER_PLAY, "", seats=3),
    "four": lambda: play_texts(POWER_PLAY, "", seats=4),
    "bids": lambda: play_texts(
        HIDDEN_BID,
        "roll=4 1:bid=1 2:bid=0 3:bid=0 roll=5 1:bid=1 2:bid=0 3:bid=0 roll=6 1:bid=1 2:bid=0",
        seats=3,
    ),
}
"""New matches of two, three and four seats; the last bid of `bids` is missing."""


def played(seats: str, play: str) -> Match:
    """Play moves; `move` is any move of the awaited seat."""
    match = MATCHES[seats]()
    for token in play.split():
        any_move = token == "move"
        match = add_token(match, legal_texts(match.game, match.state)[0] if any_move else token)
    return match


def value(match: Match, name: str, expected: str) -> object:
    state = match.state
    return {
        "ends": lambda: ending(state.outcome),
        "offered": lambda: state.offered,
        "accepted": lambda: listed(state.accepted),
        "in": lambda: listed(state.position.playing),
        "seat": lambda: state.in_turn,
        "turn": lambda: state.position.turn,
    }[name]()


def adjust(match: Match, position: str) -> Match:
    event = Adjusted(position, "it stood so")
    assert match.check(event) is None
    return match.evolve(event)


@cases(
    "seats play expected",
    """
# Resignations.
two | M@c1 1:resign | ends=2:resigned
two | M@c1 2:resign | ends=1:resigned
three | 1:resign | ends=None in=2,3 seat=2
three | 1:resign 3:resign | ends=2:resigned
bids | 3:resign | ends=1:BID-4.1
# Flags: the opponent of two, the seat awaited of three.
two | 1:flag | ends=1:flagged
two | 2:flag | ends=2:flagged
three | 3:flag | in=2,3
three | 3:flag 2:flag | ends=2:flagged
# Any seat may offer; an offer outlasts a move of its own seat.
two | 1:offer-draw 2:accept-draw | ends=None:agreed
two | M@c1 1:offer-draw | offered=1 turn=2 seat=2
two | 1:offer-draw move | offered=1
two | 1:offer-draw move move | offered=None
two | 1:offer-draw 2:decline-draw | offered=None
two | 1:offer-draw 2:decline-draw 1:offer-draw | offered=1
# Every other seat must accept; one that declines or moves undoes all acceptances.
three | 1:offer-draw 3:accept-draw | ends=None
three | 1:offer-draw 3:accept-draw 2:accept-draw | ends=None:agreed
three | 2:offer-draw 3:accept-draw 1:decline-draw | offered=None accepted=
three | 2:offer-draw 3:accept-draw move | offered=None accepted=
three | 1:offer-draw 3:accept-draw move | offered=1 accepted=3
# A departed seat takes its offer or acceptance along, and need not agree.
three | 1:offer-draw 3:accept-draw 2:resign | ends=None:agreed
three | 1:offer-draw 3:accept-draw 1:resign | offered=None
four | 1:offer-draw 3:accept-draw 3:resign | offered=1 accepted= ends=None
""",
)
def test_events(seats, play, expected):
    compare(expected, partial(value, played(seats, play)))


REFUSALS = """
form | two | | resign offer-draw accept-draw decline-draw flag 1:ruled== ruled=+0
turn | two | | 2:accept-draw 2:decline-draw ruled=+3
turn | two | 1:offer-draw | 1:accept-draw 1:decline-draw
turn | two | 1:offer-draw move move | 2:accept-draw
turn | two | 1:offer-draw 2:decline-draw | 2:accept-draw
turn | three | | 1:flag
turn | three | 1:offer-draw 3:accept-draw | 3:accept-draw 3:decline-draw
turn | three | 1:resign | 4:resign 4:flag 4:offer-draw 4:accept-draw 4:decline-draw ruled=+4
over | bids | 3:resign | 2:resign
over | two | 1:offer-draw 2:accept-draw | 1:resign 2:flag 1:offer-draw 2:accept-draw
over | two | 1:offer-draw 2:accept-draw | 2:decline-draw ruled== 1:M@c1
"""


@cases_of_words("clause seats play token", REFUSALS)
def test_refusals(clause, seats, play, token):
    assert refusal(played(seats, play), token).clause == clause


def test_move_without_seat_learns_of_the_end():
    ended = "the game has ended: seat 2 won (resigned)"
    assert refusal(played("two", "1:resign"), "M@c1").message == ended


@pytest.mark.parametrize(
    "token", ["1:resign", "1:flag", "1:offer-draw", "1:accept-draw", "1:decline-draw", "ruled=+1"]
)
def test_departed_seat_cannot_act(token):
    violation = refusal(played("three", "1:resign"), token)
    assert violation.clause == "turn"
    assert "still in: 2, 3" in violation.message


@pytest.mark.parametrize("token", ["1:offer-draw", "2:offer-draw"])
def test_open_draw_offer_prevents_another(token):
    assert "seat 1 is still open" in refusal(played("two", "1:offer-draw"), token).message


@pytest.mark.parametrize(
    ("token", "outcome", "result"),
    [
        ("ruled=+2", Outcome("ruled", (2,)), "+2"),
        ("ruled==", Outcome("ruled"), "="),
        ("ruled=*", Outcome("ruled", abandoned=True), "*"),
    ],
)
def test_ruling_decides_the_match(token: str, outcome: Outcome, result: str):
    ruled = add_token(play_texts(POPTRIX, "M@c1"), token).state.outcome
    assert (ruled, ruled.result) == (outcome, result)


@pytest.mark.parametrize("ruled", [Ruled("won"), Ruled("drawn", 1), Ruled("abandoned", 2)])
def test_ruling_names_winner_only_for_win(ruled: Ruled):
    assert play_texts(POPTRIX, "").check(ruled).clause == "form"


@pytest.mark.parametrize("event", [Resigned(3), Flagged(3), DrawOffered(0)])
def test_event_needs_a_seat_of_the_match(event):
    assert play_texts(POPTRIX, "").check(event).clause == "turn"


def test_adjusted_match_continues_from_its_position():
    match = adjust(play_texts(POPTRIX, "M@c1 1:offer-draw"), MIDGAME)
    assert match.game.write_position(match.state.position) == MIDGAME
    assert match.state.offered is None, "a draw offer lapses"
    assert match.line[-1].effects == ()
    assert refusal(match, "c6>S@c4").clause == "POP-2.3"
    assert add_token(match, "c6xc5").state.outcome == Outcome("POP-6.1", (1,))


def test_adjustment_reopens_an_ended_match():
    match = adjust(play_texts(POPTRIX, "M@c1 2:resign"), MIDGAME)
    assert match.state.outcome is None
    assert match.state.in_turn == 2


def test_adjusted_position_can_end_the_match():
    match = adjust(play_texts(POPTRIX, ""), MIDGAME.replace("2s2/", "5/", 1))
    assert match.state.outcome == Outcome("POP-6.1", (1,))


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
@pytest.mark.parametrize("text", ["", "nonsense", "1 1", "5/5 - 1 1"])
def test_invalid_adjustment_is_refused_at_column(game: Game, text: str):
    violation = play_texts(game, "").check(Adjusted(text, "why"))
    assert isinstance(violation, Violation)
    assert violation.clause == "form"
    assert "column" in violation.message


def test_sealed_move_prevents_adjusting():
    match = play_texts(PYRAMID_BALL, "")
    start = match.game.write_position(match.state.position)
    assert match.check(Adjusted(start, "why")) is None
    sealed = add_token(match, "1:S=...,M=...,L=...")
    assert sealed.check(Adjusted(start, "why")).clause == "sealed"
