"""Pyramid Ball, clause by clause."""

from __future__ import annotations

import itertools
import random

import msgspec
import pytest

from domain.effects import Effect
from domain.games.pyramid_ball import GAME, Play
from domain.games.pyramid_ball.board import BOARD, NOBODY, PYRAMIDS, SEAT, line
from domain.games.pyramid_ball.conflicts import ClosedRow, settle
from domain.games.pyramid_ball.effects import (
    BallPlaced,
    Closed,
    Completed,
    Failed,
    Fouled,
    Goal,
    Intercepted,
    PicksRevealed,
    Point,
    Pushed,
    Recovered,
    Reopened,
    Revealed,
    Sealed,
    Seated,
    Snapshot,
    Stepped,
    Tackled,
    Taken,
    Turnover,
    Unthrown,
)
from domain.games.pyramid_ball.moves import Program, Take
from domain.games.pyramid_ball.orders import Pass
from domain.games.pyramid_ball.table import Table
from domain.position import Outcome
from tests.clause_table import shown_by
from tests.token_play import add_token, last_effects, play_tokens, refusal

CLAUSES = {
    "BAL-1.1": shown_by("set-up", "test_the_board_is_seven_by_eight", "test_refusals"),
    "BAL-1.2": shown_by("set-up", "test_the_first_position"),
    "BAL-1.3": shown_by("effect", "test_each_side_scores_in_the_row_far_from_it"),
    "BAL-1.4": shown_by("effect", "test_the_side_with_the_ball_is_the_offence"),
    "BAL-1.5": shown_by("outcome", "test_the_first_point_or_the_sixth_wins"),
    "BAL-2.1": shown_by("set-up", "test_the_opening_is_decided_or_selected"),
    "BAL-2.2": shown_by("effect", "test_sizes_beat_each_other_in_a_ring"),
    "BAL-2.3": shown_by("effect", "test_the_winner_takes_the_ball_or_defends"),
    "BAL-3.1": shown_by("effect", "test_commands_are_as_the_player_sees_them"),
    "BAL-3.2": shown_by("refusal", "test_refusals"),
    "BAL-3.3": shown_by("effect", "test_a_program_is_secret_until_both_are_in"),
    "BAL-3.4": shown_by(
        "effect",
        "test_a_late_seat_stands_still",
        "test_refusals",
        note="no match keeps a clock yet, so the 61 seconds are not asked for",
    ),
    "BAL-4.1": shown_by("effect", "test_rows_are_played_in_order_each_with_its_pass_first"),
    "BAL-4.2": shown_by("outcome", "test_the_basic_game_ends_in_the_middle_of_a_turn"),
    "BAL-4.3": shown_by("effect", "test_conflicts_halt_the_pyramids_that_the_rules_name"),
    "BAL-5.1": shown_by("effect", "test_when_a_pass_is_thrown"),
    "BAL-5.2": shown_by("effect", "test_lines_of_passes", "test_passes"),
    "BAL-5.3": shown_by("effect", "test_passes", "test_a_pass_into_the_goal_row_is_a_goal"),
    "BAL-5.4": shown_by("effect", "test_roles_change_before_the_moves_of_an_interception"),
    "BAL-6.1": shown_by("effect", "test_conflicts", "test_closed_rows_and_moves"),
    "BAL-6.2": shown_by("effect", "test_conflicts"),
    "BAL-6.3": shown_by("effect", "test_conflicts"),
    "BAL-6.4": shown_by("effect", "test_conflicts"),
    "BAL-6.5": shown_by("effect", "test_conflicts"),
    "BAL-6.6": shown_by("effect", "test_conflicts"),
    "BAL-6.7": shown_by("effect", "test_conflicts"),
    "BAL-6.8": shown_by("effect", "test_conflicts"),
    "BAL-6.9": shown_by("effect", "test_conflicts", "test_closed_rows_and_pushes"),
    "BAL-6.10": shown_by("effect", "test_conflicts"),
    "BAL-6.11": shown_by("effect", "test_conflicts"),
    "BAL-6.12": shown_by("effect", "test_conflicts"),
    "BAL-7.1": shown_by("effect", "test_tackles"),
    "BAL-8.1": shown_by("effect", "test_goals"),
    "BAL-8.2": shown_by("effect", "test_winning_the_ball_in_the_goal_row_is_no_goal"),
    "BAL-9.1": shown_by("outcome", "test_the_first_point_or_the_sixth_wins"),
    "BAL-10.1": shown_by(
        "refusal", "test_the_ball_may_be_put_on_free_squares_of_the_rules", "test_the_turn_waits"
    ),
    "BAL-10.2": shown_by("effect", "test_the_scoring_side_cannot_pick_the_ball_up"),
    "BAL-10.3": shown_by("effect", "test_the_other_side_recovers_the_ball"),
    "BAL-10.4": shown_by(
        "effect",
        "test_the_goal_row_is_closed_until_the_ball_has_left_it",
        "test_closed_rows_and_moves",
        "test_closed_rows_and_pushes",
    ),
    "BAL-10.5": shown_by("effect", "test_the_turn_goes_on_with_changed_roles"),
    "BAL-11.1": shown_by("refusal", "test_special_moves_are_taken_for_points", "test_refusals"),
    "BAL-11.2": shown_by("refusal", "test_a_special_move_is_used_once"),
    "BAL-11.3": shown_by("effect", "test_dashes_are_a_fourth_row"),
    "BAL-11.4": shown_by(
        "refusal", "test_the_quick_pass", "test_only_entitled_seats_may_use_special_moves"
    ),
    "BAL-11.5": shown_by(
        "refusal", "test_the_blitz", "test_only_entitled_seats_may_use_special_moves"
    ),
}

STILL = "S=...,M=...,L=..."
PARKED = ("a1", "c1", "e1", "g1", "b1", "d1", "f1")
"""The places of pyramids that a case does not mention: out of the way, in row 1."""

COMMAND = {
    1: {"N": "F", "S": "B", "W": "L", "E": "R", "": "."},
    2: {"N": "B", "S": "F", "W": "R", "E": "L", "": "."},
}
"""The command for a direction on the board, for seat 1 at row 1 and seat 2 at row 8."""


def stand(pieces: str, **fields: object) -> Play:
    """Set up an advanced game: `"1M@d4* 2M@d5"`; the ball is with `*`, else with 1L."""
    where = {piece[:2]: piece[3:5] for piece in pieces.split()}
    free = iter(at for at in PARKED if at not in where.values())
    squares = tuple(BOARD.index[where.get(name) or next(free)] for name in PYRAMIDS)
    ball = next((piece[:2] for piece in pieces.split() if piece.endswith("*")), "1L")
    carrier = PYRAMIDS.index(ball)
    known: dict[str, object] = {"carrier": carrier, "offence": SEAT[carrier]}
    known |= {"advanced": True, "stage": "program", "squares": squares}
    return Play(Table(**(known | fields)))


def turn(position: Play, first: str, second: str = STILL) -> tuple[Play, tuple[Effect, ...]]:
    """Let both seats program; each program must be by the rules."""
    for seat, token in ((1, first), (2, second)):
        move = GAME.parse(token)
        assert move is not None, token
        assert move.check(position, seat) is None, token
        position, facts = move.evolve(position, seat)
    return position, facts


def one_row(pieces: str, **fields: object) -> tuple[Play, tuple[Effect, ...]]:
    """Play a row of `"1M@d4N* 2M@d5S"`: the place and heading of each pyramid."""
    heads = {piece[:2]: piece[5:].rstrip("*") for piece in pieces.split()}
    programs = [
        ",".join(f"{size}={COMMAND[seat][heads.get(f'{seat}{size}', '')]}.." for size in "SML")
        for seat in (1, 2)
    ]
    return turn(stand(pieces, **fields), *programs)


def squares(position: Play, *names: str) -> str:
    """Return the places of pyramids: `"1M@d4 2M@d5"`."""
    where = dict(zip(PYRAMIDS, position.table.squares, strict=True))
    return " ".join(f"{name}@{BOARD.names[where[name]]}" for name in names)


def only(facts: tuple[Effect, ...], *kinds: type[Effect]) -> list[Effect]:
    """Return the effects of some kinds."""
    return [fact for fact in facts if isinstance(fact, kinds)]


def holder(position: Play) -> str | None:
    carrier = position.table.carrier
    return None if carrier == NOBODY else PYRAMIDS[carrier]


def test_the_board_is_seven_by_eight():
    assert (BOARD.names[0], BOARD.names[-1], len(BOARD.names)) == ("a1", "g8", 56)


def test_the_first_position():
    start = GAME.start()
    assert squares(start, *PYRAMIDS) == "1S@f3 1M@d4 1L@b3 2S@f6 2M@d5 2L@b6"
    assert holder(start) == "1M"


@pytest.mark.parametrize(("low", "scorer", "at"), [(1, "1M", "d8"), (2, "1M", "d1")])
def test_each_side_scores_in_the_row_far_from_it(low, scorer, at):
    start = "d7" if at == "d8" else "d2"
    _, facts = turn(
        stand(f"{scorer}@{start}* 1S@a4 1L@b4 2S@c5 2M@e5 2L@g5", low=low), "S=...,M=F..,L=..."
    )
    assert only(facts, Goal) == [Goal(1, "M", at)]


def test_the_side_with_the_ball_is_the_offence():
    position, facts = one_row("1M@d4* 2M@d5S")
    assert Turnover(2) in facts
    assert (position.table.offence, position.table.holder) == (2, 2)


def test_the_first_point_or_the_sixth_wins():
    scoring = "1M@d7* 1S@a4 1L@b4 2S@c5 2M@e5 2L@g5"
    program = "S=...,M=F..,L=..."
    basic, _ = turn(stand(scoring, advanced=False), program)
    assert basic.outcome() == Outcome(1, "BAL-9.1")
    assert basic.awaiting() == ()
    fifth, _ = turn(stand(scoring, scores=(4, 5)), program)
    assert fifth.outcome() is None
    sixth, facts = turn(stand(scoring, scores=(5, 5)), program)
    assert sixth.outcome() == Outcome(1, "BAL-9.1")
    assert sixth.table.scores == (6, 5)
    assert only(facts, Closed) == []
    assert list(GAME.legal(sixth, 1)) == list(GAME.legal(sixth, 2)) == []


def test_the_basic_game_ends_in_the_middle_of_a_turn():
    position = stand("1M@d6* 1S@a4 1L@b4 2S@c5 2M@e5 2L@g5", advanced=False)
    after, facts = turn(position, "S=FFF,M=FFF,L=FFF", "S=FFF,M=FFF,L=FFF")
    assert after.outcome() == Outcome(1, "BAL-9.1")
    assert [fact.row for fact in only(facts, Snapshot)] == ["row 1", "row 2"]
    assert squares(after, "1S", "1M") == "1S@a6 1M@d8"
    assert only(facts, Closed, Turnover) == []
    thrown = stand("1M@d4* 1S@d6 2M@d5 2S@b5", advanced=False)
    after, facts = turn(thrown, "S=.F.,M=...,L=...,pass=2S", "S=.F.,M=...,L=...")
    assert after.outcome() == Outcome(2, "BAL-9.1")
    assert only(facts, Stepped, Turnover) == []
    assert holder(after) == "2M"


def test_the_opening_is_decided_or_selected():
    decided, selected = GAME.start(), GAME.start(GAME.options(opening="selection"))
    assert [one.what for one in decided.awaiting()] == ["program its pyramids"] * 2
    assert [one.moves for one in selected.awaiting()] == [("pick",)] * 2
    assert (decided.table.low, decided.table.holder) == (1, 1)


@pytest.mark.parametrize("first", "SML")
@pytest.mark.parametrize("second", "SML")
def test_sizes_beat_each_other_in_a_ring(first, second):
    match = play_tokens(GAME, f"1:pick={first} 2:pick={second}", opening="selection")
    winner = {"MS": 1, "LM": 1, "SL": 1, "SM": 2, "ML": 2, "LS": 2}.get(first + second)
    assert last_effects(match) == (Sealed(2), PicksRevealed((first, second), winner))
    awaited = match.state.position.awaiting()
    assert [one.seat for one in awaited] == ([winner] if winner else [1, 2])
    again = play_tokens(GAME, f"2:pick={second} 1:pick={first}", opening="selection")
    assert again.state == match.state


@pytest.mark.parametrize(("choice", "low"), [("2:start=ball", 2), ("2:start=defend", 1)])
def test_the_winner_takes_the_ball_or_defends(choice, low):
    match = play_tokens(GAME, f"1:pick=S 2:pick=M {choice}", opening="selection")
    position = match.state.position
    assert last_effects(match) == (Seated(low),)
    assert holder(position) == f"{low}M"
    assert squares(position, f"{low}S", f"{low}M", f"{low}L") == f"{low}S@f3 {low}M@d4 {low}L@b3"
    other = 3 - low
    assert squares(position, f"{other}S", f"{other}L") == f"{other}S@f6 {other}L@b6"
    assert position.turn == 1
    assert position.table.offence == low
    programmed = add_token(
        add_token(match, "1:S=...,M=...,L=F.."), "2:S=...,M=...,L=F.."
    ).state.position
    assert squares(programmed, f"{low}L", f"{other}L") == f"{low}L@b4 {other}L@b5"


@pytest.mark.parametrize(
    ("letter", "first", "second"),
    [
        ("F", "d4", "d5"),
        ("B", "d2", "d7"),
        ("L", "c3", "e6"),
        ("R", "e3", "c6"),
        (".", "d3", "d6"),
        ("x", "d3", "d6"),
    ],
)
def test_commands_are_as_the_player_sees_them(letter, first, second):
    program = f"S=...,M={letter}..,L=..."
    after, _ = turn(stand("1M@d3 2M@d6"), program, program)
    assert squares(after, "1M", "2M") == f"1M@{first} 2M@{second}"


@pytest.mark.parametrize(
    ("before", "token", "clause"),
    [
        ("", "1:S=...,M=...,L=..,", "form"),
        ("", "1:S=...,M=...", "form"),
        ("", "1:M=...,S=...,L=...", "form"),
        ("", "1:S=...,M=...,L=...,pass=4L", "form"),
        ("", "1:S=...,M=...,L=...,pass=2", "form"),
        ("", "1:S=...,M=...,L=...,blitz,quick", "form"),
        ("", "1:S=...,M=...,L=...,dash=F,pass=2L", "form"),
        ("", "1:S=...,M=...,L=...,quick,quick", "form"),
        ("", "1:S=...,M=...,L=...\n", "form"),
        ("", "1:ball=h1", "form"),
        ("", "1:ball=a9", "form"),
        ("", "1:start=offence", "form"),
        ("", "foul", "form"),
        ("", "S=...,M=...,L=...", "form"),
        ("", f"3:{STILL}", "turn"),
        ("", "1:foul", "turn"),
        ("", "1:ball=d8", "turn"),
        ("", "1:pick=S", "turn"),
        ("", "1:start=ball", "turn"),
        ("", "1:take=S", "BAL-11.1"),
        ("", f"1:{STILL},pass=1S", "BAL-3.2"),
        ("", f"1:{STILL},pass=1S,dash=F", "BAL-3.2"),
        ("", f"1:{STILL},dash=.", "BAL-11.1"),
        ("", f"1:{STILL},quick", "BAL-11.1"),
        ("", f"1:{STILL},pass=1S,quick", "BAL-11.1"),
        ("", f"1:{STILL},blitz", "BAL-11.1"),
        (f"1:{STILL}", f"1:{STILL}", "turn"),
        (f"1:{STILL}", "1:take=S", "turn"),
        (f"1:{STILL}", "2:foul", "turn"),
        (f"1:{STILL}", "2:take=S", "BAL-11.1"),
        (f"1:{STILL} 1:foul", "1:foul", "turn"),
        (f"1:{STILL} 2:{STILL}", "2:foul", "turn"),
    ],
)
def test_refusals(before, token, clause):
    assert refusal(play_tokens(GAME, before, length="advanced"), token).clause == clause


@pytest.mark.parametrize(
    ("before", "token"),
    [
        ("", f"1:{STILL}"),
        ("", "1:foul"),
        ("", "1:start=ball"),
        ("", "1:take=S"),
        ("1:pick=S", "1:pick=M"),
        ("1:pick=S", "1:foul"),
        ("1:pick=S 2:pick=S", "1:start=ball"),
        ("1:pick=S 2:pick=M", "1:start=ball"),
        ("1:pick=S 2:pick=M", "2:pick=S"),
        ("1:pick=S 2:pick=M", f"2:{STILL}"),
        ("1:pick=S 2:pick=M 2:start=ball", "2:start=ball"),
    ],
)
def test_a_selection_awaits_picks_then_a_choice(before, token):
    assert refusal(play_tokens(GAME, before, opening="selection"), token).clause == "turn"


def test_the_end_is_the_end():
    basic = play_tokens(GAME, "1:S=...,M=F..,L=... 2:S=...,M=F..,L=...")
    assert basic.state.outcome == Outcome(2, "BAL-9.1")
    assert refusal(basic, f"1:{STILL}").clause == "over"


def test_a_program_is_secret_until_both_are_in():
    one = add_token(play_tokens(GAME, ""), "1:S=FFF,M=LLL,L=RRR,pass=2S")
    two = add_token(play_tokens(GAME, ""), "1:S=BBB,M=...,L=.x.")
    assert last_effects(one) == last_effects(two) == (Sealed(1),)
    first, second = one.state.position, two.state.position
    assert first.sealed == second.sealed == (1,)
    for seat in (2, None):
        assert first.view(seat) == second.view(seat)
        assert GAME.scene(first.view(seat)) == GAME.scene(second.view(seat))
    assert GAME.scene(first) == GAME.scene(second)
    assert first.awaiting() == second.awaiting()
    assert list(GAME.legal(first, 2)) == list(GAME.legal(second, 2))
    assert first.view(1) != second.view(1)
    assert "S=FFF,M=LLL,L=RRR,pass=2S" in str(GAME.scene(first.view(1)))
    for token in ("2:foul", "1:ball=d8", f"1:{STILL}", f"2:{STILL},blitz", "2:take=S"):
        assert refusal(one, token) == refusal(two, token)
    opened = add_token(one, f"2:{STILL}")
    assert opened.state.position.sealed == ()
    assert last_effects(opened)[:3] == (
        Sealed(2),
        Revealed(1, "FFF", "LLL", "RRR", Pass(2, "S")),
        Revealed(2, "...", "...", "..."),
    )


def test_a_pick_is_secret_until_both_are_in():
    one, two = (play_tokens(GAME, f"2:pick={size}", opening="selection") for size in "SM")
    assert last_effects(one) == last_effects(two) == (Sealed(2),)
    for seat in (1, None):
        assert GAME.scene(one.state.position.view(seat)) == GAME.scene(
            two.state.position.view(seat)
        )
    assert one.state.position.view(2) != two.state.position.view(2)
    assert refusal(one, "2:pick=M") == refusal(two, "2:pick=M")


def test_the_order_of_sealing_does_not_matter():
    programs = ("1:S=FRF,M=RF.,L=FF.,pass=3S", "2:S=FFL,M=LFF,L=FRR")
    one, two = (
        play_tokens(GAME, " ".join(tokens), length="advanced")
        for tokens in (programs, programs[::-1])
    )
    assert one.state == two.state
    assert last_effects(one)[1:] == last_effects(two)[1:]


def test_a_late_seat_stands_still():
    match = play_tokens(GAME, "2:S=F..,M=LF.,L=F..", length="advanced")
    awaited = {one.seat: (one.moves, one.must) for one in match.state.position.awaiting()}
    assert awaited == {1: (("program",), True), 2: (("foul",), False)}
    assert [GAME.token(move) for move in GAME.legal(match.state.position, 2)] == ["foul"]
    match = add_token(match, "2:foul")
    assert last_effects(match)[:2] == (Fouled(1), Revealed(2, "F..", "LF.", "F.."))
    assert squares(match.state.position, *PYRAMIDS) == "1S@f3 1M@d4 1L@b3 2S@f5 2M@e4 2L@b5"
    assert match.state.position.turn == 2
    assert match.state.position.sealed == ()


def test_rows_are_played_in_order_each_with_its_pass_first():
    position = stand("1M@d3* 1S@f3 2M@d6")
    _, facts = turn(position, "S=FFL,M=F.R,L=...,pass=2S", "S=...,M=FLB,L=...")
    told = [
        f"{fact.start}-{fact.end}" if isinstance(fact, Stepped | Completed) else fact.row
        for fact in only(facts, Stepped, Completed, Snapshot)
    ]
    assert " ".join(told) == (
        "f3-f4 d3-d4 d6-d5 row 1 d4-f4 f4-f5 d5-e5 row 2 f5-e5 d4-e4 e5-e6 row 3"
    )


def test_a_snapshot_ends_every_row():
    _, facts = turn(stand("1M@d4* 2M@a4"), "S=...,M=FFF,L=...", "S=...,M=.R.,L=...")
    assert only(facts, Snapshot)[1] == Snapshot(
        "row 2", ("a1", "d6", "c1", "e1", "a4", "g1"), "d6", "1M", ("2M",)
    )


def test_conflicts_halt_the_pyramids_that_the_rules_name():
    position = stand("1S@a4 1M@d4 2M@c4")
    after, facts = turn(position, "S=L.R,M=.FF,L=...", "S=...,M=L.R,L=...,pass=2S")
    # The small failed at the edge in row 1 and does not move in row 3.
    assert squares(after, "1S", "1M", "2M") == "1S@a4 1M@e6 2M@c4"
    assert only(facts, Failed) == [Failed(1, "S", "a4", None, "BAL-6.1")]
    pushed, facts = turn(stand("1M@d4 2M@c4"), "S=...,M=.F.,L=...", "S=...,M=L.F,L=...")
    assert squares(pushed, "1M", "2M") == "1M@e5 2M@d3"
    assert only(facts, Failed) == []
    assert only(facts, Snapshot)[-1].halted == ()


def test_a_halted_pyramid_does_not_dash():
    position = stand("1S@a4", scores=(0, 1), taken=("S", ""))
    after, _ = turn(position, "S=L..,M=...,L=...,dash=F")
    assert squares(after, "1S") == "1S@a4"


@pytest.mark.parametrize(
    ("first", "second", "why"),
    [
        ("S=...,M=.F.,L=...,pass=2S", STILL, "moves"),
        ("S=...,M=...,L=...,pass=2M", STILL, "itself"),
        (STILL, "S=...,M=...,L=...,pass=2S", "ball"),
        ("S=...,M=.x.,L=...,pass=2S", STILL, None),
        ("S=.F.,M=...,L=...,pass=2S", STILL, None),
        ("S=...,M=L..,L=...,pass=3S", STILL, None),
    ],
)
def test_when_a_pass_is_thrown(first, second, why):
    position, facts = turn(stand("1M@d4* 1S@f4"), first, second)
    if why is None:
        assert len(only(facts, Completed)) == 1
        assert holder(position) == "1S"
    else:
        assert [fact.why for fact in only(facts, Unthrown)] == [why]
        assert holder(position) == "1M"


def test_a_halted_carrier_may_throw():
    position, facts = turn(stand("1M@a4* 1S@f4"), "S=...,M=LR.,L=...,pass=2S")
    assert only(facts, Completed) == [Completed(1, "a4", "f4")]
    assert holder(position) == "1S"


def test_a_pass_is_thrown_in_its_row_only():
    # In row 2 the carrier moves; it stands still only in row 3, which is too late.
    position, facts = turn(stand("1M@d4* 1S@f4"), "S=...,M=.F.,L=...,pass=2S")
    assert only(facts, Completed) == []
    assert holder(position) == "1M"


def test_a_pyramid_that_wins_the_ball_throws_it_in_a_later_row():
    position = stand("1M@d4* 2M@d6 2S@f5")
    after, facts = turn(position, STILL, "S=...,M=FF.,L=...,pass=2S")
    assert [fact.why for fact in only(facts, Unthrown)] == ["ball"]
    after, facts = turn(position, STILL, "S=...,M=FF.,L=...,pass=3S")
    assert only(facts, Tackled, Completed) == [Tackled(2, "M", "d4"), Completed(2, "d4", "f5")]
    assert holder(after) == "2S"


@pytest.mark.parametrize(
    ("start", "end", "entered"),
    [
        ("a1", "b2", ""),
        ("a1", "d2", "b1 c2"),
        ("d2", "a1", "c2 b1"),
        ("a1", "a4", "a2 a3"),
        ("d4", "g4", "e4 f4"),
        ("a1", "d4", "b2 c3"),
        ("a1", "b3", "a2 b2"),
        ("b5", "a1", "b4 b3 a3 a2"),
        ("a1", "c4", "a2 b2 b3 c3"),
        ("c4", "a1", "c3 b3 b2 a2"),
        ("d4", "e4", ""),
    ],
)
def test_lines_of_passes(start, end, entered):
    found = line(BOARD.index[start], BOARD.index[end])
    assert [BOARD.names[at] for at in found] == entered.split()


def test_a_line_enters_just_the_squares_that_points_on_it_lie_inside():
    # 840 steps: no inner crossing of two grid lines falls between two neighbouring points.
    rng = random.Random(5)
    for _ in range(60):
        start, end = rng.sample(range(56), 2)
        columns, rows = BOARD.offset(start, end)
        inside = []
        for step in range(1, 840):
            # Twice 840 times the distance from the outer corner of square a1.
            x = 840 + 1680 * (start % 7) + 2 * step * columns
            y = 840 + 1680 * (start // 7) + 2 * step * rows
            if x % 1680 and y % 1680:
                square = y // 1680 * 7 + x // 1680
                if square not in (start, end) and square not in inside:
                    inside.append(square)
        assert line(start, end) == tuple(inside)


@pytest.mark.parametrize(
    ("pieces", "caught"),
    [
        ("1M@a4* 1S@b5 2M@a5 2S@b4", None),
        ("1M@a4* 1S@d5 2M@c4 2S@b5", None),
        ("1M@a4* 1S@d5 2M@c5", "2M"),
        ("1M@a4* 1S@d5 2M@b4", "2M"),
        ("1M@a4* 1S@d5 2M@c5 2L@b4", "2L"),
        ("1M@d5* 1S@a4 2M@c5 2L@b4", "2M"),
        ("1M@a4* 1S@d4 1L@c4", None),
        ("1M@a4* 1S@d4 2M@e4", None),
    ],
)
def test_passes(pieces, caught):
    after, facts = turn(stand(pieces), "S=...,M=...,L=...,pass=2S")
    if caught is None:
        assert holder(after) == "1S"
        assert after.table.scores == (0, 0)
        assert only(facts, Intercepted) == []
    else:
        assert holder(after) == caught
        assert after.table.scores == (0, 1)
        assert only(facts, Point, Turnover) == [Point(2, (0, 1)), Turnover(2)]
        assert only(facts, Completed) == []


def test_positions_of_a_pass_are_those_before_the_moves_of_its_row():
    # The defender steps into the line in the row of the pass: too late.
    after, _ = turn(stand("1M@a4* 1S@d4 2M@b5"), "S=...,M=...,L=...,pass=2S", "S=...,M=.F.,L=...")
    assert holder(after) == "1S"
    after, _ = turn(stand("1M@a4* 1S@d4 2M@b5"), "S=...,M=...,L=...,pass=2S", "S=...,M=F..,L=...")
    assert holder(after) == "2M"


def test_a_pass_into_the_goal_row_is_a_goal():
    after, facts = turn(stand("1M@d4* 1S@f8"), "S=...,M=...,L=.F.,pass=2S")
    assert only(facts, Goal, Point) == [Goal(1, "S", "f8"), Point(1, (1, 0))]
    assert after.table.stage == "place"
    # The moves of that row come after the ball is placed.
    assert only(facts, Stepped) == []
    assert squares(after, "1L") == "1L@a1"
    assert [fact.row for fact in only(facts, Snapshot)] == ["row 1", "row 2"]
    _, facts = turn(stand("1M@b4* 1S@b1", low=2), "S=...,M=...,L=...,pass=2S")
    assert only(facts, Goal) == [Goal(1, "S", "b1")]


def test_roles_change_before_the_moves_of_an_interception():
    # Seat 1 lost the ball in the pass, so its small pushes the standing interceptor.
    after, facts = turn(stand("1M@a4* 1L@g4 1S@d3 2M@d4"), "S=.F.,M=...,L=...,pass=2L", STILL)
    assert only(facts, Intercepted) == [Intercepted(1, "a4", "g4", "d4")]
    assert only(facts, Tackled) == [Tackled(1, "S", "d4")]
    assert squares(after, "1S", "2M") == "1S@d4 2M@d5"
    assert after.table.scores == (1, 1)


def test_the_interceptor_throws_nothing_in_the_same_row():
    after, facts = turn(
        stand("1M@a4* 1L@g4 2M@d4 2S@d6"),
        "S=...,M=...,L=...,pass=2L",
        "S=...,M=...,L=...,pass=2S",
    )
    assert holder(after) == "2M"
    assert only(facts, Unthrown) == [Unthrown(2, "ball")]


CONFLICTS = """
# Worked examples of the rules.
1M@d4N* 2M@d5S | 1M@d3 2M@d4 | 1M:6.5
1M@a4* 2M@b4W | 1M@a4 2M@b4 | 2M:6.9
1M@d4 1S@d3 2M@c4E 2S@d2N | 1M@e4 1S@d3 2M@d4 2S@d2 | 2S:6.9
1S@c4 1M@d4 1L@d3 2M@b4E 2S@d2N | 1S@c4 1M@d4 1L@d3 2M@b4 2S@d2 | 2S:6.10 2M:6.10
2M@c4E 2S@e4W 1M@d3N | 2M@c4 2S@e4 1M@d3 | 1M:6.3 2S:6.2 2M:6.2
1M@d4N 2M@d5E 1S@e5S 2S@e4W | 1M@d5 2M@e5 1S@e4 2S@d4 |
# BAL-6.1
1M@a4W | 1M@a4 | 1M:6.1
1M@d8N | 1M@d8 | 1M:6.1
2M@g4E | 2M@g4 | 2M:6.1
2M@f2S 2S@f3S | 2M@f1 2S@f2 |
1M@a4W 1S@b4W | 1M@a4 1S@b4 | 1S:6.6 1M:6.1
1M@g4E 1S@a5W | 1M@g4 1S@a5 | 1S:6.1 1M:6.1
# BAL-6.2
2M@c4E 2S@e4W | 2M@c4 2S@e4 | 2S:6.2 2M:6.2
2M@c4E 2S@e4W 2L@d5S | 2M@c4 2S@e4 2L@d5 | 2S:6.2 2M:6.2 2L:6.2
2M@c4E 2S@e4W 1M@d4 | 2M@c4 2S@e4 1M@d4 | 2S:6.2 2M:6.2
# BAL-6.3
1M@c4E 2S@e4W | 1M@c4 2S@d4 | 1M:6.3
1M@c4E 1S@d5S 2S@e4W | 1M@c4 1S@d5 2S@d4 | 1S:6.3 1M:6.3
1M@c4E 2S@e4W 2M@d4 | 1M@c4 2S@e4 2M@d4 | 1M:6.3 2S:6.7
# BAL-6.4
1M@c4E 1S@e4W | 1M@c4 1S@e4 | 1S:6.4 1M:6.4
1M@c4E 1S@e4W 1L@d3N | 1M@c4 1S@e4 1L@d3 | 1S:6.4 1M:6.4 1L:6.4
# BAL-6.5
1M@c4E 1S@d4W | 1M@c4 1S@d4 | 1S:6.5 1M:6.5
2M@c4E 2S@d4W | 2M@c4 2S@d4 | 2S:6.5 2M:6.5
1M@a4E 2M@b4W | 1M@a4 2M@b4 | 1M:6.5 2M:6.9
2M@c4E 2S@d4W 2L@d5S | 2M@c4 2S@d4 2L@d5 | 2S:6.5 2M:6.2 2L:6.2
1M@c4E 2M@d4W 1S@d5S | 1M@b4 2M@c4 1S@d5 | 1S:6.4 1M:6.4
# BAL-6.6
1M@c4E 1S@d4 | 1M@c4 1S@d4 | 1M:6.6
1M@c4E 2S@d4 | 1M@c4 2S@d4 | 1M:6.6
1M@c4E 1S@d4E 1L@e4E 2M@f4 | 1M@c4 1S@d4 1L@e4 2M@f4 | 1S:6.6 1M:6.6 1L:6.6
1M@c4E 2M@d4E 2S@e4 | 1M@c4 2M@d4 2S@e4 | 1M:6.6 2M:6.7
# BAL-6.7
2M@c4E 2S@d4 | 2M@c4 2S@d4 | 2M:6.7
2L@b4E 2M@c4E 2S@d4 | 2L@b4 2M@c4 2S@d4 | 2M:6.7 2L:6.7
# BAL-6.8
1M@d4 2M@c4E | 1M@e4 2M@d4 |
1M@d4 1S@e4 2M@c4E | 1M@e4 1S@f4 2M@d4 |
1M@d4 1S@e4 1L@f4 2M@c4E | 1M@e4 1S@f4 1L@g4 2M@d4 |
1M@d4 1S@e4N 2M@c4E | 1M@e4 1S@e5 2M@d4 |
1M@d4 2S@e4N 2M@c4E | 1M@e4 2S@e5 2M@d4 |
1M@d4N 1S@d5 2M@c4E | 1M@e4 1S@d5 2M@d4 | 1M:6.6
1S@d4E 1M@e4 2M@c4E | 1S@e4 1M@f4 2M@d4 | 1S:6.6
1M@d4 1S@b4E 2M@c4E | 1M@e4 1S@c4 2M@d4 |
1M@d4 1S@d6 2M@c4E 2S@d7S | 1M@e4 1S@d5 2M@d4 2S@d6 |
# BAL-6.9
1M@g4 2M@f4E | 1M@g4 2M@f4 | 2M:6.9
1M@f4 1S@g4 2M@e4E | 1M@f4 1S@g4 2M@e4 | 2M:6.9
1M@d4 2M@c4E 2S@e4 | 1M@d4 2M@c4 2S@e4 | 2M:6.9
1M@d4 1S@e4 2M@c4E 2S@f4 | 1M@d4 1S@e4 2M@c4 2S@f4 | 2M:6.9
1M@d4 2M@c4E 2S@e5S | 1M@d4 2M@c4 2S@e4 | 2M:6.9
1M@d4 2M@c4E 2S@e5S 2L@e3N | 1M@d4 2M@c4 2S@e5 2L@e3 | 2S:6.2 2M:6.9 2L:6.2
1M@d4 1S@e4 2M@c4E 2S@e5S | 1M@d4 1S@e3 2M@c4 2S@e4 | 2M:6.9
1M@d4 2M@c4E 2S@e4N 1S@e5 | 1M@e4 2M@d4 2S@e5 1S@e6 |
1M@d4 2M@c4E 2S@e4E 2L@f4 | 1M@d4 2M@c4 2S@e4 2L@f4 | 2S:6.7 2M:6.9
1M@d4N 1S@d5N 1L@d6 2M@c4E 2S@e4 | 1M@d4 1S@d5 1L@d6 2M@c4 2S@e4 | 1S:6.6 1M:6.6 2M:6.9
# BAL-6.10
1M@d4 1S@e5 2M@c4E 2S@e6S | 1M@d4 1S@e5 2M@c4 2S@e6 | 2S:6.10 2M:6.10
1M@d4 1S@f4 2M@c4E 2S@g4W | 1M@d4 1S@f4 2M@c4 2S@g4 | 2S:6.10 2M:6.10
1M@d4 1S@e4 2M@c4E 2S@f4W | 1M@d4 1S@e4 2M@c4 2S@f4 | 2S:6.9 2M:6.9
1M@d4 1S@e5 1L@f4 2M@c4E 2S@e6S 2L@g4W | | 2S:6.10 2M:6.10 2L:6.10
1M@b4 1S@f4 2M@a4E 2S@g4W | 1M@c4 1S@e4 2M@b4 2S@f4 |
1M@d4 1S@f4 1L@e5S 2M@c4E 2S@g4W | 1L@e4 | 2S:6.10 2M:6.10
1M@d4 1S@e4 1L@f5 2M@c4E 2S@f6S | 1M@d4 1S@e4 1L@f5 2M@c4 2S@f6 | 2S:6.10 2M:6.10
# BAL-6.11
1M@d4 2M@c4E 1S@e5S | 1M@e4 2M@d4 1S@e5 | 1S:6.11
1M@d4 2M@c4E 1S@e5S 1L@e6S | 1M@e4 2M@d4 1S@e5 1L@e6 | 1S:6.11 1L:6.6
1M@d4 2M@c4E 1S@e5S 2S@f5W | 1M@e4 2M@d4 1S@d5 2S@e5 | 1S:6.11
1M@d4 2M@c4E 1S@e5S 2S@e6S | 1M@d4 2M@c4 1S@e5 2S@e6 | 1S:6.11 2S:6.10 2M:6.10
1M@d4 1S@e4 2M@c4E 1L@f5S | 1M@e4 1S@f4 2M@d4 1L@f5 | 1L:6.11
# BAL-6.12
1M@c4E 1S@d4E | 1M@d4 1S@e4 |
2M@c4E 2S@d4E | 2M@d4 2S@e4 |
1M@c4E 2M@d4E | 1M@d4 2M@e4 |
1M@d4E 2M@c4E | 1M@e4 2M@d4 |
1M@c4N 1S@c5E 1L@d5S 2M@d4W | 1M@c5 1S@d5 1L@d4 2M@c4 |
"""
"""Places and headings, the places after the row, and the failures by their part of BAL-6."""


@pytest.mark.parametrize(
    "case", [case for case in CONFLICTS.splitlines() if case and not case.startswith("#")]
)
def test_conflicts(case):
    pieces, end, failures = (part.strip() for part in case.split("|"))
    after, facts = one_row(pieces)
    named = [piece[:2] for piece in end.split()]
    assert squares(after, *named) == end
    told = {f"{fact.seat}{fact.size}:{fact.clause[4:]}" for fact in only(facts, Failed)}
    assert told == set(failures.split())
    others = [name for name in PYRAMIDS if name not in named]
    assert squares(after, *others) == squares(stand(pieces), *others)


def test_a_failed_move_that_is_pushed_on_is_told_once():
    _, facts = one_row("1S@d4E 1M@e4 2M@c4E")
    assert only(facts, Stepped, Pushed, Failed) == [
        Failed(1, "S", "d4", "e4", "BAL-6.6"),
        Pushed(1, "M", "e4", "f4"),
        Pushed(1, "S", "d4", "e4"),
        Stepped(2, "M", "c4", "d4"),
    ]


CLOSED = {"carrier": NOBODY, "offence": 1, "closed": ClosedRow(1, 7), "loose": BOARD.index["a8"]}
RECOVERED = {"closed": ClosedRow(1, 7)}


@pytest.mark.parametrize(
    ("pieces", "fields", "end", "failures"),
    [
        ("1M@d7N", CLOSED, "1M@d7", "1M:6.1"),
        ("1M@d8E", CLOSED, "1M@d8", "1M:6.1"),
        ("1M@d8S", CLOSED, "1M@d7", ""),
        ("2M@d7N", CLOSED, "2M@d8", ""),
        ("1M@d2S", CLOSED, "1M@d1", ""),
        ("1M@d7N 2M@c8E", CLOSED, "1M@d7 2M@d8", "1M:6.1"),
        # It tries no square, so the offence may enter a square that shuts out a defender.
        ("1M@d7N 2M@c8E 2S@a8*", RECOVERED, "1M@d7 2M@d8", "1M:6.1"),
        ("1M@d7N 1S@e7N", CLOSED, "1M@d7 1S@e7", "1S:6.1 1M:6.1"),
        ("1M@d8W 2M@c8E", CLOSED, "1M@e8 2M@d8", "1M:6.1"),
    ],
)
def test_closed_rows_and_moves(pieces, fields, end, failures):
    after, facts = one_row(pieces, **fields)
    assert squares(after, *(piece[:2] for piece in end.split())) == end
    assert [f"{f.seat}{f.size}:{f.clause[4:]}" for f in only(facts, Failed)] == failures.split()


@pytest.mark.parametrize(
    ("pieces", "end", "failures"),
    [
        ("1M@d7 2M@d6N", "1M@d7 2M@d6", "2M:6.9"),
        ("1M@d6 1S@d7 2M@d5N", "1M@d6 1S@d7 2M@d5", "2M:6.9"),
        ("1M@d8 2M@c8E", "1M@e8 2M@d8", ""),
        ("1M@d8 1S@e8 2M@c8E", "1M@e8 1S@f8 2M@d8", ""),
        ("1M@d6 2M@d5N", "1M@d7 2M@d6", ""),
        ("1M@d7 2M@c7E", "1M@e7 2M@d7", ""),
        ("1M@d2 2M@d3S", "1M@d1 2M@d2", ""),
    ],
)
def test_closed_rows_and_pushes(pieces, end, failures):
    parked = " ".join(f"{name}@{at}" for name, at in (("1L", "a3"), ("2L", "g3")))
    after, facts = one_row(f"{pieces} {parked}", **CLOSED)
    assert squares(after, *(piece[:2] for piece in end.split())) == end
    assert [f"{f.seat}{f.size}:{f.clause[4:]}" for f in only(facts, Failed)] == failures.split()


def test_a_failure_says_what_stopped_it():
    _, facts = one_row("1M@d7N 1S@a4W", **CLOSED)
    assert [fact.words() for fact in only(facts, Failed)] == [
        "the small of seat 1 on a4 cannot move: the board ends there (BAL-6.1)",
        "the medium of seat 1 on d7 cannot move to d8: that row is closed to it (BAL-6.1)",
    ]


@pytest.mark.parametrize(
    ("pieces", "tackler", "ball"),
    [
        ("1M@d4* 2M@d5S", "2M", "2M"),
        ("1M@d4N* 2M@d5S", "2M", "2M"),
        ("1M@d4* 1S@d3 2M@d5S", "2M", "2M"),
        ("1M@d4* 1S@d5 2M@d6S", None, "1M"),
        ("1M@d4E* 2M@d5S", None, "1M"),
        ("1M@a4* 2M@b4W", None, "1M"),
        ("1M@d4 1S@f4* 2M@d5S", None, "1S"),
        ("1M@d4* 2M@d5S 2S@d3", None, "1M"),
    ],
)
def test_tackles(pieces, tackler, ball):
    after, facts = one_row(pieces)
    assert holder(after) == ball
    assert [f"{fact.seat}{fact.size}" for fact in only(facts, Tackled)] == (
        [tackler] if tackler else []
    )
    assert after.table.scores == (0, 1 if tackler else 0)


def test_a_tackle_is_told_in_order():
    _, facts = one_row("1M@d4* 2M@d5S")
    assert facts[3:8] == (
        Pushed(1, "M", "d4", "d3"),
        Stepped(2, "M", "d5", "d4"),
        Tackled(2, "M", "d4"),
        Point(2, (0, 1)),
        Turnover(2),
    )


@pytest.mark.parametrize(
    ("pieces", "fields", "goal"),
    [
        ("1M@d7N*", {}, Goal(1, "M", "d8")),
        ("1M@c7* 1S@c6 2M@c5N", {}, Goal(1, "M", "c8")),
        ("1M@d7* 1S@e7N", {}, None),
        ("1M@d8E*", {}, None),
        ("1M@d6N*", {}, None),
        ("1M@d2S*", {}, None),
        ("2M@d2S*", {"offence": 2}, Goal(2, "M", "d1")),
        ("2M@d7N*", {"offence": 2}, None),
    ],
)
def test_goals(pieces, fields, goal):
    parked = "".join(
        f" {name}@{at}"
        for name, at in (("1S", "a3"), ("1L", "b3"), ("2S", "a5"), ("2L", "b5"), ("2M", "g5"))
        if name not in pieces
    )
    after, facts = one_row(pieces + parked, **fields)
    assert only(facts, Goal) == ([goal] if goal else [])
    assert sum(after.table.scores) == bool(goal)


def test_winning_the_ball_in_the_goal_row_is_no_goal():
    # Row 1 is where seat 2 scores; its medium tackles there, along the row.
    after, facts = one_row("1M@d1* 2M@c1E 1L@f3 1S@f4 2S@f5")
    assert only(facts, Tackled, Goal, Point) == [Tackled(2, "M", "d1"), Point(2, (0, 1))]
    assert holder(after) == "2M"
    intercepted, facts = turn(
        stand("1M@a1* 1S@g1 2M@d1 1L@f3 2S@f5 2L@f6"), "S=...,M=...,L=...,pass=2S"
    )
    assert only(facts, Intercepted, Goal) == [Intercepted(1, "a1", "g1", "d1")]
    assert intercepted.table.scores == (0, 1)


def scored(pieces: str, program: str = "S=...,M=F..,L=...", against: str = STILL) -> Play:
    """Return the position after the medium of seat 1 has scored in row 1 of the turn."""
    position, _ = turn(stand(pieces), program, against)
    assert position.table.stage == "place"
    return position


@pytest.mark.parametrize(
    ("pieces", "right"),
    [
        ("1M@d7*", "c8 e8"),
        ("1M@a7*", "b8"),
        ("1M@g7*", "f8"),
        ("1M@d7* 1S@c8", "b8 e8"),
        ("1M@d7* 2S@c8 2L@b8 1S@a8", "e8"),
        ("1M@d7* 2S@c8 2L@b8 1S@e8", "a8 f8"),
        ("1M@f7* 2S@g8 2L@e8", "d8"),
        ("1M@b7* 2S@a8 2L@g7", "c8"),
    ],
)
def test_the_ball_may_be_put_on_free_squares_of_the_rules(pieces, right):
    position = scored(pieces)
    assert [(one.seat, one.moves) for one in position.awaiting()] == [(2, ("ball",))]
    assert [move.at for move in GAME.legal(position, 2)] == right.split()
    assert list(GAME.legal(position, 1)) == []
    for name in BOARD.names:
        move = GAME.parse(f"ball={name}")
        assert move is not None
        found = move.check(position, 2)
        assert (found is None) == (name in right.split()), name
        assert found is None or found.clause == "BAL-10.1"


def put(position: Play, at: str) -> tuple[Play, tuple[Effect, ...]]:
    move = GAME.parse(f"ball={at}")
    assert move is not None
    assert move.check(position, position.table.seat) is None
    return move.evolve(position, position.table.seat)


def test_the_turn_waits():
    waiting = scored("1M@d7* 1S@d4 2M@e6", "S=FFF,M=FB.,L=...", "S=...,M=BBF,L=...")
    assert (holder(waiting), waiting.turn, waiting.sealed) == (None, 1, ())
    assert squares(waiting, "1S", "1M", "2M") == "1S@d5 1M@d8 2M@e7"
    for token, seat in (("take=S", 2), (STILL, 2), ("foul", 2)):
        move = GAME.parse(token)
        assert move is not None
        found = move.check(waiting, seat)
        assert found is not None
        assert found.clause == "turn"
    after, facts = put(waiting, "e8")
    assert facts[0] == BallPlaced(2, "e8")
    assert [fact.row for fact in only(facts, Snapshot)] == ["row 2", "row 3"]
    # Row 2: seat 2 recovers the ball and leaves the row with it in row 3.
    assert only(facts, Recovered) == [Recovered(2, "M", "e8")]
    assert squares(after, "1S", "1M", "2M") == "1S@d6 1M@d7 2M@e7"
    assert (after.turn, after.table.stage, holder(after)) == (2, "program", "2M")


def test_a_turn_that_waits_keeps_its_halted_pyramids():
    waiting = scored("1M@d7* 1S@a4", "S=LFF,M=F..,L=...")
    after, facts = put(waiting, "c8")
    assert squares(after, "1S") == "1S@a4"
    assert only(facts, Snapshot)[-1].halted == ("1S",)


def test_a_goal_in_the_last_row_ends_the_turn_with_the_ball_put():
    waiting = scored("1M@d5* 1S@a4", "S=...,M=FFF,L=...")
    assert waiting.turn == 1
    after, facts = put(waiting, "c8")
    assert facts == (BallPlaced(2, "c8"),)
    assert (after.turn, after.table.stage) == (2, "program")
    assert after.table.loose == BOARD.index["c8"]


def test_a_pass_goal_lets_the_moves_of_its_row_wait():
    waiting, _ = turn(stand("1M@d4* 1S@f8 2M@g7"), "S=.B.,M=...,L=...,pass=2S", "S=...,M=.B.,L=...")
    assert [move.at for move in GAME.legal(waiting, 2)] == ["e8", "g8"]
    after, facts = put(waiting, "g8")
    assert squares(after, "1S", "2M") == "1S@f7 2M@g8"
    assert [fact.row for fact in only(facts, Snapshot)] == ["row 2", "row 3"]
    assert only(facts, Unthrown) == []
    assert holder(after) == "2M"


def test_two_goals_in_one_turn_wait_twice():
    # Seat 2 recovers at once, reaches its row by a pass (row 8 to row 1) and scores too.
    waiting = scored(
        "1M@d7* 2M@e7 2S@g1 1S@a4 1L@a5 2L@a6",
        "S=...,M=F..,L=...",
        "S=...,M=.B.,L=...,pass=3S",
    )
    again, facts = put(waiting, "e8")
    assert only(facts, Recovered, Reopened, Goal) == [
        Recovered(2, "M", "e8"),
        Reopened(1, 8),
        Goal(2, "S", "g1"),
    ]
    assert again.table.stage == "place"
    assert again.table.scores == (1, 1)
    assert again.table.closed == ClosedRow(2, 0)
    assert [(one.seat, one.moves) for one in again.awaiting()] == [(1, ("ball",))]
    last, _ = put(again, "f1")
    assert last.turn == 2


def test_the_scoring_side_cannot_pick_the_ball_up():
    loose = {**CLOSED, "loose": BOARD.index["d8"]}
    # A pyramid in the row since before the goal is pushed onto the ball.
    after, facts = one_row("1M@c8 2M@b8E", **loose)
    assert squares(after, "1M", "2M") == "1M@d8 2M@c8"
    assert holder(after) is None
    assert after.table.offence == 1
    assert only(facts, Recovered) == []


def test_the_other_side_recovers_the_ball():
    loose = {**CLOSED, "loose": BOARD.index["d8"]}
    after, facts = one_row("2M@d7N", **loose)
    assert only(facts, Recovered, Turnover, Point) == [Recovered(2, "M", "d8"), Turnover(2)]
    assert (holder(after), after.table.offence, after.table.scores) == ("2M", 2, (0, 0))
    assert after.table.loose == -1
    # It must end a row there: pushing the offence off the ball's square does.
    pushed, _ = one_row("2M@c8E 1M@d8", **loose)
    assert holder(pushed) == "2M"
    failed, _ = one_row("2M@d7N 2S@c8E", **loose)
    assert holder(failed) is None


def test_a_loose_ball_is_not_passed():
    loose = {**CLOSED, "loose": BOARD.index["d8"]}
    after, facts = turn(stand("1M@d4", **loose), f"{STILL},pass=2S", f"{STILL},pass=2S")
    assert only(facts, Unthrown) == [Unthrown(1, "ball"), Unthrown(2, "ball")]
    assert holder(after) is None


def test_the_goal_row_is_closed_until_the_ball_has_left_it():
    position = scored("1M@d7* 2M@e7 1S@c7 2S@g5")
    assert position.table.closed == ClosedRow(1, 7)
    position, _ = put(position, "e8")
    recovered, facts = turn(position, STILL, "S=...,M=B..,L=...")
    assert only(facts, Recovered, Reopened) == [Recovered(2, "M", "e8")]
    assert recovered.table.closed == ClosedRow(1, 7)
    still, facts = turn(recovered, "S=F..,M=...,L=...", "S=...,M=.R.,L=...")
    assert still.table.closed == ClosedRow(1, 7)
    assert Failed(1, "S", "c7", "c8", "BAL-6.1") in facts
    # The carrier leaves in row 1, so the row is open in row 2 but was not in row 1.
    left, facts = turn(recovered, "S=.F.,M=...,L=...", "S=...,M=F..,L=...")
    assert only(facts, Reopened, Failed) == [Reopened(1, 8)]
    assert squares(left, "1S") == "1S@c8"
    late, facts = turn(recovered, "S=F..,M=...,L=...", "S=...,M=F..,L=...")
    assert squares(late, "1S") == "1S@c7"
    assert late.table.closed.seat == 0
    # A pass opens the row before the moves of its own row.
    thrown, facts = turn(recovered, "S=.F.,M=...,L=...", f"{STILL},pass=2S")
    assert [type(fact).__name__ for fact in only(facts, Reopened, Completed, Stepped)] == [
        "Reopened",
        "Completed",
        "Stepped",
    ]
    assert squares(thrown, "1S") == "1S@c8"


def test_an_intercepted_pass_opens_the_goal_row_too():
    after, facts = turn(
        stand("2M@e8* 2S@a8 1M@c8 1S@d7", closed=ClosedRow(1, 7)),
        "S=.F.,M=...,L=...",
        f"{STILL},pass=2S",
    )
    assert only(facts, Reopened, Intercepted) == [
        Reopened(1, 8),
        Intercepted(2, "e8", "a8", "c8"),
    ]
    assert after.table.closed.seat == 0
    assert squares(after, "1S") == "1S@d8"
    assert only(facts, Goal) == []


def test_the_turn_goes_on_with_changed_roles():
    # Tackled in row 1; in row 2 seat 1 defends and tackles back.
    after, facts = turn(stand("1M@d4* 1S@e5 2M@d5"), "S=.L.,M=...,L=...", "S=...,M=F.B,L=...")
    assert after.table.scores == (0, 1)
    assert squares(after, "1S", "2M") == "1S@d5 2M@d4"
    after, facts = turn(stand("1M@d4* 1S@c4 2M@d5"), "S=.R.,M=...,L=...", "S=...,M=F..,L=...")
    assert only(facts, Tackled) == [Tackled(2, "M", "d4"), Tackled(1, "S", "d4")]
    assert after.table.scores == (1, 1)
    assert squares(after, "1S", "2M") == "1S@d4 2M@e4"


def test_special_moves_are_taken_for_points():
    match = play_tokens(GAME, f"1:{STILL} 2:S=...,M=F..,L=...", length="advanced")
    assert match.state.position.table.scores == (0, 1)
    assert [one.moves for one in match.state.position.awaiting()] == [
        ("program", "take"),
        ("program",),
    ]
    assert [GAME.token(move) for move in GAME.legal(match.state.position, 1)] == [
        "take=S",
        "take=M",
        "take=L",
    ]
    assert refusal(match, "2:take=S").clause == "BAL-11.1"
    assert refusal(match, f"1:{STILL},dash=F").clause == "BAL-11.1"
    assert "take it first" in refusal(match, f"1:{STILL},dash=F").message
    match = add_token(match, "1:take=S")
    assert last_effects(match) == (Taken(1, "S"),)
    assert match.state.position.turn == 2
    assert list(GAME.legal(match.state.position, 1)) == []
    assert refusal(match, "1:take=S").clause == "BAL-11.1"
    assert refusal(match, "1:take=M").clause == "BAL-11.1"
    assert refusal(match, f"1:{STILL},blitz").clause == "BAL-11.1"
    add_token(match, f"1:{STILL},dash=F")


def test_a_special_move_may_be_taken_later_and_while_the_other_has_sealed():
    match = play_tokens(GAME, f"1:{STILL} 2:S=...,M=F..,L=...", length="advanced")
    match = add_token(add_token(match, f"1:{STILL}"), f"2:{STILL}")
    match = add_token(match, f"2:{STILL}")
    sealed = add_token(match, "1:take=L")
    assert sealed.state.position.sealed == (2,)
    assert sealed.state.position.table.taken == ("L", "")
    taken = stand("1M@d4", scores=(0, 3), taken=("SML", ""))
    assert list(GAME.legal(taken, 1)) == []
    two = stand("1M@d4", scores=(2, 0), taken=("", "M"))
    assert [GAME.token(move) for move in GAME.legal(two, 2)] == ["take=S", "take=L"]
    again = Take("M").check(two, 2)
    assert again is not None
    assert again.clause == "BAL-11.1"


def test_a_special_move_is_used_once():
    position = stand("1S@d4", scores=(0, 1), taken=("S", ""))
    after, _ = turn(position, f"{STILL},dash=.")
    assert after.table.used == ("S", "")
    for token, clause in (
        (f"{STILL},dash=F", "BAL-11.2"),
        (f"{STILL},dash=F,blitz", "BAL-11.1"),
        (f"{STILL},pass=1L,dash=F", "BAL-3.2"),
        ("take=S", "BAL-11.1"),
    ):
        move = GAME.parse(token)
        assert move is not None
        found = move.check(after, 1)
        assert found is not None
        assert found.clause == clause, token


def test_a_foul_uses_up_nothing_of_the_late_seat():
    position = stand("1S@d4", scores=(1, 1), taken=("S", "S"))
    one, _ = Program("...", "...", "...", None, "F").evolve(position, 1)
    foul = GAME.parse("foul")
    assert foul is not None
    assert foul.check(one, 1) is None
    after, facts = foul.evolve(one, 1)
    assert after.table.used == ("S", "")
    assert squares(after, "1S") == "1S@d5"
    assert only(facts, Revealed) == [Revealed(1, "...", "...", "...", None, "F")]


@pytest.mark.parametrize(
    ("fields", "pieces", "seat", "token", "clause"),
    [
        ({}, "1M@d4*", 1, "quick", None),
        ({}, "1S@d4*", 1, "quick", "BAL-11.4"),
        ({}, "1M@d4*", 2, "quick", "BAL-11.4"),
        ({}, "1M@d4*", 1, "blitz", "BAL-11.5"),
        ({}, "1S@d4*", 1, "blitz", "BAL-11.5"),
        ({}, "1M@d4*", 2, "blitz", None),
        ({}, "2M@d4*", 1, "blitz", None),
        ({}, "2M@d4*", 2, "quick", None),
        ({}, "1M@d4*", 1, "quick,blitz", "BAL-11.5"),
        ({}, "1M@d4*", 2, "quick,blitz", "BAL-11.4"),
        ({}, "1M@d4*", 1, "dash=x", None),
        ({}, "1M@d4*", 2, "dash=F", None),
        (CLOSED, "1M@d4", 1, "blitz", None),
        (CLOSED, "1M@d4", 2, "blitz", None),
        (CLOSED, "1M@d4", 1, "quick", "BAL-11.4"),
        (CLOSED, "1M@d4", 2, "quick", "BAL-11.4"),
    ],
)
def test_only_entitled_seats_may_use_special_moves(fields, pieces, seat, token, clause):
    position = stand(pieces, taken=("SML", "SML"), scores=(3, 3), **fields)
    move = GAME.parse(f"{STILL},{token}")
    assert move is not None
    found = move.check(position, seat)
    assert (found.clause if found else None) == clause


def special(pieces: str, first: str, second: str = STILL, **fields: object):
    """Play a turn in which both sides have all special moves."""
    return turn(stand(pieces, taken=("SML", "SML"), scores=(3, 3), **fields), first, second)


def test_dashes_are_a_fourth_row():
    after, facts = special("1S@d4 2S@d7", "S=F..,M=...,L=...,dash=F", "S=...,M=...,L=...,dash=F")
    assert squares(after, "1S", "2S") == "1S@d5 2S@d6"
    assert [fact.row for fact in only(facts, Snapshot)] == ["row 1", "row 2", "row 3", "dash row"]
    one, _ = special("1S@d4", "S=FRF,M=...,L=...,dash=F")
    assert squares(one, "1S") == "1S@e7"
    both, facts = special("1S@d4 2S@d6", f"{STILL},dash=F", f"{STILL},dash=F")
    assert squares(both, "1S", "2S") == "1S@d4 2S@d5"
    assert only(facts, Failed) == [Failed(1, "S", "d4", "d5", "BAL-6.3")]


def test_a_dash_scores_and_ends_the_turn():
    waiting, facts = special("1S@d7* 2M@e7", f"{STILL},dash=F")
    assert only(facts, Goal) == [Goal(1, "S", "d8")]
    after, facts = put(waiting, "c8")
    assert facts == (BallPlaced(2, "c8"),)
    assert after.turn == 2


def test_the_quick_pass():
    after, facts = special("1M@d4* 1S@f4", "S=F..,M=...,L=...,pass=1S,quick")
    assert only(facts, Completed) == [Completed(1, "d4", "f4")]
    assert (holder(after), after.table.used) == ("1S", ("M", ""))
    moved, facts = special("1M@d4* 1S@f4", "S=...,M=F..,L=...,pass=1S,quick")
    assert only(facts, Unthrown) == [Unthrown(1, "moves")]
    assert (holder(moved), moved.table.used) == ("1M", ("M", ""))
    ordinary, facts = special("1M@d4* 1S@f4", "S=...,M=...,L=...,pass=3S,quick")
    assert only(facts, Completed) == [Completed(1, "d4", "f4")]
    assert ordinary.table.used == ("M", "")
    itself, facts = special("1M@d4* 1S@f4", f"{STILL},pass=1M,quick")
    assert only(facts, Unthrown) == [Unthrown(1, "itself")]
    assert holder(itself) == "1M"


def test_the_blitz():
    after, facts = special("1M@d4* 2L@a8", "S=...,M=FF.,L=...", "S=...,M=...,L=FFL,blitz")
    rows = [fact.row for fact in only(facts, Snapshot)]
    assert rows == ["row 1", "first blitz row", "second blitz row", "row 2", "row 3"]
    assert squares(after, "2L", "1M") == "2L@b6 1M@d6"
    snapshots = only(facts, Snapshot)
    # Only that pyramid moves in the extra rows; the large does not move in rows 2 and 3.
    assert [(one.squares[1], one.squares[5]) for one in snapshots] == [
        ("d5", "a7"),
        ("d5", "a6"),
        ("d5", "b6"),
        ("d6", "b6"),
        ("d6", "b6"),
    ]
    halted, _ = special("1M@d4* 2L@a8", STILL, "S=...,M=...,L=RFF,blitz")
    assert squares(halted, "2L") == "2L@a8"


def test_both_may_blitz_while_the_ball_lies_loose():
    after, facts = special(
        "1L@d3 2L@d6",
        "S=...,M=...,L=FFF,blitz",
        "S=...,M=...,L=.F.,blitz",
        **{**CLOSED, "loose": BOARD.index["g8"]},
    )
    assert squares(after, "1L", "2L") == "1L@d4 2L@d5"
    assert only(facts, Failed) == [Failed(1, "L", "d4", "d5", "BAL-6.3")]


def test_a_blitzing_large_that_tackles_may_throw_in_row_two():
    after, facts = special("1M@d4* 2L@d5 2S@g5", STILL, "S=...,M=...,L=FLL,pass=2S,blitz")
    assert only(facts, Tackled, Completed) == [
        Tackled(2, "L", "d4"),
        Completed(2, "f4", "g5"),
    ]
    assert holder(after) == "2S"


def test_several_special_moves_in_one_turn():
    after, facts = special(
        "1M@d4* 1S@f4", "S=F..,M=...,L=...,pass=1S,dash=F,quick", "S=...,M=...,L=...,dash=F,blitz"
    )
    assert after.table.used == ("SM", "SL")
    assert len(only(facts, Snapshot)) == 6
    assert squares(after, "1S") == "1S@f6"


def test_turns_are_numbered_by_programming():
    match = play_tokens(
        GAME, "1:pick=S 2:pick=S 1:pick=S 2:pick=M", opening="selection", length="advanced"
    )
    assert match.state.position.turn == 1
    match = add_token(match, "2:start=defend")
    assert match.state.position.turn == 1
    match = add_token(match, f"1:{STILL}")
    assert match.state.position.turn == 1
    match = add_token(match, f"2:{STILL}")
    assert match.state.position.turn == 2


def test_programs_in_json_leave_out_what_is_absent():
    for token, data in (
        (STILL, '{"type":"program","S":"...","M":"...","L":"..."}'),
        (
            "S=FR.,M=..F,L=LLx,pass=2L,dash=x,quick,blitz",
            '{"type":"program","S":"FR.","M":"..F","L":"LLx","pass":{"row":2,"to":"L"},'
            '"dash":"x","quick":true,"blitz":true}',
        ),
        ("start=ball", '{"type":"start","with":"ball"}'),
        ("foul", '{"type":"foul"}'),
        ("ball=c8", '{"type":"ball","at":"c8"}'),
        ("take=S", '{"type":"take","size":"S"}'),
        ("pick=M", '{"type":"pick","size":"M"}'),
    ):
        move = GAME.parse(token)
        assert move is not None
        assert msgspec.json.encode(move).decode() == data
        assert GAME.decode(data) == move
        assert GAME.token(move) == token


@pytest.mark.parametrize(
    "data",
    [
        '{"type":"program","S":"FR.","M":"..F"}',
        '{"type":"program","S":"FR.","M":"..F","L":"FF"}',
        '{"type":"program","S":"FR.","M":"..F","L":"FFf"}',
        '{"type":"program","S":"FR.\\n","M":"..F","L":"FFF"}',
        '{"type":"program","S":"FR.","M":"..F","L":"FFF","pass":{"row":4,"to":"L"}}',
        '{"type":"program","S":"FR.","M":"..F","L":"FFF","pass":{"row":2,"to":"L","by":"S"}}',
        '{"type":"program","S":"FR.","M":"..F","L":"FFF","pass_":{"row":2,"to":"L"}}',
        '{"type":"program","S":"FR.","M":"..F","L":"FFF","dash":"FF"}',
        '{"type":"program","S":"FR.","M":"..F","L":"FFF","quick":1}',
        '{"type":"ball","at":"h1"}',
        '{"type":"pick","size":"XL"}',
        '{"type":"start","with":"luck"}',
        '{"type":"foul","seat":1}',
    ],
)
def test_malformed_json_is_refused(data):
    with pytest.raises(msgspec.ValidationError):
        GAME.decode(data)


def test_a_turn_is_drawn_row_by_row():
    position = stand("1M@d4* 1S@f3 2M@c4 2S@a6")
    after, facts = turn(position, "S=F..,M=...,L=...,pass=3S", "S=R..,M=L..,L=...")
    scene = GAME.scene(after, facts)
    assert [frame.caption.split(":")[0] for frame in scene.frames] == ["row 1", "row 2", "row 3"]
    arrows = {(one.kind, one.start, one.end) for one in scene.frames[0].arrows}
    # The small on a6 fails at the edge: its arrow leads nowhere.
    assert arrows == {
        ("push", "d4", "e4"),
        ("move", "c4", "d4"),
        ("move", "f3", "f4"),
        ("failed", "a6", "a6"),
    }
    assert "program S F.., M ..., L ..., pass in row 3 to S" in scene.trays[0].lines
    assert {(one.start, one.end) for one in scene.arrows} == {
        ("d4", "e4"),
        ("c4", "d4"),
        ("f3", "f4"),
    }
    failed, facts = turn(stand("1M@d4* 2M@a4 2S@b4"), STILL, "S=...,M=L..,L=...")
    frames = GAME.scene(failed, facts).frames
    assert [(one.kind, one.start, one.end) for one in frames[0].arrows] == [("failed", "a4", "b4")]
    halted = [
        cell.at
        for cell in frames[2].panels[0].cells
        for piece in cell.pieces
        if "halted" in piece.badges
    ]
    assert halted == ["a4"]


def test_the_ball_is_drawn_with_its_carrier_or_loose():
    start = GAME.start()

    def balls(scene):
        return [
            (cell.at, piece.shape)
            for cell in scene.panels[0].cells
            for piece in cell.pieces
            if piece.shape == "ball" or "ball" in piece.badges
        ]

    assert balls(GAME.scene(start)) == [("d4", "pyramid")]
    waiting = scored("1M@d7* 2M@e7 1S@c7")
    after, facts = put(waiting, "e8")
    assert balls(GAME.scene(after, facts)) == [("e8", "ball")]
    assert balls(GAME.scene(after, facts).frames[0]) == [("e8", "ball")]
    grounds = {cell.at: cell.ground for cell in GAME.scene(start).panels[0].cells}
    assert (grounds["a1"], grounds["a8"], grounds["a4"]) == ("goal1", "goal2", "")


def test_any_row_leaves_six_pyramids_on_six_squares():
    rng = random.Random(7)
    patch = [BOARD.index[a + b] for a in "cdef" for b in "1238"]
    for _ in range(3000):
        before = rng.sample(patch, 6)
        steps = [rng.choice([(0, 0), (0, 1), (1, 0), (0, -1), (-1, 0)]) for _ in before]
        tried = [BOARD.step(at, step) for at, step in zip(before, steps, strict=True)]
        closed = ClosedRow(rng.choice((0, 0, 1, 2)), 7)
        offence = rng.choice((1, 2))
        places = enumerate(zip(before, tried, strict=True))
        tries = {one: to for one, (at, to) in places if to != at}
        moved, failed, pushes = settle(before, tries, offence, closed)
        pushed = {one: to for push in pushes.values() for one, to in push}
        after = [(moved | pushed).get(one, at) for one, at in enumerate(before)]
        assert len(set(after)) == 6
        assert min(after) >= 0
        for one, (at, to) in enumerate(zip(before, tried, strict=True)):
            if one in pushed:
                assert SEAT[one] == offence
                assert at == to or one in failed
            else:
                assert after[one] == (at if one in failed else to)
        assert not set(pushes) & set(failed)


def test_random_matches_keep_their_promises():
    rng = random.Random(11)
    finished = 0
    for _ in range(10):
        position = GAME.start(GAME.options(length="advanced"))
        for _ in range(2000):
            awaited = position.awaiting()
            if not awaited:
                break
            position, _ = _anything(rng, position, rng.choice(awaited).seat)
            table = position.table
            assert len(set(table.squares)) == 6
            assert (table.carrier == NOBODY) == (table.loose >= 0 or table.stage == "place")
            assert table.closed.seat in (
                0,
                table.offence if table.carrier == NOBODY else 3 - table.holder,
            )
            assert all(
                len(t) <= 3 and set(u) <= set(t)
                for t, u in zip(table.taken, table.used, strict=True)
            )
            assert (max(table.scores) == 6) == (position.outcome() is not None)
        finished += position.outcome() is not None
    assert finished > 6


def _anything(rng: random.Random, position: Play, seat: int) -> tuple[Play, tuple[Effect, ...]]:
    listed = list(GAME.legal(position, seat))
    if listed and (position.table.stage != "program" or rng.random() < 0.3):
        move = rng.choice(listed)
    elif position.secrets[seat - 1] is None:
        commands = ("".join(rng.choices("FBLRFBLR.", k=3)) for _ in range(3))
        to = rng.choice([None, Pass(2, rng.choice("SML")), Pass(3, rng.choice("SML"))])
        move = Program(*commands, to)
        extra = Program(move.S, move.M, move.L, to, "F", True, True)
        if extra.check(position, seat) is None:
            move = extra
    else:
        return position, ()
    assert move.check(position, seat) is None
    return move.evolve(position, seat)


def test_every_effect_can_be_said():
    rng = random.Random(3)
    said = set()
    for _ in range(6):
        position = GAME.start(GAME.options(length="advanced"))
        for seat in itertools.islice(itertools.cycle((1, 2)), 300):
            if any(one.seat == seat for one in position.awaiting()):
                position, facts = _anything(rng, position, seat)
                said |= {type(fact) for fact in facts if fact.words()}
    assert {
        Stepped,
        Pushed,
        Failed,
        Goal,
        BallPlaced,
        Recovered,
        Fouled,
        Tackled,
        Closed,
    } <= said
