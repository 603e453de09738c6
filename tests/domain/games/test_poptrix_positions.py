"""Positions of Poptrix from a text: reading, the rules in them, and impossible ones."""

from __future__ import annotations

from functools import partial

import pytest

from domain.board import OFF
from domain.games.poptrix import GAME
from domain.games.poptrix.board import BOARD
from domain.position import Outcome
from domain.position_text import PositionError
from tests.token_play import play_texts

START = "5/5/5/5/5/5 5S5M5L 5s5m5l 1 1"
SET = partial(GAME.read_position, GAME.start())


def test_start_position_text_round_trips():
    assert GAME.write_position(GAME.start()) == START
    assert SET(START) == GAME.start()


def test_position_text_sets_pieces_stashes_caps_turn():
    table = SET("4l/5/2m^2/2S2/5/L4 4S5M3L 0s1m2l 2 31")
    assert table.board[BOARD.index["e6"]] == 2 * 4 + 3
    assert table.board[BOARD.index["a1"]] == 1 * 4 + 3
    assert table.caps == (OFF, BOARD.index["c4"])
    assert table.stash[4:] == bytes((0, 4, 5, 3, 0, 0, 1, 2))
    assert (table.seat, table.turn) == (2, 31)


def test_a_seat_that_can_attack_must():
    assert SET("5/5/2m2/2S2/5/5 4S5M5L 5s4m5l 1 3").forced
    assert not SET("5/2m2/5/2S2/5/5 4S5M5L 5s4m5l 1 3").forced


def test_position_after_the_first_placement_round_trips():
    table = play_texts(GAME, "M@c1").state.position
    assert GAME.write_position(table) == "5/5/5/5/5/2M2 5S4M5L 5s5m5l 2 2"
    assert SET(GAME.write_position(table)) == table


def test_a_seat_that_can_do_nothing_is_skipped():
    # POP-2.4: the stash of seat 1 is empty and its small has no neighbour.
    table = SET("4s/5/5/5/5/S4 0S0M0L 4s5m5l 1 40")
    assert (table.seat, table.turn) == (2, 40)


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("5/5/5/5/5/S4 4S5M5L 5s4m5l 2 9", Outcome("POP-6.1", (1,))),
        ("5/5/5/5/5/4s 4S5M5L 4s5m5l 1 9", Outcome("POP-6.1", (2,))),
        ("5/5/5/5/5/5 4S5M5L 4s5m5l 1 9", Outcome("POP-6.2")),
        ("5/5/5/5/5/S4 4S5M5L 5s5m5l 2 3", Outcome("POP-6.1", (1,))),  # the first turn that can
        ("4s/5/5/5/5/SM3 0S0M0L 0s0m0l 1 40", Outcome("POP-6.3", (1,))),
        ("4s/5/5/5/5/SS3 3S0M0L 4s0m0l 1 40", Outcome("POP-6.3", (1,))),  # no small launches one
        ("4s/5/5/5/5/S4 0S0M0L 0s0m0l 2 40", Outcome("POP-6.4")),
    ],
)
def test_finished_position_round_trips(text, outcome):
    assert SET(text).outcome() == outcome
    assert GAME.write_position(SET(text)) == text


@pytest.mark.parametrize(
    ("text", "column", "reason"),
    [
        ("", 1, "ends too early"),
        ("5/5/5/5/5/5", 12, "the stash of seat 1"),
        (START + " 1", len(START) + 2, "the turn is the last part"),
        ("5/5/5/5/5 5S5M5L 5s5m5l 1 1", 10, "row 1"),
        ("5/5/5/5/5/5/5 5S5M5L 5s5m5l 1 1", 13, "row 1 is the last part"),
        ("5/4/5/5/5/5 5S5M5L 5s5m5l 1 1", 4, "row 5 must have 5 squares, not 4"),
        ("5/5/S5/5/5/5 4S5M5L 5s5m5l 1 3", 6, "beyond the end of row 4"),
        ("5/5/3S2/5/5/5 4S5M5L 5s5m5l 1 3", 7, "beyond the end of row 4"),
        ("5/5/23/5/5/5 5S5M5L 5s5m5l 1 1", 5, "1 to 5"),
        ("5/5/x4/5/5/5 5S5M5L 5s5m5l 1 1", 5, "not 'x'"),
        ("5/5/1^3/5/5/5 5S5M5L 5s5m5l 1 3", 6, "not '^'"),
        ("5/5/0S4/5/5/5 5S5M5L 5s5m5l 1 3", 5, "1 to 5"),
        ("M^M^3/5/5/5/5/4s 5S3M5L 4s5m5l 1 3", 3, "only one cap, and the pyramid on a6 wears it"),
        ("M4/5/5/5/5/4s 5S5M5L 4s5m5l 1 3", 15, "at most 5 mediums, not 1 on the board and 5"),
        ("sssss/ss3/5/5/5/M4 5S4M5L 0s5m5l 1 9", 27, "at most 5 smalls, not 7"),
        ("5/5/5/5/5/5 6S5M5L 5s5m5l 1 1", 13, "the number of S must be a number from 0 to 5"),
        ("5/5/5/5/5/5 5S05M5L 5s5m5l 1 1", 15, "the number of M"),
        ("5/5/5/5/5/5 5s5m5l 5S5M5L 1 1", 13, "write a supply like 5S5M5L"),
        ("5/5/5/5/5/5 5S5M5L 5s5m5l 3 1", 27, "1 or 2, not '3'"),
        ("5/5/5/5/5/5 5S5M5L 5s5m5l 1 0", 29, "1 to 999999"),
        ("5/5/5/5/5/5 5S5M5L 5s5m5l 1 01", 29, "not '01'"),
        ("5/5/5/5/5/S4 4S5M5L 5s5m5l 1 1", 30, "seat 1 has not placed yet"),
        ("5/5/5/5/5/5 4S5M5L 5s5m5l 1 1", 29, "seat 1 has not placed yet"),
        ("5/5/5/5/5/5 5S5M5L 5s5m5l 2 2", 29, "seat 1 has not placed a pyramid, so this is turn 1"),
        ("S4/5/5/5/5/5 4S5M5L 5s5m5l 2 2", 30, "home row of seat 2"),
    ],
)
def test_an_impossible_position_is_refused_at_its_column(text, column, reason):
    with pytest.raises(PositionError, match=f"^column {column}: ") as refused:
        SET(text)
    assert refused.value.column == column
    assert reason in str(refused.value)


def test_odd_positions_are_accepted():
    """A position that the rules cannot reach, but that lies on the table."""
    far = SET("5/5/2S2/5/5/5 4S5M5L 5s5m5l 2 2")
    assert far.awaiting()[0].moves == ("place",)
    fewer = SET("2s2/5/5/5/5/2L2 0S1M0L 0s1m0l 2 12")
    assert fewer.awaiting()[0].seat == 2
    capped = SET("s^4/5/5/5/5/L^4 5S5M4L 4s5m5l 1 3")
    assert capped.caps == (0, 25)
