"""Positions of Power Play from a text: reading, the rules in them, and impossible ones."""

from __future__ import annotations

from functools import partial

import pytest

from domain.games.power_play import GAME
from domain.games.power_play.board import BOARD
from domain.games.power_play.pieces import PYRAMIDS, SEAT_SHIFT, is_nest, is_power
from domain.games.power_play.turn import Jumper
from domain.position import Outcome
from domain.position_text import PositionError
from tests.token_play import play_texts

ROWS_8_TO_4 = "5,2LMS,2LMS,2LMS/7,2LMS/7,2LMS/3,B,B,3/3,B,B,3"
START = ROWS_8_TO_4 + "/1LMS,7/1LMS,7/1LMS,1LMS,1LMS,5 -/- 0/0 - - 1 1"
SET = partial(GAME.read_position, GAME.start())
SET4 = partial(GAME.read_position, GAME.start(seats=4))


def low(rows: str, rest: str) -> str:
    """The start of seat 2, and of seat 1 rows 3 to 1."""
    return f"{ROWS_8_TO_4}/{rows} {rest}"


def small(rows: str, rest: str) -> str:
    """A board with a small of seat 2 on h8 and the given rows 3 to 1 of seat 1."""
    return f"7,2S/8/8/3,B,B,3/3,B,B,3/{rows} {rest}"


def test_start_position_text_round_trips():
    assert GAME.write_position(GAME.start()) == START
    assert SET(START) == GAME.start()


def test_starts_of_three_and_four_seats_round_trip():
    for seats in (3, 4):
        start = GAME.start(seats=seats)
        assert GAME.read_position(start, GAME.write_position(start)) == start


def test_position_text_sets_pieces_nests_and_power_pieces():
    table = SET(low("1S,7/8/1LMS,1L+M+S,1M,1LM,1L+L,3", "-/- 4/0 - - 1 9"))
    pieces = {name: table.board[BOARD.index[name]] for name in ("a3", "a1", "b1", "d1", "e1")}
    assert {code >> SEAT_SHIFT for code in pieces.values()} == {1}
    assert [PYRAMIDS[code] for code in pieces.values()] == [
        (1,), (3, 2, 1), (3, 2, 1), (3, 2), (3, 3),
    ]  # fmt: skip
    assert [is_nest(code) for code in pieces.values()] == [False, True, False, True, False]
    assert [is_power(code) for code in pieces.values()] == [False, False, True, False, True]


def test_position_text_sets_hands_losses_and_turn():
    table = SET(small("8/8/1L,7", "1S0M2L/- 20/29 - - 2 40"))
    assert table.hands[4:8] == bytes((0, 1, 0, 2))
    assert table.lost == (20, 29)
    assert table.turn == 40


def test_jump_under_way_round_trips():
    table = play_texts(GAME, "c1-d2 h8-g7 b1^d1").state.position
    assert " b1^d1 - 1 3" in GAME.write_position(table)
    assert SET(GAME.write_position(table)) == table
    assert table.jumper == Jumper(BOARD.index["b1"], BOARD.index["d1"], struck=False)
    struck = SET(GAME.write_position(table).replace("b1^d1", "b1^d1x"))
    assert struck.jumper.struck


def test_a_jump_without_a_further_hop_is_over():
    # PWR-4.6
    table = SET(small("8/8/1L,7", "-/- 27/29 c3^a1 - 1 12"))
    assert table.jumper is None
    assert (table.seat, table.turn) == (2, 13)


def test_kicked_back_seat_puts_back_first():
    # PWR-5.1
    table = SET(small("8/8/1L,7", "-/0S1M0L 27/27 - 2 1 12"))
    assert table.due == 2
    assert table.seat == 1
    assert table.awaiting()[0].moves == ("return",)


def test_hand_piece_that_fits_is_played_first():
    # PWR-5.5
    table = SET(small("8/8/1L,7", "-/0S1M0L 27/27 - - 2 12"))
    assert (table.due, table.seat, table.turn) == (2, 2, 12)


def test_a_seat_that_cannot_move_is_skipped():
    # PWR-3.2: the small on h8 is shut in by stronger pieces, and no hop is free.
    shut = "5,1L,1L,2S/5,1L,1L,1L/5,1M,1M,1M/3,B,B,3/3,B,B,3/8/8/8 -/- 9/29 - - 2 12"
    table = SET(shut)
    assert (table.seat, table.turn) == (1, 12)


def test_last_remaining_seat_has_won():
    # PWR-7.1
    table = SET("8/8/8/3,B,B,3/3,B,B,3/8/8/1L,7 -/out 27/12 - - 2 30")
    assert table.outcome() == Outcome("PWR-7.1", (1,))
    assert table.seat == 2


def test_departed_jumper_keeps_turn_during_put_backs():
    # PWR-6.4
    board = "1,2L,5,3S/8/8/3,B,B,3/3,B,B,3/8/8/8"
    table = SET4(f"{board} out/0S1M0L/-/out 0/25/29/3 - 2 1 20")
    assert (table.seat, table.due) == (1, 2)


def test_put_backs_go_clockwise_from_the_mover():
    # PWR-5.1
    board = "1,2L,5,3S/8/8/3,B,B,3/3,B,B,3/8/8/1L,6,4L"
    hands = "1S0M0L/0S1M0L/0S1M0L/- 26/25/27/27"
    assert SET4(f"{board} {hands} - 1,2,3 4 20").kicked == (1, 2, 3)
    assert SET4(f"{board} {hands} - 3,1 2 20").kicked == (3, 1)
    with pytest.raises(PositionError, match="a seat kicked back must be 1, not '4'"):
        SET4(f"{board} {hands} - 3,4 2 20")
    with pytest.raises(PositionError, match="each seat once, clockwise"):
        SET4(f"{board} {hands} - 1,3 2 20")


@pytest.mark.parametrize(
    ("text", "column", "reason"),
    [
        (START.replace(" 1 1", ""), len(START) - 3, "the seat to move"),
        (START + " 1", len(START) + 2, "the turn is the last part"),
        (START.replace("7,2LMS/7,2LMS", "7,2LMS/8,2LMS"), 27, "beyond the end of row 6"),
        (START.replace("7,2LMS/7,2LMS", "7,2LMS/9,2LMS"), 25, "1 to 8"),
        (START.replace("7,2LMS/7,2LMS", "7,2LMS/7,2LSM"), 27, "not '2LSM'"),
        (START.replace("5,2LMS,", "5,2SS,"), 3, "not '2SS'"),
        (START.replace("5,2LMS,", "5,2S+L,"), 3, "not '2S+L'"),
        (START.replace("5,2LMS,", "5,5LMS,"), 3, "not '5LMS'"),
        (START.replace("5,2LMS,", "5,3LMS,"), 3, "seat 3 is not in the game"),
        (START.replace("5,2LMS,", "5,2L+M+S,").replace("3,B,B,3/3", "8/3"), 1, "d5 is wrong"),
        (START.replace("5,2LMS,", "B,4,2LMS,"), 1, "a8 is wrong"),
        (START.replace("3,B,B,3/1", "3,B,1S,3/1"), 1, "e4 is wrong"),
        (START.replace("-/- 0/0", "- 0/0"), len(START) - 13, "the hand of seat 2"),
        (START.replace("-/- 0/0", "-/-/- 0/0"), len(START) - 10, "hand of seat 2 is the last part"),
        (START.replace("-/- 0/0", "1S/- 0/0"), len(START) - 14, "write a supply like 5S5M5L"),
        (START.replace("-/- 0/0", "0S0M0L/- 0/0"), len(START) - 14, "write - for an empty hand"),
        (START.replace("-/- 0/0", "1S0M0L/- 0/0"), len(START) - 5, "must have 5 smalls, not 6"),
        (START.replace("-/- 0/0", "-/out 0/0"), 3, "seat 2 is not in the game"),
        (START.replace("-/- 0/0", "-/- 0/1"), len(START) - 8, "so has lost 0, not 1"),
        (START.replace("-/- 0/0", "-/- 0/31"), len(START) - 8, "0 to 30"),
        (START.replace("0 - - 1", "0 - 2 1"), len(START) - 4, "no other seat"),
        (START.replace("0 - - 1", "0 a1 - 1"), len(START) - 6, "write a jump like a1^a3"),
        (START.replace("0 - - 1", "0 a1^a4 - 1"), len(START) - 3, "a4 has no piece of seat 1"),
        (START.replace("0 - - 1", "0 a2^a3 - 1"), len(START) - 3, "a3 has no piece of seat 1"),
        (START.replace("- 1 1", "- 3 1"), len(START) - 2, "1 or 2"),
        ("8/8/8/3,B,B,3/3,B,B,3/8/8/8 out/out 0/0 - - 1 1", 29, "at least one seat"),
        ("8/8/8/3,B,B,3/3,B,B,3/8/8/1L,7 -/- 27/30 - - 1 9", 32, "seat 2 has no pyramid left"),
        (small("8/8/1LMS,7", "-/- 24/29 h8^a1 - 1 9"), 50, "a1 has no piece of seat"),
        (small("8/8/1L,7", "-/- 27/29 h8^a1 - 1 9"), 45, "the jump has left h8"),
        (small("8/8/1L,7", "-/0S1M0L 27/27 c1^a1 2 1 9"), 56, "struck no piece"),
    ],
)
def test_an_impossible_position_is_refused_at_its_column(text, column, reason):
    with pytest.raises(PositionError) as refused:
        SET(text)
    assert reason in str(refused.value)
    assert refused.value.column == column


def test_departed_seat_cannot_have_the_turn():
    board = "7,3S/8/8/3,B,B,3/3,B,B,3/8/8/1L,7"
    with pytest.raises(PositionError, match="the seat to move must be 1 or 3, not '2'"):
        SET4(f"{board} -/out/-/out 27/0/29/0 - - 2 20")


def test_odd_positions_are_accepted():
    """A nest away from its corner, and pyramids of a seat on another's starting squares."""
    text = small("8/3,1LM,4/8", "-/- 25/29 - - 1 9").replace("7,2S", "6,1L,2S").replace("25", "22")
    assert GAME.write_position(SET(text)) == text
