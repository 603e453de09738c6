"""Moves that are taken down unjudged, and judged afterwards."""

from __future__ import annotations

import pytest

from domain.entry import move_text
from domain.events import UNJUDGED, Adjusted, Moved, Noted, Resigned, Ruled
from domain.games.poptrix import GAME as POPTRIX
from domain.games.power_play import GAME as POWER_PLAY
from domain.log_edits import Amended, Judged, TakenBack
from domain.match import Match, fold, open_match
from domain.position import Outcome
from tests.token_play import add_token, play_texts, refusal

LEGAL = "M@c1 S@c6 c1>L@c3 c6>M@c4 c3xc4"
BROKEN = "M@c1 S@c6 c1>L@c3 c6>S@c5 c3>M@c4"


def unjudged(text: str = "", game=POPTRIX, seats=None) -> Match:
    match = open_match(game, seats=seats, unjudged=True)
    for token in text.split():
        match = add_token(match, token)
    return match


def judge(match: Match) -> Match:
    assert match.check(Judged()) is None
    return match.evolve(Judged())


@pytest.mark.parametrize("text", [LEGAL, BROKEN, "c6xc1 c6xc1 2:M@a1 1:M@a1"])
def test_unjudged_match_notes_without_effects(text):
    match = unjudged(text)
    assert [move_text.write(POPTRIX, ply.event) for ply in match.line] == text.split()
    assert all(isinstance(ply.event, Noted) and ply.effects == () for ply in match.line)
    states = {ply.state for ply in match.line} | {match.start}
    assert len(states) == 1
    assert match.state.awaiting() == ()
    assert match.state.in_turn is None
    assert move_text.legal_texts(POPTRIX, match.state) == []


def test_only_the_form_of_a_token_is_checked():
    assert refusal(unjudged(), "nonsense").clause == "form"
    assert (
        refusal(unjudged(game=POWER_PLAY, seats=3), "ko=3").clause == "form"
    )  # the move must name its seat
    assert refusal(unjudged(), "stood=c6xc1") == UNJUDGED
    start = POPTRIX.write_position(POPTRIX.start())
    assert unjudged().check(Adjusted(start, "why")).clause == "turn"


def test_match_judged_later_equals_one_judged_throughout():
    match = judge(unjudged(LEGAL))
    at_once = play_texts(POPTRIX, LEGAL)
    assert [ply.event for ply in match.line] == [ply.event for ply in at_once.line]
    assert [ply.version for ply in match.line] == [1, 2, 3, 4, 5]
    assert match.state == at_once.state
    assert match.check(Judged()).clause == "turn"


def test_judging_stops_at_first_broken_move():
    match = judge(unjudged(BROKEN))
    kinds = [type(ply.event) for ply in match.line]
    assert kinds == [Moved, Moved, Moved, Noted, Noted]
    assert [ply.state.unjudged for ply in match.line] == [False, False, False, True, True]
    assert match.line[3].event.judged(match.at(3)).clause == "POP-3.2"


@pytest.mark.parametrize(
    ("token", "kinds"),
    [("stood=c6>S@c5", {Moved}), ("c6>M@c5", {Moved}), ("c6>L@c4", {Noted})],
)
def test_correcting_broken_move_judges_later_ones(token, kinds):
    match = judge(unjudged(BROKEN))
    event = move_text.read(POPTRIX, match.at(3), token)
    edit = Amended(4, "replaced", event, stood=1)
    assert match.check(edit) is None
    assert {type(match.evolve(edit).line[4].event)} == kinds


def test_takeback_to_judged_moves_resumes_judging():
    match = judge(unjudged(BROKEN)).evolve(TakenBack(3))
    assert match.state.in_turn == 2
    assert refusal(match, "c6>S@c5").clause == "POP-3.2"
    assert isinstance(add_token(match, "c6>M@c4").line[-1].event, Moved)


def test_unjudged_result_survives_judging():
    match = unjudged(LEGAL).evolve(Ruled("won", 1))
    assert match.state.outcome == Outcome("ruled", (1,))
    assert refusal(match, "M@c1").clause == "over"
    assert judge(match).state.outcome == Outcome("ruled", (1,))
    resigned = unjudged(BROKEN).evolve(Resigned(2))
    assert judge(resigned).state.outcome == Outcome("resigned", (1,))
    assert judge(resigned).state.unjudged


def test_unjudged_match_stays_unjudged_after_a_departure():
    match = unjudged("1:resign", POWER_PLAY, 3)
    assert match.state.unjudged
    assert match.state.awaiting() == ()
    assert judge(match).state.in_turn == 2


def test_folding_the_log_again_gives_the_same_match():
    events = [ply.event for ply in unjudged(BROKEN).line]
    again = fold(open_match(POPTRIX, unjudged=True), [*events, Judged()])
    assert again == judge(unjudged(BROKEN))
