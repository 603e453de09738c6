"""Moves that stood against the rules: the clause, the position after them, and their move texts."""

from __future__ import annotations

import pytest

from domain.entry import move_text, stood, taps
from domain.events import DrawOffered, Stood
from domain.games.blockade import GAME as BLOCKADE
from domain.games.poptrix import GAME as POPTRIX
from domain.games.pyramid_ball import GAME as PYRAMID_BALL
from domain.match import Match
from domain.names import Names
from tests.token_play import add_token, last_effects, play_texts, refusal

AFTER = "2s2/2s2/5/2L2/5/2M2 5S4M4L 3s5m5l 1 5"
ELSEWHERE = "2s2/5/3s1/2L2/5/2M2 5S4M4L 3s5m5l 1 5"
NAMES = Names({1: "Jet", 2: "Red"})


def begun() -> Match:
    """A match in which seat 2 is to launch."""
    return play_texts(POPTRIX, "M@c1 S@c6 c1>L@c3")


def test_stood_move_gets_clause_and_position():
    match = add_token(begun(), "stood=c6>S@c5")
    assert match.line[-1].event == Stood(2, "c6>S@c5", "POP-3.2", AFTER)
    [effect] = last_effects(match)
    assert effect.words(NAMES) == "Red played c6>S@c5 against POP-3.2, and it stood"
    assert match.state.in_turn == 1
    assert POPTRIX.write_position(match.state.position) == AFTER


def test_stood_move_takes_the_given_position():
    token = move_text.as_stood("2:c6>S@c5", ELSEWHERE)
    match = add_token(begun(), token)
    assert POPTRIX.write_position(match.state.position) == ELSEWHERE
    assert move_text.write(POPTRIX, match.line[-1].event) == token
    assert move_text.shown(token) == "c6>S@c5 (stood)"


def test_move_out_of_turn_is_accepted_as_stood():
    match = add_token(begun(), "1:stood=c3>M@c4")
    assert match.line[-1].event.clause == "turn"
    [effect] = last_effects(match)
    assert effect.words(NAMES) == "Jet played c3>M@c4 out of turn, and it stood"
    assert match.state.in_turn == 2
    assert "2M2" in POPTRIX.write_position(match.state.position).split("/")[2]


def test_stood_move_after_end_takes_its_position():
    over = add_token(begun(), "1:resign")
    match = add_token(over, move_text.as_stood("2:c6>M@c5", ELSEWHERE))
    assert (match.line[-1].event.clause, match.state.outcome) == ("over", None)
    assert "after the end of the game" in last_effects(match)[0].words()


def test_legal_move_is_refused_as_stood():
    assert "breaks no rule" in refusal(begun(), "stood=c6>M@c5").message


def test_clause_that_was_not_broken_is_refused():
    wrong = begun().check(Stood(2, "c6>S@c5", "POP-3.3", AFTER))
    assert wrong.message == "this move breaks POP-3.2, not POP-3.3"


@pytest.mark.parametrize(
    ("token", "clause", "words"),
    [
        ("stood=nonsense", "form", "'stood=nonsense' is not a move of Poptrix"),
        ("3:stood=c6>S@c5", "turn", "seat 3 is out of the game"),
        (f"stood=c6>S@c5_{AFTER[:9]}", "form", "this position is invalid, column"),
        ("stood=c6>S@c5_", "form", "this position is invalid, column 1"),
        ("stood=", "form", "is not a move of Poptrix"),
    ],
)
def test_unacceptable_move_is_refused(token, clause, words):
    refused = refusal(begun(), token)
    assert refused.clause == clause
    assert words in refused.message


def test_stood_move_may_need_a_position():
    match = play_texts(BLOCKADE, "roll=3,4")
    assert refusal(match, "1:stood=d4-d4").message.endswith("give it too")


def test_stood_move_excludes_secrets():
    program = "S=...,M=...,L=..."
    match = play_texts(PYRAMID_BALL, "")
    assert "secret" in refusal(match, f"1:stood={program}").message
    sealed = add_token(match, f"1:{program}")
    assert "sealed" in refusal(sealed, f"2:stood={program}").message
    assert "sealed" in refusal(sealed, "2:stood=pick=M").message


def test_stood_move_keeps_only_the_movers_draw_offer():
    for seat, offered in ((1, None), (2, 2)):
        match = begun().evolve(DrawOffered(seat))
        assert add_token(match, "stood=c6>S@c5").state.offered == offered


def test_stood_token_escapes_any_position_text():
    text = 'a_b (c) {d} 50% ! ? é "q"'
    [word] = stood.write("move", text).split()
    assert not set(word) & set('(){}"')
    assert word[-1] not in "!?"
    assert stood.split(word) == stood.Irregular("move", text)


def test_taps_list_forbidden_moves():
    state = begun().state
    found = taps.forbidden(POPTRIX, state, 2, ["c6", "e1"])
    assert found.texts == ("c6>L@e1", "c6>M@e1", "c6>S@e1", "c6xe1")
    begins = taps.forbidden(POPTRIX, state, 2, ["c6"])
    assert "c6>L@e1" not in begins.texts
    assert {"S", "e1"} <= set(begins.onward)
