"""How games are played: positions that are reached by legal moves."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from replay import registry
from replay.errors import Damaged
from replay.games import how_to_play
from replay.games.how_to_play import Example

GAMES = registry.games()


@pytest.mark.parametrize("slug", GAMES)
def test_every_game_has_needs_and_four_examples(slug):
    guide = how_to_play.guide(GAMES[slug])
    assert guide.needs
    assert any(need.instead for need in guide.needs)
    assert 4 <= len(guide.examples) <= 5
    assert all(len(example.words.split()) <= 60 for example in guide.examples)


@pytest.mark.parametrize("slug", GAMES)
def test_every_example_is_legal_and_cites_existing_clauses(slug):
    game = GAMES[slug]
    boards = []
    for number, example in enumerate(how_to_play.guide(game).examples):
        boards.append(how_to_play.picture(game, number))
        assert [clause.id for clause in how_to_play.clauses(game, example)] == [*example.clauses]
        assert example.clauses
    assert all(board.panels for board in boards)
    assert len(set(map(repr, boards))) == len(boards)


@pytest.fixture
def told(monkeypatch):
    """Return a function that gives Poptrix one example."""

    def tell(**parts):
        example = Example("Wrong", "…", **parts)
        guide = how_to_play.Guide(examples=(example,))
        monkeypatch.setattr(how_to_play, "guide", lambda game: guide)
        how_to_play.picture.cache_clear()
        return example

    yield tell
    how_to_play.picture.cache_clear()


def test_illegal_move_of_an_example_is_damage(told):
    told(moves="M@c1 M@c5")
    with pytest.raises(Damaged, match=r"how-to-play\.toml of poptrix, Wrong: 'M@c5'"):
        how_to_play.picture(GAMES["poptrix"], 0)


def test_demonstration_position_marks_its_last_move(told):
    told(demo=3)
    board = how_to_play.picture(GAMES["poptrix"], 0)
    assert [(mark.at, mark.kind) for mark in board.marks] == [("c3", "to")]


def test_unknown_clause_is_damage(told):
    with pytest.raises(Damaged, match=r"POP-9\.9"):
        how_to_play.clauses(GAMES["poptrix"], told(clauses=("POP-9.9",)))


def test_game_without_the_file_has_no_examples():
    game = SimpleNamespace(seeds="tests", slug="poptrix", version=1, rules="", demo="")
    assert how_to_play.guide(game).examples == ()
    assert not how_to_play.is_told(game)


def test_unreadable_file_is_named_with_its_game(tmp_path, monkeypatch):
    (tmp_path / "unread_seeds" / "poptrix").mkdir(parents=True)
    (tmp_path / "unread_seeds" / "__init__.py").touch()
    (tmp_path / "unread_seeds" / "poptrix" / "how-to-play.toml").write_text("[[need]]\nwhat = 1\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(Damaged, match=r"how-to-play\.toml of poptrix"):
        how_to_play.guide(SimpleNamespace(seeds="unread_seeds", slug="poptrix"))
