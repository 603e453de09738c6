"""The engines of Plybook, line by line."""

from __future__ import annotations

from random import Random

import pytest

from domain.games import BUILT_IN, built_in
from domain.match import open_match
from replay.errors import Usage
from replay.programs.engines import RandomEngine, SearchEngine
from replay.programs.engines import built_in as engine_of
from replay.search.playouts import for_playouts
from tests.conformance.door import install, opened
from tests.paths import ROOT


def searching(playouts: int = 30) -> SearchEngine:
    return SearchEngine(Random(1), lambda: for_playouts(playouts))


def told(engine: SearchEngine | RandomEngine, *lines: str) -> str | None:
    """Send lines to an engine, and return its last answer."""
    *before, last = lines
    assert [engine.answer(line) for line in before] == [None] * len(before)
    return engine.answer(last)


def test_engines_have_names():
    names = ("random", "search", "other")
    found = [engine_of(name, Random(1), lambda: for_playouts(1)) for name in names]
    assert [type(each).__name__ for each in found] == ["RandomEngine", "SearchEngine", "NoneType"]


def test_random_engine_chooses_among_offered_moves():
    engine = RandomEngine(Random(1))
    answers = {told(engine, "new poptrix seats=2", "go 1 a b c") for _ in range(50)}
    assert answers == {"play a", "play b", "play c"}


@pytest.mark.parametrize("engine", [RandomEngine(Random(1)), searching()])
def test_engine_without_offered_move_is_refused(engine):
    with pytest.raises(Usage, match="no move is offered"):
        told(engine, "new poptrix seats=2", "play 1:nonsense", "go 1")


def test_search_finds_the_winning_move():
    lines = ("new cube-pyramid/1 seats=2", "go 1 x y")
    token = told(searching(), *lines).removeprefix("play ")
    game = built_in("cube-pyramid")
    assert game.parse(token) in list(game.legal(open_match(game).state.position, 1))


def test_search_follows_undo_and_set():
    text = "5/5/5/5/5/2M2 5S4M5L 5s5m5l 2 2"
    engine = searching()
    told(engine, "new poptrix seats=2", "play 1:M@c1", "undo 1", f"set {text}", "go 2 x y")
    assert told(engine, "undo 1", "go 1 x y")[-1] == "1"


def test_a_single_move_needs_no_search():
    assert told(searching(0), "new poptrix seats=2", "go 1 roll") == "play roll"


def test_dice_at_the_table_are_thrown_fairly():
    engine = searching()
    thrown = {told(engine, "new blockade seats=2", "go 1 roll=1,1 roll=6,6") for _ in range(60)}
    assert len(thrown) > 20


@pytest.mark.parametrize("slug", BUILT_IN)
def test_unreadable_line_leaves_a_random_move(slug):
    lines = (f"new {slug} seats=2", "play 1:nonsense", "play 1:more", "go 2 a")
    assert told(searching(), *lines) == "play a"


def test_hidden_hands_are_guessed(tmp_path):
    install(ROOT / "plugins" / "whist", tmp_path)
    hand = "play 1:hand=2C3C4C5C6C7C8C9CTCJCQCKCAC"
    takes = ("new whist seats=4", hand, "sealed 2", "sealed 3", "sealed 4")
    with opened(tmp_path):
        assert told(searching(3), *takes, "go 1 2C 3C").removeprefix("play ") in hand
        known = "play 2:2D", "play 3:3D", "play 4:2S"
        second = told(searching(3), *takes, "play 1:2C", *known, "go 1 3C 4C")
        assert second.removeprefix("play ") in hand.replace("2C", "")
