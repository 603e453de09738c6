"""Positions of Blockade from a text: reading, the rules in them, and impossible ones."""

from __future__ import annotations

from functools import partial

import pytest

from domain.games.blockade import GAME
from domain.games.blockade.board import BLACK, BLUE, BOARD, LARGE, MEDIUM, SMALL, SQUARE
from domain.position import Outcome
from domain.position_text import PositionError
from tests.token_play import play_texts

BOARD_TEXT = "GGGGG,b,b,b,RRRRR/r,r,r,b,y/r,g,1,b,y/r,g,y,y,y/YYYYY,g,g,g,BBBBB"
START = BOARD_TEXT + " 5S5M5L - - 1 1"
SET = partial(GAME.read_position, GAME.start())

TOWER = "GGGGG,Bbl,b,b,RRRRR/r,r,r,b,y/r,g,1,b,y/r,g,y,y,y/YYYYY,g,g,g,BBBB"
"""A blockade of blue on b5; its medium came from e1."""

BLUES = "GGGGG,Bb,Bb,Bb,RRRRR/r,r,r,Bb,y/r,g,1,Bb,y/r,g,y,y,y/YYYYY,g,g,g,1"
"""Five towers of blue, none with a black."""


def test_start_position_text_round_trips():
    assert GAME.write_position(GAME.start()) == START
    assert SET(START) == GAME.start()


def test_the_stacks_are_written_from_the_bottom_up():
    table = SET(TOWER + " 5S5M4L - - 1 9")
    blue = BLUE * 4
    stack = bytes((blue + LARGE, blue + MEDIUM, blue + SMALL, BLACK + blue + LARGE))
    assert table.stacks[BOARD.index["b5"]] == stack
    assert table.supply == bytes((0, 5, 5, 4))


def test_position_keeps_the_colours_of_seats():
    swapped = GAME.start(GAME.options(cool=2))
    assert GAME.read_position(swapped, START).cool == 2


def test_turn_under_way_round_trips():
    table = play_texts(GAME, "roll=3,2 b5-c5").state.position  # BLK-2.2: 3 and 2, or 5 for blue
    text = "GGGGG,1,bb,b,RRRRR/r,r,r,b,y/r,g,1,b,y/r,g,y,y,y/YYYYY,g,g,g,BBBBB 5S5M5L 3,2 1,0 1 1"
    assert GAME.write_position(table) == text
    assert SET(text) == table
    assert table.left() == (4, 2)


def test_the_opponents_blockades_are_walls():
    assert SET(TOWER + " 5S5M4L - - 2 9").walls == SQUARE[BOARD.index["b5"]]
    assert SET(TOWER + " 5S5M4L - - 1 9").walls == 0


def test_a_turn_without_a_legal_leg_is_over():
    # BLK-2.5
    table = SET(BOARD_TEXT + " 5S5M5L 4,4 4,4 1 7")
    assert (table.seat, table.turn, table.dice) == (2, 8, None)


@pytest.mark.parametrize("seat", [1, 2])
def test_five_towers_win_on_either_turn(seat):
    # BLK-6.1, BLK-5.3
    table = SET(f"{BLUES} 5S5M5L - - {seat} 40")
    assert table.outcome() == Outcome("BLK-6.1", (1,))
    assert table.seat == seat


def test_position_with_two_winners_is_refused():
    reds = BLUES.replace("r,r,r,", "Rr,Rr,Rr,").replace("RRRRR", "1").replace("r,g", "Rr,g")
    with pytest.raises(PositionError, match="only one seat can have five towers"):
        SET(reds + " 5S5M5L - - 1 40")


def test_odd_stacks_are_accepted():
    """A small on a small of another colour, a medium on a small, a tower without its black."""
    odd = "GGGGG,br,b,b,RRRRR/r,r,r,b,y/1,g,1,b,y/r,g,y,y,y/YYYYY,g,g,gB,BBBB 5S5M5L - - 1 5"
    assert GAME.write_position(SET(odd)) == odd
    tower = SET(TOWER.replace("Bbl", "Bb") + " 5S5M5L - - 2 9")
    assert tower.walls == 0


@pytest.mark.parametrize(
    ("text", "column", "reason"),
    [
        (BOARD_TEXT, len(BOARD_TEXT) + 1, "the blacks left"),
        (START + " 1", len(START) + 2, "the turn is the last part"),
        (START.replace("r,r,r", "r,r,x"), 23, "not 'x'"),
        (START.replace("r,r,r", "r,r,"), 23, "not ''"),
        (START.replace("r,r,r", "rr,r"), 27, "row 4 must have 5 squares, not 4"),
        (START.replace("g,1,b", "g,1,1,b"), 35, "add up these numbers"),
        (START.replace("b,b,b", "b,b,2b"), 11, "not '2b'"),
        (START.replace("g,1,b", "g,r,b"), 1, "the board must have 5 red smalls, not 6"),
        (START.replace("GGGGG", "GGGG"), 1, "the board must have 5 green mediums, not 4"),
        (START.replace("GGGGG", "GGGGGl"), 6, "directly on a tower"),
        (START.replace("b,b,b", "bl,b,b"), 8, "directly on a tower"),
        (START.replace("b,b,b", "Bl,b,b"), 8, "directly on a tower"),
        (TOWER.replace("Bbl", "Bblm") + " 5S4M4L - - 1 9", 10, "directly on a tower"),
        (TOWER.replace("Bbl", "Rbl") + " 5S5M4L - - 1 9", 9, "directly on a tower"),
        (TOWER + " 5S5M5L - - 1 9", len(TOWER) + 2, "5 black larges, not 1 on the board and 5"),
        (TOWER + " 5S4M4L - - 1 9", len(TOWER) + 2, "5 black mediums, not 0 on the board and 4"),
        (START.replace("5S5M5L", "5S6M5L"), 69, "0 to 5"),
        (START.replace("5S5M5L", "5M5S5L"), 67, "write a supply like 5S5M5L"),
        (START.replace("- -", "7,1 0,0"), 74, "1 to 6"),
        (START.replace("- -", "4 0,0"), 75, "the second"),
        (START.replace("- -", "4,5,6 0,0"), 78, "is the last part"),
        (START.replace("- -", "4,5 -"), 78, "after the roll write the points spent"),
        (START.replace("- -", "- 0,0"), 76, "after the roll write the points spent"),
        (START.replace("- -", "4,3 5,0"), 78, "a roll of 4,3 does not cover the points 5,0"),
        (START.replace("- -", "3,3 4,1"), 78, "a roll of 3,3 does not cover the points 4,1"),
        (START.replace("- 1 1", "- 3 1"), 78, "1 or 2"),
        (START.replace("- 1 1", "- 1 -1"), 80, "1 to 999999"),
    ],
)
def test_an_impossible_position_is_refused_at_its_column(text, column, reason):
    with pytest.raises(PositionError) as refused:
        SET(text)
    assert reason in str(refused.value)
    assert refused.value.column == column


@pytest.mark.parametrize("spent", ["0,0", "6,0", "0,6", "3,3", "2,1"])
def test_small_dice_can_be_added(spent):
    # BLK-2.2, BLK-2.3
    SET(START.replace("- -", f"3,3 {spent}"))
