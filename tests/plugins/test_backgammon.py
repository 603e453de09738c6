"""Backgammon: refusals by clause, the dice of a start, hits, the cube and the points of games."""

from __future__ import annotations

from importlib import import_module

import pytest

from domain.entry import move_text as entry
from domain.entry.spellings import spell
from domain.match import open_match
from domain.position import Violation
from replay.registry import find


@pytest.fixture
def game(site):
    return find("backgammon")


def men(**points):
    """Return men by point, like `p6=5` and `bar=1`; those that are left are off."""
    found = [0] * 26
    for name, count in points.items():
        found[25 if name == "bar" else int(name[1:])] = count
    return (15 - sum(found), *found[1:])


def board(first, second, dice=(), seat=1, options=None, **fields):
    kinds = import_module("backgammon.position")
    chosen = kinds.BackgammonOptions(**options or {})
    return kinds.Backgammon(chosen, (first, second), seat, dice, **fields)


def played(game, texts, position=None, **options):
    """Return the position after move texts, or the clause that refuses the last one."""
    position = position or game.start(game.read_options(options))
    for number, text in enumerate(texts.split(), 1):
        [awaited, *_] = position.awaiting()
        move = game.parse(text)
        if refused := move.check(position, awaited.seat):
            assert number == len(texts.split()), (text, refused)
            return refused.clause
        position, _ = move.evolve(position, awaited.seat)
    return position


CLOSED = men(p1=2, p2=2, p3=2, p4=2, p5=2, p6=2, p7=3)
"""All points of a home are held."""


@pytest.mark.parametrize(
    ("texts", "clause"),
    [
        ("roll=4,4", "BAC-2.1"),
        ("8/5", "BAC-2.2"),
        ("roll=3,1 roll=2,1", "BAC-2.2"),
        ("roll=3,1 9/6", "BAC-3.1"),
        ("roll=3,1 6/8", "BAC-3.1"),
        ("roll=3,1 8/4", "BAC-3.1"),
        ("roll=5,1 6/1", "BAC-3.3"),
        ("roll=3,1 6/off", "BAC-4.1"),
        ("double", "BAC-5.2"),
        ("roll=3,1 double", "BAC-5.2"),
        ("roll=3,1 8/5 6/5 take", "BAC-5.3"),
        ("roll=3,1 8/5 6/5 double roll=2,1", "BAC-5.3"),
        ("roll=3,1 8/5 6/5 double take roll=6,5 24/18 18/13 roll=2,1 13/11 6/5 double", "BAC-5.4"),
    ],
)
def test_refusals_cite_their_clause(game, texts, clause):
    assert played(game, texts) == clause


@pytest.mark.parametrize(
    ("own", "other", "dice", "text", "clause"),
    [
        (men(bar=1, p6=2), men(), (3, 1), "6/5", "BAC-3.2"),
        (men(p6=1, p3=1), men(), (4, 2), "3/off", "BAC-4.2"),
        # The 4 is blocked for the man on 24 until it has played the 1.
        (men(p24=1, p2=1), men(p5=2), (4, 1), "2/1", "BAC-3.5"),
        # Either die can be played, but not both: the higher one is.
        (men(p24=1), men(p12=2), (6, 5), "24/19", "BAC-3.6"),
    ],
)
def test_refusals_of_positions(game, own, other, dice, text, clause):
    assert played(game, text, board(own, other, dice)) == clause


def test_every_clause_of_the_code_is_in_the_rules(game):
    from replay import rules_text

    known = set(rules_text.clauses(game))
    assert set(import_module("backgammon.position").NO_DOUBLE) <= known


def test_start_is_rolled_until_the_dice_differ(game):
    thrown = iter([4, 4, 2, 2, 3, 5])
    roll = game.moves[0].roll(game.start(), lambda sides: next(thrown))
    assert roll.dice == (3, 5)
    position, _ = roll.evolve(game.start(), 1)
    assert (position.seat, position.dice) == (2, (3, 5))


def test_double_is_played_four_times(game):
    position = played(game, "roll=3,1 8/5 6/5 roll=2,2 13/11 13/11 6/4")
    assert (position.seat, position.dice) == (2, (2,))
    assert played(game, "6/4", position).seat == 1


def test_hit_man_enters_before_others_move(game):
    position = played(game, "roll=4,3 24/20 24/21 roll=5,4 8/4 6/1")
    assert position.men[0][25] == 2 - position.men[0][20] - position.men[0][21]
    hit = played(game, "6/5", board(men(p6=1), men(p20=1, p1=1), (1,)))
    assert (hit.men[1][25], hit.seat) == (1, 2)


def test_turn_passes_if_nothing_can_be_played(game):
    position = board(men(bar=1, p6=5), CLOSED)
    after, effects = game.parse("roll=6,5").evolve(position, 1)
    assert (after.seat, after.dice) == (2, ())
    assert [each.words() for each in effects] == ["seat 1 cannot move"]


def test_one_die_bears_off_from_the_highest_point(game):
    position = played(game, "3/off", board(men(p3=1, p2=1), men(p1=1), (6, 5)))
    assert (position.men[0][0], position.dice) == (14, (6,))


LAST = men(p1=1)
GAMMON = men(p6=15)
BACKGAMMON = men(p6=14, p20=1)


@pytest.mark.parametrize(
    ("loser", "cube", "options", "points"),
    [
        (men(p1=1), 2, {}, 2),
        (GAMMON, 1, {}, 2),
        (BACKGAMMON, 1, {}, 3),
        (men(p6=14, bar=1), 4, {}, 12),
        (GAMMON, 1, {"jacoby": "yes"}, 1),
        (BACKGAMMON, 2, {"jacoby": "yes"}, 6),
    ],
)
def test_gammon_counts_twice_and_backgammon_three_times(game, loser, cube, options, points):
    ended = played(game, "1/off", board(LAST, loser, (1,), options=options, cube=cube))
    assert ended.outcome().scores == (points, 0)
    assert ended.outcome().clause == "BAC-6.1"


def test_dropped_double_counts_the_former_number(game):
    start = "roll=3,1 8/5 6/5 double"
    assert played(game, f"{start} drop").outcome().scores == (0, 1)
    taken = played(game, f"{start} take")
    assert (taken.cube, taken.owner, taken.seat) == (2, 1, 2)


def test_cube_rests_once_in_a_match(game):
    """The first game with a seat one point from the match has no double; the next one has."""
    match = {"points": 3}
    crawford = board(men(p1=2), men(p1=2), score=(2, 0), options=match)
    assert played(game, "double", crawford) == "BAC-5.6"
    assert crawford.awaiting()[0].moves == ("roll",)
    after = played(game, "1/off", board(men(p2=2), LAST, (1,), 2, match, score=(2, 0)))
    assert after.crawford_over
    assert after.score == (2, 1)
    assert played(game, "roll=3,1 8/5 6/5 double take", after).cube == 2
    without = board(men(p1=2), men(p1=2), seat=2, score=(2, 0), options={**match, "crawford": "no"})
    assert played(game, "double", without).offered


def test_cube_that_wins_the_match_is_not_turned(game):
    position = board(men(p1=2), men(p1=2), score=(1, 0), options={"points": 3}, cube=2)
    assert played(game, "double", position) == "BAC-5.5"
    highest = board(men(p1=2), men(p1=2), cube=64)
    assert played(game, "double", highest) == "BAC-5.1"


def test_match_ends_at_its_points(game):
    position = board(LAST, GAMMON, (1,), score=(1, 2), options={"points": 3})
    ended = played(game, "1/off", position)
    assert (ended.outcome().clause, ended.outcome().scores) == ("BAC-6.5", (3, 2))
    going = played(game, "1/off", board(LAST, GAMMON, (1,), options={"points": 3}))
    assert (going.score, going.seat, going.men[0][24]) == ((2, 0), 0, 2)


@pytest.mark.parametrize("text", ["8/5*", "8-5", "8 / 5", "8/5"])
def test_moves_have_other_spellings(game, text):
    match = open_match(game)
    match = match.evolve(entry.read(game, match.state, "roll=3,1"))
    assert spell(match.state, text) == "8/5"


@pytest.mark.parametrize(
    ("text", "means"), [("25/22", "bar/22"), ("B/22", "bar/22"), ("6/0", "6/off")]
)
def test_bar_and_off_have_numbers_too(game, text, means):
    assert spell(open_match(game).state, text) == means


def test_points_have_the_numbers_of_the_seat_in_turn(game):
    def numbers(position):
        return {cell.at: cell.note for cell in game.scene(position).panels[0].cells}

    first, second = played(game, "roll=3,1"), played(game, "roll=1,3")
    assert (numbers(first)["a"], numbers(second)["a"]) == ("1", "24")
    assert [pick.text for pick in game.parse("8/5").picks(first)] == ["h", "e"]
    assert [pick.text for pick in game.parse("8/5").picks(second)] == ["q", "t"]


def test_wrong_texts_are_no_moves(game):
    match = open_match(game)
    for text in ("0/5", "26/20", "8/25", "off/3", "roll=7,1", "roll=3"):
        assert isinstance(entry.read(game, match.state, text), Violation)
