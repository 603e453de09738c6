"""The tags of a record."""

from __future__ import annotations

import pytest

from replay.tags.match_tags import Tag
from tests.replay.formats.ply.texts import accepted, place, poptrix, rejected

MIDGAME = "2s2/2L^2/5/5/5/2M2 5S4M4L 4s4m5l 2 6"


def test_record_needs_only_the_game_tag():
    record = accepted('[Game "poptrix"]\n\n*')
    assert (record.game.ruleset, record.match.seats, record.players) == ("poptrix/1", 2, {})


def test_tags_keep_their_order():
    record = accepted(poptrix("*", '[Round "1"]', '[Date "2026.??.??"]', '[Round "2"]'))
    assert [tag.name for tag in record.tags] == ["Game", "Round", "Date", "Round"]
    assert record.others == (Tag("Round", "1"), Tag("Round", "2"))


def test_quotes_and_backslashes_are_escaped():
    assert accepted(poptrix("*", r'[Site "a \"b\" \\c"]')).tag("Site") == r'a "b" \c'


def test_tag_after_a_backslash_is_on_its_line():
    record = accepted(r'[Game "poptrix"] [Seat1 "a\\"] [Seat2 "b"]' + "\n\n*")
    assert record.players == {1: "a\\", 2: "b"}


def test_white_space_around_a_tag_is_ignored():
    assert accepted('  [ Game\t "poptrix" ] \n\n*').game.slug == "poptrix"


def test_seat_tags_set_the_number_of_seats():
    text = '[Game "power-play"]\n[Seat2 "B"]\n[Seat1 "A"]\n[Seat3 "C"]\n\n*'
    record = accepted(text)
    assert record.match.seats == 3
    assert list(record.players.items()) == [(1, "A"), (2, "B"), (3, "C")]


def test_options_are_read():
    record = accepted('[Game "power-play"]\n[Option "first=2"]\n\n*')
    assert record.game.set_options(record.match.options) == {"first": 2}


def test_record_may_begin_at_a_set_position():
    record = accepted(poptrix("6. c6xc5 +1", f'[Position "{MIDGAME}"]'))
    assert record.match.game.write_position(record.match.start.position) == MIDGAME
    assert [node.turn for node in record.line.nodes] == [6]
    assert record.tag("Position") == MIDGAME


def test_moves_are_refereed_from_the_set_position():
    fault = rejected(poptrix("6. c6>S@c4 *", f'[Position "{MIDGAME}"]'))
    assert (fault.clause, fault.seat, fault.event) == ("POP-2.3", 2, 0)


def test_position_tag_may_hold_a_finished_game():
    record = accepted(poptrix("+1", '[Position "5/2L^2/5/5/5/2M2 5S4M4L 4s4m5l 2 6"]'))
    assert record.match.state.outcome.winners == (1,)
    over = rejected(poptrix("c5xc6 +1", '[Position "5/2L^2/5/5/5/2M2 5S4M4L 4s4m5l 2 6"]'))
    assert over.clause == "over"


@pytest.mark.parametrize(
    ("tags", "line", "words"),
    [
        ('[Rules "poptrix/1"]\n[Game "poptrix"]', 1, "first tag"),
        ('[Game "chess"]', 1, "'chess' is not a game"),
        ('[Game "poptrix/1"]', 1, "is not a game"),
        ('[Game ""]', 1, "is not a game"),
        ('[game "poptrix"]', 1, "first tag"),
        ('[Game "poptrix"]\n[Game "poptrix"]', 2, "twice"),
        ('[Game "poptrix"]\n[Date "2026.11.23"]\n[Date "2026.11.23"]', 3, "twice"),
        ('[Game "poptrix"]\n[Date "yesterday"]', 2, "'yesterday' is not a valid date"),
        ('[Game "poptrix"]\n[Date "2026.02.30"]', 2, "'2026.02.30' is not a valid date"),
        ('[Game "poptrix"]\n[Result "*"]\n[Result "*"]', 3, "twice"),
        ('[Game "poptrix"]\n[Seat1 "A"]\n[Seat1 "B"]', 3, "twice"),
        ('[Game "poptrix"]\n[Rules "power-play/1"]', 2, "is not a ruleset of Poptrix"),
        ('[Game "poptrix"]\n[Rules "poptrix/99"]', 2, "is not a ruleset"),
        ('[Game "poptrix"]\n[Rules "poptrix"]', 2, "is not a ruleset"),
        ('[Game "poptrix"]\n[Rules "poptrix/"]', 2, "is not a ruleset"),
        ('[Game "poptrix"]\n[Position "…"]', 2, "not a position of Poptrix, column"),
        (f'[Game "poptrix"]\n[Position "{MIDGAME} 7"]', 2, "not a position of Poptrix, column"),
        (f'[Game "poptrix"]\n[Position "{MIDGAME}"]\n[Position "{MIDGAME}"]', 3, "twice"),
        ('[Game "poptrix"]\n[Seat0 "A"]', 2, "Seat0 is not a seat"),
        ('[Game "poptrix"]\n[Seat12 "A"]', 2, "Seat12 is not a seat"),
        ('[Game "poptrix"]\n[Seat1 "A"]', 2, "for 2 seats"),
        ('[Game "poptrix"]\n[Seat1 "A"]\n[Seat2 "B"]\n[Seat3 "C"]', 2, "for 2 seats"),
        ('[Game "power-play"]\n[Seat1 "A"]\n[Seat3 "C"]', 2, "needs a tag Seat2"),
        ('[Game "poptrix"]\n[Option "cool=2"]', 2, "no option 'cool'"),
        ('[Game "power-play"]\n[Option "first"]', 2, "is not an option"),
        ('[Game "power-play"]\n[Option "first=9"]', 2, "first"),
        ('[Game "power-play"]\n[Option "first=4"]', 2, "first"),
        ('[Game "power-play"]\n[Option "first=1"]\n[Option "first=1"]', 3, "twice"),
        ('[Game "poptrix"]\n[Site "Home"', 2, "not a tag"),
        ('[Game "poptrix"]\n[Site Home]', 2, "not a tag"),
        ('[Game "poptrix"]\n[Site "Ho\\me"]', 2, "not a tag"),
        ('[Game "poptrix"]\n[Site "A"] Home', 2, "not a tag"),
        ('[Game "poptrix"]\n["Home"]', 2, "not a tag"),
        ('[Game "poptrix"]\n[Sité "Home"]', 2, "not a tag"),
    ],
)
def test_faulty_tags_are_refused(tags, line, words):
    fault = rejected(f"{tags}\n\n*\n")
    assert (fault.clause, place(fault), fault.event) == ("tag", (line, 1), None)
    assert words in fault.message


def test_record_begins_with_a_tag():
    fault = rejected("\n 1. M@c1 *")
    assert (fault.clause, place(fault)) == ("tag", (2, 2))


@pytest.mark.parametrize("name", ["Poptrix", "POPTRIX", "poptrix"])
def test_game_tag_may_have_the_display_name(name):
    record = accepted(f'[Game "{name}"]\n\n*')
    assert record.tag("Game") == "poptrix"
