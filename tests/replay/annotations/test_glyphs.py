"""PGN's glyphs: their numbers, signs and names, and the groups that exclude each other."""

from __future__ import annotations

import re

import pytest

from domain.names import Names
from replay.annotations.glyphs import GLYPHS, OFFERED, glyph, group, read_glyph
from replay.errors import Usage


def test_glyph_numbers_follow_the_standard():
    assert set(range(1, 140)) <= GLYPHS.keys()
    signs = {1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!", 10: "=", 13: "∞"}
    signs |= {14: "⩲", 15: "⩱", 16: "±", 17: "∓", 18: "+-", 19: "-+"}
    assert {number: glyph(number).sign for number in signs} == signs
    names = {
        22: "zugzwang for seat 1",
        41: "attack for seat 2",
        66: "weak first rank for seat 1",
        78: "very weak pawns for seat 1",
        103: "poorly working pieces for seat 2",
        129: "ending played very well for seat 2",
        134: "decisive counterplay for seat 1",
        136: "some time pressure for seat 1",
        139: "severe time pressure for seat 2",
    }
    assert {number: glyph(number).name for number in names} == names


@pytest.mark.parametrize(
    ("numbers", "about"),
    [((1, 9), "move"), ((10, 135), "position"), ((136, 139, 140, 255), "observation")],
)
def test_groups_end_where_the_standard_says(numbers, about):
    assert {group(number) for number in numbers} == {about}


def test_glyph_is_read_by_number_sign_and_name():
    for number, each in GLYPHS.items():
        assert read_glyph(f"${number}") == number
        assert read_glyph(each.sign) == number
        assert read_glyph(each.name.upper().replace(" ", "-")) == number


def test_number_without_a_name_stays_a_number():
    assert read_glyph(" $200 ") == 200
    assert glyph(200).words() == "$200"


@pytest.mark.parametrize("text", ["", "$", "$0", "$256", "$0x5", "$٣", "!!!", "5", "nonsense"])
def test_unknown_glyph_is_refused_by_name(text):
    with pytest.raises(Usage, match="is not a valid glyph"):
        read_glyph(text)


def test_misspelled_name_is_guessed():
    with pytest.raises(Usage, match="did you mean 'blunder'"):
        read_glyph("blundre")


def test_codes_and_chess_glyphs_are_not_offered():
    chess = re.compile(r"\b(king|queen|rook|bishop|knight|pawn|rank)|\$")
    assert not [each.name for each in OFFERED if chess.search(each.sign + each.name)]
    assert {1, 6, 13, 14, 36, 146} < {each.number for each in OFFERED}
    assert (read_glyph("$70"), glyph(70).name) == (70, "poorly guarded king for seat 1")


def test_glyph_about_a_seat_names_its_player():
    assert glyph(15).title(Names({2: "Red"})) == "slight advantage for Red"
    assert glyph(5).title(Names({2: "Red"})) == "interesting move"
