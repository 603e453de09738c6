"""Moves, glyphs, comments, variations and the terminator."""

from __future__ import annotations

import pytest

from domain.entry.move_text import write
from domain.position import Outcome
from replay.formats.ply.model import MAX_DEPTH, RecordLine
from replay.formats.ply.writer import write_record
from tests.replay.formats.ply.texts import OPENING, accepted, place, poptrix, rejected


def moves(line: RecordLine) -> list[str]:
    game = accepted(poptrix("*")).game
    return [write(game, node.event) for node in line.nodes]


def test_main_line_becomes_the_match():
    match = accepted(poptrix(f"{OPENING} *")).match
    assert [ply.version for ply in match.line] == [1, 2, 3, 4]
    assert (match.version, match.state.in_turn) == (4, 1)


@pytest.mark.parametrize("numbers", ["1. M@c1 2. S@c6", "9. 8.\n7. M@c1 S@c6 007.", "M@c1 S@c6"])
def test_turn_numbers_are_not_checked(numbers):
    assert moves(accepted(poptrix(f"{numbers} *")).line) == ["M@c1", "S@c6"]


def test_thousands_of_turn_numbers_may_be_one_word():
    assert moves(accepted(poptrix(f"{'1.' * 5000}M@c1 {'1.' * 5000} *")).line) == ["M@c1"]


@pytest.mark.parametrize("word", ["1..", "٣.", "1"])
def test_malformed_turn_number_is_refused(word):
    fault = rejected(poptrix(f"{word} *"))
    assert (fault.clause, fault.event, fault.text) == ("form", 0, word)


@pytest.mark.parametrize(
    "typed",
    [
        "1.M@c1 2.S@c6",
        "1. M@c1 1... S@c6",
        "1.M@c1 2...S@c6",
        "M@c1 S@c6",
        "1:M@c1 ; the middle {\n S@c6",
        "M@c1 ;)x\n S@c6",
    ],
)
def test_moves_are_read_as_people_type_them(typed):
    assert moves(accepted(poptrix(f"{typed} *")).line) == ["M@c1", "S@c6"]


def test_fault_column_excludes_the_move_number():
    assert place(rejected(poptrix("{x} 12.M@c9 *"))) == (3, 8)


@pytest.mark.parametrize("typed", ["M@c1 !?", "M@c1 $5", "M@c1!?"])
def test_space_may_precede_a_glyph(typed):
    assert accepted(poptrix(f"{typed} *")).line.nodes[0].glyphs == (5,)


def test_semicolon_begins_a_comment_to_the_line_end():
    record = accepted(poptrix("M@c1 ; far {from} home\nS@c6 *"))
    assert record.line.nodes[0].comments == ("far {from} home",)


@pytest.mark.parametrize(("typed", "use"), [("1-0", "+1"), ("0-1", "+2"), ("1/2-1/2", "=")])
def test_refused_chess_result_suggests_the_right_one(typed, use):
    fault = rejected(poptrix(f"M@c1 {typed}"))
    assert (fault.clause, fault.text) == ("syntax", typed)
    assert fault.message.endswith(f"use {use}")


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("M@с1", "'с' in it is U+0441, CYRILLIC SMALL LETTER ES"),
        ("M@cl", "is it M@c1, with a digit?"),
    ],
)
def test_characters_that_look_alike_are_named(typed, words):
    assert words in rejected(poptrix(f"{typed} *")).message


def test_winner_must_have_a_seat():
    assert "no seat 3 can have won" in rejected(poptrix("M@c1 +3")).message


def test_dot_that_ends_a_jump_is_no_number():
    text = '[Game "power-play"]\n\n1. a3-b4 2. h6-g5 3. a3^c5 .! 4. g8-f7 *'
    nodes = accepted(text).line.nodes
    assert [node.glyphs for node in nodes] == [(), (), (), (1,), ()]
    assert [node.turn for node in nodes] == [1, 2, 3, 3, 4]


@pytest.mark.parametrize(
    ("suffix", "glyph"), [("!", 1), ("?", 2), ("!!", 3), ("??", 4), ("!?", 5), ("?!", 6)]
)
def test_suffix_is_a_glyph(suffix, glyph):
    assert accepted(poptrix(f"M@c1{suffix} *")).line.nodes[0].glyphs == (glyph,)


def test_glyphs_are_ascending_and_unique():
    record = accepted(poptrix("M@c1! $14 $3 {x} $1 $03 *"))
    assert record.line.nodes[0].glyphs == (1, 3, 14)


def test_fault_names_the_token_without_its_glyph():
    fault = rejected(poptrix("M@c1 1:S@c6?! *"))
    assert (fault.text, fault.clause, fault.seat) == ("1:S@c6", "turn", 1)


def test_comment_belongs_to_the_move_before_it():
    line = accepted(poptrix("{a}{} 1. M@c1{b\n \t c}{d (x) *}2. S@c6 { } *")).line
    assert line.comments == ("a",)
    assert [node.comments for node in line.nodes] == [("b c", "d (x) *"), ()]


def test_unusual_space_characters_stay_in_a_comment():
    assert accepted(poptrix("{oui\u00a0! a\u2028b} *")).line.comments == ("oui\u00a0! a\u2028b",)


def test_variation_replaces_the_move_before_it():
    text = "1. M@c1 2. S@c6 (2. L@a6 {wide} 3. c1>S@c3) (2. M@e6) 3. c1>S@b1 *"
    line = accepted(poptrix(text)).line
    assert moves(line) == ["M@c1", "S@c6", "c1>S@b1"]
    assert [moves(other) for other in line.nodes[1].variations] == [["L@a6", "c1>S@c3"], ["M@e6"]]
    assert line.nodes[1].variations[0].nodes[0].comments == ("wide",)


def test_variations_nest():
    line = accepted(poptrix("M@c1 (L@c1 S@c6 (S@a6 (M@a6) c1>S@c2)) *")).line
    outer = line.nodes[0].variations[0]
    inner = outer.nodes[1].variations[0]
    assert moves(outer) == ["L@c1", "S@c6"]
    assert moves(inner) == ["S@a6", "c1>S@c2"]
    assert moves(inner.nodes[0].variations[0]) == ["M@a6"]


def test_variation_leaves_the_main_line_unchanged():
    fault = rejected(poptrix("M@c1 (L@c1 S@c6) S@c6 x *"))
    assert fault.event == 2


def test_comment_before_a_variation_belongs_to_its_start():
    variation = accepted(poptrix("M@c1 ({or} L@c1) *")).line.nodes[0].variations[0]
    assert variation.comments == ("or",)


def test_fault_in_a_variation_has_no_event():
    fault = rejected(poptrix("M@c1 S@c6 (2. c1>S@c3) *"))
    assert (fault.clause, fault.event, fault.seat) == ("POP-2.1", None, 2)
    assert (fault.text, place(fault)) == ("c1>S@c3", (3, 15))


def test_parentheses_and_braces_may_touch_their_neighbours():
    line = accepted(poptrix("M@c1(L@c1{x}S@c6)(S@c1){y}S@c6{z}*")).line
    assert moves(line) == ["M@c1", "S@c6"]
    assert [moves(other) for other in line.nodes[0].variations] == [["L@c1", "S@c6"], ["S@c1"]]


@pytest.mark.parametrize(
    ("movetext", "column"),
    [
        ("M@c1 {x", 6),
        ("M@c1 (L@c1 *", 6),
        ("M@c1 (L@c1", 6),
        ("M@c1 (L@c1 (S@c1) *", 6),
        ("M@c1 ) *", 6),
        ("M@c1 } *", 6),
        ("M@c1 () *", 6),
        ("M@c1 ({x}) *", 6),
        ("M@c1 ((L@c1)) *", 7),
        ("(M@c1) M@c1 *", 1),
        ("$1 M@c1 *", 1),
        ("M@c1 ($1 L@c1) *", 7),
        ("M@c1 $256 *", 6), ("M@c1 $ *", 6), ("M@c1 $99999999999999999999 *", 6), ("M@c1", 1),
        ("* M@c1", 3), ("* {x}", 3), ("* *", 3),
    ],
)  # fmt: skip
def test_broken_movetext_is_refused_with_its_column(movetext, column):
    fault = rejected(poptrix(movetext))
    assert (fault.clause, fault.event, place(fault)) == ("syntax", None, (3, column))


def test_first_fault_in_the_text_is_reported():
    assert rejected(poptrix("M@c9 (", '[Result "+1"]')).clause == "form"


def test_endless_nesting_is_refused():
    fault = rejected(poptrix("M@c1 " + "(M@b1 " * 100_000))
    assert (fault.clause, place(fault)) == ("syntax", (3, 6 + 6 * MAX_DEPTH))


def test_variations_nest_up_to_the_limit():
    text = poptrix("M@c1 " + "(M@b1 " * MAX_DEPTH + ")" * MAX_DEPTH + "*")
    written = write_record(accepted(text))
    assert write_record(accepted(written)) == written


@pytest.mark.parametrize(
    ("movetext", "outcome"),
    [
        ("M@c1 1:resign +2", Outcome("resigned", (2,))),
        ("1:offer-draw 2:accept-draw =", Outcome("agreed")),
        ("1:offer-draw 2:decline-draw *", None),
        ("M@c1 2:flag +2", Outcome("flagged", (2,))),
        ("ruled=+1 +1", Outcome("ruled", (1,))),
        ("ruled== =", Outcome("ruled")),
        ("ruled=* *", Outcome("ruled", abandoned=True)),
        ("M@c1 *", None),
    ],
)
def test_match_events_and_results_are_read(movetext, outcome):
    assert accepted(poptrix(movetext)).match.state.outcome == outcome


SUFFIXES = ["M@c1!!! *", "M@c1?!? *"]
MATCH_EVENTS = ["resign *", "ruled=+0 *", "1:ruled== *", "ruled=2 *", "+0"]


@pytest.mark.parametrize("movetext", [*SUFFIXES, *MATCH_EVENTS])
def test_malformed_suffix_or_match_event_is_refused(movetext):
    assert rejected(poptrix(movetext)).clause == "form"


@pytest.mark.parametrize("event", ["M@a1", "2:resign", "ruled==", "1:offer-draw"])
def test_abandoned_match_accepts_no_event(event):
    assert rejected(poptrix(f"ruled=* {event} *")).clause == "over"


@pytest.mark.parametrize(
    ("movetext", "result"),
    [
        ("M@c1 +1", "+1"), ("M@c1 =", "="), ("1:resign *", "*"), ("1:resign +1", "+1"),
        ("1:resign =", "="), ("ruled=* =", "="), ("M@c1 +9", "+9"),
    ],
)  # fmt: skip
def test_result_that_contradicts_the_moves_is_refused(movetext, result):
    fault = rejected(poptrix(movetext, f'[Result "{result}"]'))
    column = movetext.rindex(" ") + 2
    assert (fault.clause, fault.event, place(fault)) == ("result", None, (4, column))


@pytest.mark.parametrize("value", ["+1", "=", "", "1-0"])
def test_result_tag_repeats_the_terminator(value):
    fault = rejected(poptrix("M@c1 *", f'[Result "{value}"]'))
    assert (fault.clause, place(fault)) == ("result", (2, 1))


def test_fault_has_the_named_or_awaited_seat():
    assert rejected(poptrix("x *")).seat == 1
    assert rejected(poptrix("7:x *")).seat == 7
    assert rejected(poptrix("1:resign M@a1 +2")).seat is None


def test_fault_fits_a_line():
    words = rejected(poptrix("2:M@c1 *")).words()
    assert words.startswith("line 3, column 1: '2:M@c1': it is not for seat 2")
    assert words.endswith("(turn)")
