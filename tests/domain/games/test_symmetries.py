"""The symmetries of the games, and the positions that they identify."""

from __future__ import annotations

import pytest

from domain.canonical import AS_IT_IS, canonical
from domain.games import built_in
from tests.token_play import play_texts


@pytest.mark.parametrize(
    ("slug", "seats", "names"),
    [
        ("poptrix", 2, ["left and right"]),
        ("pyramid-ball", 2, ["left and right"]),
        ("power-play", 2, ["the diagonal a1-h8"]),
        ("power-play", 3, []),
        ("power-play", 4, []),
        ("blockade", 2, ["half a turn, blue for green and red for yellow"]),
    ],
)
def test_games_have_the_listed_symmetries(slug, seats, names):
    game = built_in(slug)
    assert [way.name for way in game.symmetries(game.start(seats=seats))] == names


def test_cube_pyramid_has_five_symmetries():
    game = built_in("cube-pyramid")
    ways = game.symmetries(game.start())
    assert len({tuple(way.squares.items()) for way in ways}) == 5
    assert {way.squares["E11"] for way in ways} == {"E11"}
    assert {way.squares["A11"] for way in ways} == {"A11", "A15", "A51"}


@pytest.mark.parametrize(
    ("slug", "one", "other"),
    [
        ("poptrix", "M@a1", "M@e1"),
        ("cube-pyramid", "l@A12 d@A11", "l@A41 d@A51"),
        ("blockade", "roll=4,5 b5-c5", "roll=5,4 d1-c1"),
        ("power-play", "c1-d1", "a3-a4"),
    ],
)
def test_mirrored_openings_count_as_one(slug, one, other):
    first, second = (play_texts(built_in(slug), text).state.position for text in (one, other))
    assert canonical(built_in(slug), first).text == canonical(built_in(slug), second).text


def test_the_same_opening_moves_count_as_one():
    game = built_in("poptrix")
    start = canonical(game, game.start())
    assert len(start.ways) == 2
    assert start.write(game, game.parse("M@a1")) == start.write(game, game.parse("M@e1"))
    assert start.write(game, game.parse("M@a1")) != start.write(game, game.parse("M@b1"))


def test_mirrored_board_mirrors_its_programs():
    game = built_in("pyramid-ball")
    start = game.start()
    mirrored = game.read_position(
        start, "program 7/7/1s3l1/3m3/3M3/1S3L1/7/7 1 1M 1 - 0/0 -/- -/- - 1"
    )
    assert canonical(game, mirrored).text == canonical(game, start).text
    [way] = game.symmetries(start)
    program = built_in("pyramid-ball").parse("S=LF.,M=R.B,L=xLR,pass=2L,dash=R")
    token = built_in("pyramid-ball").write(way.move(program))
    assert token == "S=RF.,M=L.B,L=xRL,pass=2L,dash=L"


def test_the_selection_has_no_mirror():
    """The starting places of S and L are not mirror images of each other."""
    game = built_in("pyramid-ball")
    assert game.symmetries(game.start(game.options(opening="selection"))) == ()


@pytest.mark.parametrize("slug", ["blockade", "cube-pyramid", "power-play", "pyramid-ball"])
def test_canonical_position_ignores_turn_number(slug):
    game = built_in(slug)
    start = game.start()
    later = game.read_position(start, game.write_position(start)[:-1] + "7")
    assert later != start
    assert canonical(game, later) == canonical(game, start)
    assert canonical(game, start).ways[0] == AS_IT_IS
