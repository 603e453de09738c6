"""How games are played: positions that are reached by legal moves."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from replay import registry
from replay.errors import Damaged
from replay.games import game_info
from replay.games.game_info import Example

GAMES = registry.games()


@pytest.mark.parametrize("slug", GAMES)
def test_every_game_has_needs_and_four_examples(slug):
    guide = game_info.guide(GAMES[slug])
    assert guide.needs
    assert any(need.instead for need in guide.needs)
    assert 4 <= len(guide.examples) <= 5
    assert all(len(example.words.split()) <= 60 for example in guide.examples)


@pytest.mark.parametrize("slug", GAMES)
def test_every_example_is_legal_and_cites_existing_clauses(slug):
    game = GAMES[slug]
    boards = []
    for number, example in enumerate(game_info.guide(game).examples):
        boards.append(game_info.example_picture(game, number))
        assert [clause.id for clause in game_info.clauses(game, example)] == [*example.clauses]
        assert example.clauses
    assert all(board.panels for board in boards)
    assert len(set(map(repr, boards))) == len(boards)


@pytest.fixture
def told(monkeypatch):
    """Return a function that gives Poptrix one example."""

    def tell(**parts):
        example = Example("Wrong", "…", **parts)
        guide = game_info.Guide(examples=(example,))
        monkeypatch.setattr(game_info, "guide", lambda game: guide)
        game_info.example_picture.cache_clear()
        return example

    yield tell
    game_info.example_picture.cache_clear()


def test_illegal_move_of_an_example_is_damage(told):
    told(moves="M@c1 M@c5")
    with pytest.raises(Damaged, match=r"how-to-play\.toml of poptrix, Wrong: 'M@c5'"):
        game_info.example_picture(GAMES["poptrix"], 0)


def test_demonstration_position_marks_its_last_move(told):
    told(demo=3)
    board = game_info.example_picture(GAMES["poptrix"], 0)
    assert [(mark.at, mark.kind) for mark in board.marks] == [("c3", "to")]


def test_unknown_clause_is_damage(told):
    with pytest.raises(Damaged, match=r"POP-9\.9"):
        game_info.clauses(GAMES["poptrix"], told(clauses=("POP-9.9",)))


def test_game_without_the_file_has_no_examples():
    game = SimpleNamespace(seeds="tests", slug="poptrix", version=1, rules="", demo="")
    assert game_info.guide(game).examples == ()
    assert not game_info.is_explained(game)


def test_unreadable_file_is_named_with_its_game(tmp_path, monkeypatch):
    (tmp_path / "unread_seeds" / "poptrix").mkdir(parents=True)
    (tmp_path / "unread_seeds" / "__init__.py").touch()
    (tmp_path / "unread_seeds" / "poptrix" / "how-to-play.toml").write_text("[[need]]\nwhat = 1\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(Damaged, match=r"how-to-play\.toml of poptrix"):
        game_info.guide(SimpleNamespace(seeds="unread_seeds", slug="poptrix"))
