"""PGN's glyphs: their numbers, signs and names, and the groups that exclude each other."""

from __future__ import annotations

import pytest

from replay.annotations.glyphs import GLYPHS, glyph, group, read_glyph
from replay.errors import Usage


def test_the_numbers_are_those_of_the_standard() -> None:
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
def test_the_groups_end_where_the_standard_says(numbers: tuple[int, ...], about: str) -> None:
    assert {group(number) for number in numbers} == {about}


def test_every_glyph_is_read_by_its_number_its_sign_and_its_name() -> None:
    for number, each in GLYPHS.items():
        assert read_glyph(f"${number}") == number
        assert read_glyph(each.sign) == number
        assert read_glyph(each.name.upper().replace(" ", "-")) == number


def test_a_number_without_a_name_stays_a_number() -> None:
    assert read_glyph(" $200 ") == 200
    assert glyph(200).words() == "$200"


@pytest.mark.parametrize("text", ["", "$", "$0", "$256", "$0x5", "$٣", "!!!", "5", "nonsense"])
def test_an_unknown_glyph_is_refused_by_name(text: str) -> None:
    with pytest.raises(Usage, match="is no glyph"):
        read_glyph(text)


def test_a_name_written_wrongly_is_guessed() -> None:
    with pytest.raises(Usage, match="did you mean 'blunder'"):
        read_glyph("blundre")
