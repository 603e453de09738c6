"""The canonical form, byte for byte."""

from __future__ import annotations

import pytest

from domain.games.poptrix import GAME
from replay import registry
from replay.annotations.notation import Note
from replay.formats.ply.writer import WIDTH, write_record
from replay.tags.match_tags import Tag
from tests.replay.formats.ply.texts import OPENING, accepted, poptrix, record_of
from tests.token_play import play_texts

EXAMPLE = """\
[Game "power-play"]
[Rules "power-play/1"]
[Date "2026.11.21"]
[Site "Kitchen table"]
[Seat1 "One"]
[Seat2 "Two"]
[Option "first=2"]
[Result "*"]

1. h6-g5 {opens the corner} 2. a3-b4 3. h7^h5 $6 (3. g5-f4 $1 {calmer}) ^f5 . 4.
b4-c5 *

"""


def movetext(text: str) -> str:
    """Return the canonical movetext of a record of Poptrix."""
    return write_record(accepted(poptrix(text))).split("\n\n")[1]


def test_example_is_written_in_canonical_form():
    assert write_record(accepted(EXAMPLE.replace("h5 $6", "h5?!"))) == EXAMPLE
    assert write_record(accepted(EXAMPLE)) == EXAMPLE


def test_tags_have_their_order():
    tags = ['[Z "1"]', '[Result "*"]', '[Seat2 "B"]', '[Site "S"]', '[A "2"]', '[Seat1 "A"]']
    text = write_record(accepted(poptrix("*", *tags, '[Date "2026.11.??"]', '[Z "1"]')))
    assert text == (
        '[Game "poptrix"]\n[Rules "poptrix/1"]\n[Date "2026.11.??"]\n[Site "S"]\n[Seat1 "A"]\n'
        '[Seat2 "B"]\n'
        '[Result "*"]\n[Z "1"]\n[A "2"]\n[Z "1"]\n\n*\n\n'
    )


def test_absent_tags_stay_absent():
    text = write_record(accepted('[Game "poptrix"]\n\n*'))
    assert text == '[Game "poptrix"]\n[Rules "poptrix/1"]\n[Result "*"]\n\n*\n\n'


def test_values_are_escaped():
    site = r'[Site "a \"b\" \\c"]'
    assert f"{site}\n" in write_record(accepted(poptrix("*", site)))


def test_default_options_are_left_out():
    text = '[Game "power-play"]\n[Option "first=1"]\n\n*'
    assert "Option" not in write_record(accepted(text))


def test_options_follow_the_order_of_the_table():
    text = '[Game "pyramid-ball"]\n[Option "{}"]\n[Option "{}"]\n\n*'
    options = ["length=advanced", "opening=selection"]
    written = [write_record(accepted(text.format(*pair))) for pair in (options, options[::-1])]
    assert written[0] == written[1]


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("*", "*"),
        ("{ a\n b } *", "{a b} *"),
        ("1:M@c1 2:S@c6 *", "1. M@c1 2. S@c6 *"),
        ("M@c1 {a}{b} $7 ! *".replace(" !", ""), "1. M@c1 $7 {a} {b} *"),
        ("M@c1 (L@c1) {a} (S@c1) $2 $1 *", "1. M@c1 $1 $2 {a} (1. L@c1) (1. S@c1) *"),
        ("M@c1 {} {  } *", "1. M@c1 *"),
        ("M@c1 1:resign +2", "1. M@c1 1:resign +2"),
        ("1:offer-draw M@c1 *", "1:offer-draw 1. M@c1 *"),
        ("M@c1 ( L@c1 ( S@c1 {x} ) ) *", "1. M@c1 (1. L@c1 (1. S@c1 {x})) *"),
        ("M@c1 ({x y}L@c1 S@c6 $1) *", "1. M@c1 ({x y} 1. L@c1 2. S@c6 $1) *"),
        ("M@c1 (1:resign) S@c6 *", "1. M@c1 (1:resign) 2. S@c6 *"),
        ("M@c1 (1:offer-draw L@c1) S@c6 *", "1. M@c1 (1:offer-draw 1. L@c1) 2. S@c6 *"),
        ("M@c1 S@c6 (L@c6 c1>S@c2) c1>S@b1 *", None),
        ("M@c1 ruled=* *", "1. M@c1 ruled=* *"),
    ],
)
def test_movetext_is_canonical(text, canonical):
    written = movetext(text)
    assert canonical is None or written == canonical
    assert movetext(written) == written


def test_variation_is_numbered_like_the_replaced_moves():
    """A number precedes the first move of a turn, so a variation within a turn has none."""
    line = "1. h6-g5 2. a3-b4 3. h7^h5 (3. g5-f4 4. b4-c5) ^f5 (. 4. b4-c5) . 4. b4-c5 *"
    written = write_record(accepted(f'[Game "power-play"]\n[Option "first=2"]\n\n{line}'))
    assert written.split("\n\n")[1].replace("\n", " ") == line


def test_lines_are_filled_to_the_width():
    words = " ".join("x" * length for length in (3, 40, 33, 1, 79, 80, 81, 2))
    lines = movetext(f"{{{words}}} *").split("\n")
    assert [len(line) for line in lines] == [WIDTH - 1, 1, 79, 80, 81, 5]


def test_width_counts_characters_not_bytes():
    lines = movetext(f"{{{'é' * 77}}} *").split("\n")
    assert [len(line) for line in lines] == [79, 1]
    assert len(movetext(f"{{{'é' * 76}}} *")) == 80


def test_seat_is_written_where_it_is_required():
    text = '[Game "power-play"]\n\n1:a3-b4 2:h6-g5 2:resign +1'
    assert write_record(accepted(text)).endswith("\n\n1. a3-b4 2. h6-g5 2:resign +1\n\n")


def test_match_is_written_with_its_notes():
    notes = {0: Note(comments=("hello",)), 2: Note((5, 1), ("one", "two"))}
    tags = (Tag("Event", "Cup"), Tag("Seat2", "B"), Tag("Seat1", "A"), Tag("Date", "2026"))
    text = write_record(record_of(play_texts(GAME, OPENING), tags, notes))
    assert text == (
        '[Game "poptrix"]\n[Rules "poptrix/1"]\n[Date "2026"]\n[Seat1 "A"]\n[Seat2 "B"]\n'
        '[Result "*"]\n[Event "Cup"]\n\n'
        "{hello} 1. M@c1 2. S@c6 $1 $5 {one} {two} 3. c1>S@c3 4. c6>M@a6 *\n\n"
    )


def test_unnamed_seats_beyond_the_minimum_are_written():
    match = play_texts(registry.find("power-play"), "", seats=3)
    record = accepted(write_record(record_of(match)))
    assert record.match.seats == 3


def test_characters_beyond_a_record_are_replaced():
    notes = {0: Note(comments=("a } b\x00c", "\x07"))}
    record = record_of(play_texts(GAME, ""), (Tag("Site", "a\nb\x1b c"),), notes)
    text = write_record(record)
    assert '[Site "a b c"]\n' in text
    assert text.endswith("\n\n{a ) b c} *\n\n")
    assert write_record(accepted(text)) == text


def test_set_position_keeps_its_place_among_other_tags():
    tags = ['[Round "1"]', '[Position "2s2/2L^2/5/5/5/2M2 5S4M4L 4s4m5l 2 6"]', '[Event "E"]']
    text = write_record(accepted(poptrix("6. c6xc5 +1", *tags)))
    assert text == (
        '[Game "poptrix"]\n[Rules "poptrix/1"]\n[Result "+1"]\n[Round "1"]\n'
        '[Position "2s2/2L^2/5/5/5/2M2 5S4M4L 4s4m5l 2 6"]\n[Event "E"]\n\n6. c6xc5 +1\n\n'
    )
    assert write_record(accepted(text)) == text
