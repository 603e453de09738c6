"""Positions of Cube Pyramid from a text: reading, derived facts, and impossible ones."""

from __future__ import annotations

from functools import partial

import pytest

from domain.games.cube_pyramid import GAME
from domain.games.cube_pyramid.board import cells
from domain.position import Outcome
from domain.position_text import PositionError
from tests.token_play import add_token, play_texts

START = "5/4/3/2/1 4/3/2/1 3/2/1 2/1 1 13l5d 5l13d - 1 1"
EMPTY = "4/3/2/1 3/2/1 2/1 1"
SET = partial(GAME.read_position, GAME.start())


def test_start_position_text_round_trips():
    assert GAME.write_position(GAME.start()) == START
    assert SET(START) == GAME.start()


def test_position_text_sets_cubes_supplies_and_turn():
    table = SET("ld3/1d2/3/2/l " + EMPTY + " 12l5d 4l11d - 2 9")
    assert table.light == cells(["A11", "A51"])
    assert table.dark == cells(["A12", "A22"])
    assert table.supply == (12, 5, 4, 11)
    assert (table.seat, table.turn) == (2, 9)


def test_supported_cell_is_open():
    table = SET("ld3/d3/3/2/1 " + EMPTY + " 12l5d 5l11d - 2 4")
    assert table.open & cells(["B11"])
    assert not table.open & cells(["A11", "A12", "B12"])


def test_due_bonus_round_trips():
    table = play_texts(GAME, "l@A11 l@A12 l@A21").state.position
    assert GAME.write_position(table) == "ll3/l3/3/2/1 " + EMPTY + " 11l5d 4l13d B11 1 3"
    assert SET(GAME.write_position(table)) == table
    assert table.awaiting()[0].what == "place a bonus cube"


def test_open_space_over_one_colour_is_optional():
    table = SET("ll3/l3/3/2/1 " + EMPTY + " 11l5d 4l13d - 2 4")
    assert not table.due


def test_a_seat_without_cubes_is_skipped():
    # CUB-2.5
    table = SET("lllll/llll/lll/dd/d " + EMPTY + " 0l0d 6l15d - 1 16")
    assert table.seat == 2


def full(apex: str, last: str) -> str:
    """A complete pyramid, dark but for layer A and two more cubes, with an apex."""
    return f"lllll/llll/lll/ll/{last} dddd/ddd/dd/d ddd/dd/l dl/d {apex}"


def test_a_complete_pyramid_is_counted():
    # CUB-4.2: 15 cells a face, and 36 cubes in all, one of them left.
    table = SET(full("l", "l") + " 0l0d 0l1d - 1 36")
    assert table.outcome() == Outcome("CUB-4.2", (2,))
    assert table.awaiting() == ()
    assert SET(GAME.write_position(table)) == table


@pytest.mark.parametrize(
    ("text", "column", "reason"),
    [
        ("5/4/3/2/1", 10, "layer B"),
        (START + " 1", len(START) + 2, "the turn is the last part"),
        ("5/4/3/2 " + EMPTY + " 13l5d 5l13d - 1 1", 8, "row 5 of layer A"),
        ("5/4/3/2/2 " + EMPTY + " 13l5d 5l13d - 1 1", 9, "1 to 1"),
        ("5/4/3/2/1 4/3/4/1 3/2/1 2/1 1 13l5d 5l13d - 1 1", 15, "1 to 2"),
        ("x4/4/3/2/1 " + EMPTY + " 13l5d 5l13d - 1 1", 1, "l or d for a cube"),
        ("5/4/3/2/1 l3/3/2/1 3/2/1 2/1 1 12l5d 5l13d - 2 2", 11, "no support on A11 and A12"),
        ("ll3/l3/3/2/1 4/3/2/1 l2/2/1 2/1 1 9l5d 5l13d - 2 5", 22, "the cube on C11"),
        ("l4/4/3/2/1 " + EMPTY + " 13l5d 5l13d - 2 2", 32, "18 light cubes, not 1 in"),
        (START.replace("13d", "12d"), 31, "18 dark cubes"),
        (START.replace("13l5d", "19l0d"), 31, "0 to 18"),
        (START.replace("13l5d", "5d13l"), 31, "write a supply like"),
        (START.replace(" - ", " B11 "), 43, "a space due must be -, not 'B11'"),
        ("ld3/l3/3/2/1 " + EMPTY + " 11l5d 5l12d B11 2 4", 46, "a space due"),
        ("ll3/l3/3/2/1 " + EMPTY + " 11l5d 4l13d A13 1 3", 46, "space due must be B11, not 'A13'"),
        ("ll3/l3/3/2/1 " + EMPTY + " 11l5d 4l13d B11,B11 1 3", 50, "each space once"),
        ("lllll/llll/llll/ll/l " + EMPTY + " 0l0d 2l18d - 1 16", 15, "beyond the end of row 3"),
        (START.replace("- 1 1", "- 0 1"), 45, "1 or 2"),
    ],
)  # fmt: skip
def test_an_impossible_position_is_refused_at_its_column(text, column, reason):
    with pytest.raises(PositionError) as refused:
        SET(text)
    assert reason in str(refused.value)
    assert refused.value.column == column


def test_no_bonus_is_due_from_an_empty_supply():
    # CUB-3.5
    text = "lll2/ll2/ddd/dd/d 4/3/2/1 3/2/1 2/1 1 13l12d 0l0d B11 1 12"
    with pytest.raises(PositionError, match="no bonus is due: seat 2 has no cube left"):
        SET(text)
    assert not SET(text.replace("B11", "-")).due


def test_the_order_of_the_supplies_is_free():
    """A cube taken from the wrong supply is accepted."""
    match = play_texts(GAME, "l@A11")
    text = GAME.write_position(match.state.position).replace("12l5d 5l13d", "13l5d 4l13d")
    assert SET(text).supply == (13, 5, 4, 13)
    assert add_token(match, "d@A12").state.position != SET(text)
