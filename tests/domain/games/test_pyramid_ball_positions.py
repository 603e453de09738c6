"""Positions of Pyramid Ball from a text: reading, the rules in them, and impossible ones."""

from __future__ import annotations

from functools import partial

import pytest

from domain.board import OFF
from domain.games.pyramid_ball import GAME
from domain.games.pyramid_ball.board import BOARD, NOBODY, PYRAMIDS
from domain.games.pyramid_ball.conflicts import OPEN, ClosedRow
from domain.games.pyramid_ball.moves import Take
from domain.match import open_match
from domain.position import Outcome
from domain.position_text import PositionError
from tests.token_play import add_token, play_texts

PIECES = "7/7/1l3s1/3m3/3M3/1L3S1/7/7"
START = f"program {PIECES} 1 1M 1 - 0/0 -/- -/- - 1"
SET = partial(GAME.read_position, GAME.start())
ADVANCED = partial(GAME.read_position, GAME.start(GAME.options(length="advanced")))

GOAL = (
    "place 2M4/7/1l3s1/3m3/7/1L3S1/7/7 1 - 1 1 2/0 -/SL -/S 1M row3+ 1S,2L"
    " S=FR.,M=..F,L=LLF,pass=3M S=...,M=...,L=...,dash=F 2 9"
)
"""Seat 1 has scored by a pass in row 3; one of the seats has used its Dash."""


def test_start_position_text_round_trips():
    assert GAME.write_position(GAME.start()) == START
    assert SET(START) == GAME.start()


def test_position_text_sets_pyramids_ball_and_sides():
    table = SET(f"program {PIECES} 2 2L 2 - 0/0 -/- -/- - 5").table
    squares = dict(zip(PYRAMIDS, (BOARD.names[at] for at in table.squares), strict=True))
    assert squares == {"1S": "f3", "1M": "d4", "1L": "b3", "2S": "f6", "2M": "d5", "2L": "b6"}
    assert PYRAMIDS[table.carrier] == "2L"
    assert (table.low, table.offence, table.turn) == (2, 2, 5)


def test_position_text_sets_ball_closed_row_points_specials():
    table = ADVANCED(f"program {PIECES} 1 c8 1 1 3/3 SLM/M LM/- - 12").table
    assert (table.carrier, table.loose) == (NOBODY, BOARD.index["c8"])
    assert table.closed == ClosedRow(1, 7)
    assert table.taken == ("SML", "M")
    assert table.used == ("ML", "")


def test_offence_may_be_on_a_loose_ball():
    # BAL-10.2
    table = ADVANCED(f"program {PIECES} 1 d4 1 - 1/0 -/- -/- - 12").table
    assert table.loose == BOARD.index["d4"]


def test_start_has_no_closed_row():
    assert SET(START).table.closed == OPEN


def test_selection_text_round_trips():
    picking = play_texts(GAME, "", opening="selection").state.position
    assert GAME.write_position(picking) == "pick - 1"
    assert GAME.read_position(picking, "pick - 1") == picking
    choosing = play_texts(GAME, "1:pick=M 2:pick=L", opening="selection").state.position
    assert GAME.write_position(choosing) == "start 2 1"
    assert GAME.read_position(picking, "start 2 1") == choosing


def test_turn_waiting_for_the_ball_is_read():
    play_ = ADVANCED(GOAL)
    assert GAME.write_position(play_) == GOAL
    turn = play_.table.interrupted
    assert (turn.row, turn.passed, PYRAMIDS[turn.scorer]) == (4, True, "1M")
    assert {PYRAMIDS[one] for one in turn.halted} == {"1S", "2L"}
    assert turn.programs[0].pass_ is not None
    assert turn.programs[1].dash == "F"
    assert play_.awaiting()[0].seat == 2
    assert (play_.table.carrier, play_.table.loose) == (NOBODY, OFF)


def test_position_with_goal_in_play_round_trips():
    program = "S=...,M=FFF,L=..."
    still = "S=...,M=...,L=..."
    before = "program 7/3M3/1l3s1/3m3/7/1L3S1/7/7 1 1M 1 - 0/0 -/- -/- - 3"
    match = open_match(GAME, GAME.options(length="advanced"), position=before)
    match = add_token(add_token(match, f"1:{program}"), f"2:{still}")
    text = GAME.write_position(match.state.position)
    assert text.startswith("place 3M3/")
    assert " 1M row2 - " in text
    assert ADVANCED(text) == match.state.position


@pytest.mark.parametrize(
    ("row", "programs", "written"),
    [
        ("blitz1", "S=...,M=FFF,L=... S=...,M=...,L=...", "row2"),
        ("blitz2", "S=...,M=FFF,L=... S=...,M=...,L=...", "row2"),
        ("blitz1", "S=...,M=FFF,L=... S=...,M=...,L=...,blitz", "blitz1"),
        ("dash", "S=...,M=FFF,L=... S=...,M=...,L=...", "end"),
        ("dash", "S=...,M=FFF,L=... S=...,M=...,L=...,dash=F", "dash"),
        ("row3+", "S=...,M=FFF,L=... S=...,M=...,L=...", "row3+"),
    ],
)
def test_waiting_turn_resumes_at_next_played_row(row, programs, written):
    text = "place 2M4/7/1l3s1/3m3/7/1L3S1/7/7 1 - 1 1 2/0 -/SL -/SL 1M {} - {} 2 9"
    assert GAME.write_position(ADVANCED(text.format(row, programs))) == text.format(
        written, programs
    )


def test_goal_in_last_row_is_written_as_end():
    before = "program 7/7/1l1M1s1/3m3/7/1L3S1/7/7 1 1M 1 - 0/0 -/- -/- - 3"
    match = open_match(GAME, GAME.options(length="advanced"), position=before)
    match = add_token(add_token(match, "1:S=...,M=.FF,L=..."), "2:S=...,M=...,L=...")
    text = GAME.write_position(match.state.position)
    assert " 1M end - " in text
    assert ADVANCED(text.replace(" end ", " dash ")) == match.state.position


def test_sealed_programs_are_left_out():
    match = play_texts(GAME, "1:S=FFF,M=...,L=...")
    assert match.state.position.sealed == (1,)
    assert GAME.write_position(match.state.position) == START


@pytest.mark.parametrize(
    ("set_up", "points", "winner"),
    [(SET, "1/0", 1), (SET, "0/1", 2), (ADVANCED, "6/5", 1), (ADVANCED, "0/6", 2)],
)
def test_the_last_point_has_won(set_up, points, winner):
    # BAL-9.1
    play_ = set_up(START.replace("0/0", points))
    assert play_.outcome() == Outcome("BAL-9.1", (winner,))
    assert play_.awaiting() == ()


@pytest.mark.parametrize(
    ("text", "column", "reason"),
    [
        ("", 1, "the stage must be pick, start, program or place"),
        ("kick - 1", 1, "not 'kick'"),
        ("pick 1 1", 6, "both seats to move, this field must be -"),
        ("pick - 2", 8, "from 1 to 1"),
        ("start - 1", 7, "1 or 2"),
        ("pick - 1 1", 10, "the turn is the last part"),
        (START[:-2], len(START) - 1, "the turn"),
        (START + " 1", len(START) + 2, "the turn is the last part"),
        (START.replace("1L3S1", "1L3SS"), 31, "S is on f3 already"),
        (START.replace("1L3S1", "1L5"), 9, "so add S"),
        (START.replace("1L3S1", "1L3S2"), 31, "beyond the end of row 3"),
        (START.replace("1L3S1", "1L3X1"), 30, "not 'X'"),
        (START.replace(" 1 1M", " 3 1M"), 37, "the seat at row 1"),
        (START.replace("1M", "1X"), 39, "a carrier, like 1M, or a square"),
        (START.replace("1M", "-"), 39, "a carrier, like 1M, or a square"),
        (START.replace("1M", "2M"), 42, "the offence must be seat 2, which has the ball"),
        (START.replace("1M", "c8"), 39, "in the basic game the ball must have a carrier"),
        (START.replace("1M 1 -", "1M 1 2"), 44, "in the basic game the closed row must be -"),
        (START.replace("0/0", "2/0"), 46, "0 to 1"),
        (START.replace("0/0", "1/1"), 46, "only one seat can have 1 point"),
        (START.replace("0/0", "0"), 47, "the points of seat 2"),
        (START.replace("-/- -/-", "-/S -/-"), 52, "its opponent has scored 0"),
        (START.replace("0/0 -/-", "1/0 -/S"), 50, "the basic game has no special moves"),
        (
            START.replace("- 1", "1 1"),
            len(START) - 2,
            "both seats to move, this field must be -",
        ),
    ],
)
def test_an_impossible_position_is_refused_at_its_column(text, column, reason):
    with pytest.raises(PositionError) as refused:
        SET(text)
    assert reason in str(refused.value)
    assert refused.value.column == column


@pytest.mark.parametrize(
    ("change", "column", "reason"),
    [
        (("1M row3+", "1S row3+"), 56, "a scorer of seat 1 must be in row 8"),
        (("1M row3+", "2M row3+"), 56, "a scorer of seat 2 must be in row 1"),
        (("1 - 1 1 2/0", "1 c8 1 1 2/0"), 37, "the ball that will be placed must be -"),
        (("1 - 1 1 2/0", "1 - 2 1 2/0"), 39, "the offence after the goal must be 1"),
        (("1 - 1 1 2/0", "1 - 1 - 2/0"), 41, "the closed row after the goal must be 1"),
        (("1 - 1 1 2/0", "1 - 1 1 6/0"), 43, "with the last point the game is over"),
        (("-/SL -/S", "-/SLM -/S"), 49, "taken 3 special moves, but its opponent has scored 2"),
        (("-/SL -/S", "L/SL -/S"), 47, "taken 1 special moves, but its opponent has scored 0"),
        (("-/SL -/S", "-/SS -/S"), 49, "once each"),
        (("-/SL -/S", "-/L -/S"), 53, "used a special move it has not taken"),
        (("-/SL -/S", "-/SL -/L"), 97, "in the program of seat 2 must be among those used"),
        (("row3+", "row4"), 59, "row1, blitz1"),
        (("row3+", "dash+"), 59, "continues with row1+, row2+ or row3+"),
        (("row3+", "row1"), 59, "continues with row1+, row2+ or row3+"),
        (("1S,2L", "2L,1S"), 65, "pyramid once, in the order 1S"),
        (("1S,2L", "1S,2X"), 68, "a halted pyramid"),
        (("S=FR.", "S=FRQ"), 71, "write a program like S=FR."),
        (("pass=3M", "pass=1M"), 71, "needs the Quick Pass"),
        ((" 2 9", " 1 9"), 122, "the seat to move must be 2"),
    ],
)
def test_impossible_ball_wait_is_refused_at_column(change, column, reason):
    with pytest.raises(PositionError) as refused:
        ADVANCED(GOAL.replace(*change))
    assert reason in str(refused.value)
    assert refused.value.column == column


def test_defender_on_the_loose_ball_must_have_it():
    # BAL-10.3
    with pytest.raises(PositionError, match="has it: write 2M"):
        ADVANCED(f"program {PIECES} 1 d5 1 - 1/0 -/- -/- - 12")


def test_basic_game_never_waits_for_ball():
    with pytest.raises(PositionError, match="1: in the basic game the stage must be program"):
        SET(GOAL.replace("2/0 -/SL -/S", "1/0 -/- -/-"))


def test_special_move_order_leaves_same_position():
    # BAL-11
    entitled = ADVANCED(f"program {PIECES} 1 1M 1 - 2/0 -/- -/- - 12")
    texts = set()
    for order in ("MS", "SM"):
        position = entitled
        for size in order:
            position, _ = Take(size).evolve(position, 2)
        texts.add(GAME.write_position(position))
    assert texts == {f"program {PIECES} 1 1M 1 - 2/0 -/SM -/- - 12"}
    assert (
        GAME.write_position(ADVANCED(f"program {PIECES} 1 1M 1 - 2/0 -/MS -/MS - 12")).count("SM")
        == 2
    )
