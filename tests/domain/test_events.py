"""Match events: resignations, flags, draw offers, rulings, adjustments."""

from __future__ import annotations

import pytest

from domain.entry.tokens import legal_tokens
from domain.events import Adjusted, DrawOffered, Flagged, Resigned, Ruled
from domain.game import Game
from domain.games.poptrix import GAME as POPTRIX
from domain.games.power_play import GAME as POWER_PLAY
from domain.games.pyramid_ball import GAME as PYRAMID_BALL
from domain.match import Match
from domain.position import Outcome, Violation
from tests.conformance.subjects import GAMES
from tests.token_play import add_token, play_tokens, refusal

HIDDEN_BID = GAMES["hidden-bid"]
MIDGAME = "2s2/2L^2/5/5/5/2M2 5S4M4L 4s4m5l 2 6"


def two(text: str = "") -> Match:
    """A match of two seats, seat 1 to begin."""
    return play_tokens(POPTRIX, text)


def three(text: str = "") -> Match:
    """A match of three seats, seat 1 to begin."""
    return play_tokens(POWER_PLAY, text, seats=3)


def move(match: Match) -> Match:
    """Let the awaited seat make any move."""
    return add_token(match, legal_tokens(match.game, match.state)[0])


def adjust(match: Match, position: str, reason: str = "it stood so") -> Match:
    event = Adjusted(position, reason)
    assert match.check(event) is None
    return match.evolve(event)


@pytest.mark.parametrize("seat", [1, 2])
def test_resignation_loses_even_out_of_turn(seat):
    assert add_token(two("M@c1"), f"{seat}:resign").state.outcome == Outcome(3 - seat, "resigned")


def test_resignation_among_three_keeps_others_playing():
    match = add_token(three(), "1:resign")
    assert match.state.outcome is None
    assert match.state.position.playing == (2, 3)
    assert match.state.in_turn == 2
    assert add_token(match, "3:resign").state.outcome == Outcome(2, "resigned")


@pytest.mark.parametrize(
    "token", ["1:resign", "1:flag", "1:offer-draw", "1:accept-draw", "1:decline-draw", "ruled=+1"]
)
def test_departed_seat_cannot_act(token):
    match = add_token(three(), "1:resign")
    assert refusal(match, token).clause == "turn"
    assert "still in are 2, 3" in refusal(match, token).message
    assert refusal(match, token.replace("1", "4")).clause == "turn"


def test_resignation_revealing_last_bids_ends_game():
    last = "roll=4 1:bid=1 2:bid=0 3:bid=0 roll=5 1:bid=1 2:bid=0 3:bid=0 roll=6 1:bid=1 2:bid=0"
    match = add_token(play_tokens(HIDDEN_BID, last, seats=3), "3:resign")
    assert match.state.outcome == Outcome(1, "BID-4.1")
    assert refusal(match, "2:resign").clause == "over"


@pytest.mark.parametrize("seat", [1, 2])
def test_flag_of_two_beats_the_opponent(seat):
    assert add_token(two(), f"{seat}:flag").state.outcome == Outcome(seat, "flagged")


def test_flag_among_three_removes_awaited_seat():
    match = three()
    assert refusal(match, "1:flag").clause == "turn"
    match = add_token(match, "3:flag")
    assert match.state.position.playing == (2, 3)
    assert add_token(match, "2:flag").state.outcome == Outcome(2, "flagged")


def test_accepted_offer_is_a_draw():
    match = add_token(two("1:offer-draw"), "2:accept-draw")
    assert match.state.outcome == Outcome(None, "agreed")
    assert match.state.outcome.result == "="


def test_waiting_seat_may_offer_a_draw():
    match = two("M@c1 1:offer-draw")
    assert match.state.offered == 1
    assert match.state.position.turn == 2
    assert match.state.in_turn == 2


def test_offer_lapses_with_move_of_opponent():
    match = move(two("1:offer-draw"))
    assert match.state.offered == 1
    match = move(match)
    assert match.state.offered is None
    assert refusal(match, "2:accept-draw").clause == "turn"


def test_declined_offer_may_be_repeated():
    match = two("1:offer-draw 2:decline-draw")
    assert match.state.offered is None
    assert refusal(match, "2:accept-draw").clause == "turn"
    assert add_token(match, "1:offer-draw").state.offered == 1


@pytest.mark.parametrize("token", ["1:offer-draw", "2:offer-draw"])
def test_one_offer_stands_at_a_time(token):
    assert "seat 1 still stands" in refusal(two("1:offer-draw"), token).message


@pytest.mark.parametrize("answer", ["accept-draw", "decline-draw"])
def test_answer_needs_an_offer_by_another(answer):
    assert refusal(two("1:offer-draw"), f"1:{answer}").clause == "turn"
    assert refusal(two(), f"2:{answer}").clause == "turn"


def test_draw_among_three_needs_every_seat():
    match = three("1:offer-draw 3:accept-draw")
    assert match.state.outcome is None
    assert refusal(match, "3:accept-draw").clause == "turn"
    assert refusal(match, "3:decline-draw").clause == "turn"
    assert add_token(match, "2:accept-draw").state.outcome == Outcome(None, "agreed")


def test_decline_or_move_undoes_acceptances():
    for match in (add_token(three("2:offer-draw 3:accept-draw"), "1:decline-draw"),
                  move(three("2:offer-draw 3:accept-draw"))):  # fmt: skip
        assert (match.state.offered, match.state.accepted) == (None, ())


def test_move_of_offering_seat_keeps_acceptances():
    match = move(three("1:offer-draw 3:accept-draw"))
    assert (match.state.offered, match.state.accepted) == (1, (3,))


def test_resigned_seat_need_not_accept_draw():
    match = add_token(three("1:offer-draw 3:accept-draw"), "2:resign")
    assert match.state.outcome == Outcome(None, "agreed")


def test_resignation_withdraws_offer_or_acceptance():
    assert add_token(three("1:offer-draw 3:accept-draw"), "1:resign").state.offered is None
    match = add_token(play_tokens(POWER_PLAY, "1:offer-draw 3:accept-draw", seats=4), "3:resign")
    assert (match.state.offered, match.state.accepted) == (1, ())
    assert match.state.outcome is None


@pytest.mark.parametrize(
    ("token", "outcome", "result"),
    [
        ("ruled=+2", Outcome(2, "ruled"), "+2"),
        ("ruled==", Outcome(None, "ruled"), "="),
        ("ruled=*", Outcome(None, "ruled", abandoned=True), "*"),
    ],
)
def test_the_scorekeeper_rules(token: str, outcome: Outcome, result: str):
    ruled = add_token(two("M@c1"), token).state.outcome
    assert (ruled, ruled.result) == (outcome, result)


def test_ruling_needs_a_seated_winner():
    assert refusal(two(), "1:ruled==").clause == "form"
    assert refusal(two(), "ruled=+3").clause == "turn"
    assert refusal(two(), "ruled=+0").clause == "form"


@pytest.mark.parametrize("ruled", [Ruled("won"), Ruled("drawn", 1), Ruled("abandoned", 2)])
def test_ruling_names_winner_only_for_win(ruled: Ruled):
    assert two().check(ruled).clause == "form"


@pytest.mark.parametrize(
    "token",
    ["1:resign", "2:flag", "1:offer-draw", "2:accept-draw", "2:decline-draw", "ruled==", "1:M@c1"],
)
def test_an_ended_match_takes_no_more_events(token):
    assert refusal(two("1:offer-draw 2:accept-draw"), token).clause == "over"


@pytest.mark.parametrize("word", ["resign", "offer-draw", "accept-draw", "decline-draw", "flag"])
def test_match_events_name_their_seat(word):
    assert refusal(two(), word).clause == "form"


@pytest.mark.parametrize("event", [Resigned(3), Flagged(3), DrawOffered(0)])
def test_seats_that_nobody_sits_on_do_nothing(event):
    assert two().check(event).clause == "turn"


def test_adjusted_match_continues_from_its_position():
    match = adjust(two("M@c1 1:offer-draw"), MIDGAME)
    assert match.game.write_position(match.state.position) == MIDGAME
    assert match.state.offered is None, "a draw offer lapses"
    assert match.line[-1].effects == ()
    assert refusal(match, "c6>S@c4").clause == "POP-2.3"
    assert add_token(match, "c6xc5").state.outcome == Outcome(1, "POP-6.1")


def test_adjustment_reopens_an_ended_match():
    match = adjust(two("M@c1 2:resign"), MIDGAME)
    assert match.state.outcome is None
    assert match.state.in_turn == 2


def test_a_position_set_can_be_the_end():
    match = adjust(two(), MIDGAME.replace("2s2/", "5/", 1))
    assert match.state.outcome == Outcome(1, "POP-6.1")


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
@pytest.mark.parametrize("text", ["", "nonsense", "1 1", "5/5 - 1 1"])
def test_invalid_adjustment_is_refused_at_column(game: Game, text: str):
    violation = play_tokens(game, "").check(Adjusted(text, "why"))
    assert isinstance(violation, Violation)
    assert violation.clause == "form"
    assert "column" in violation.message


def test_a_sealed_move_prevents_adjusting():
    match = play_tokens(PYRAMID_BALL, "")
    start = match.game.write_position(match.state.position)
    assert match.check(Adjusted(start, "why")) is None
    sealed = add_token(match, "1:S=...,M=...,L=...")
    assert sealed.check(Adjusted(start, "why")).clause == "sealed"
