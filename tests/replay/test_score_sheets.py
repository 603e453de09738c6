"""Custom score sheets from TOML files."""

from __future__ import annotations

import pytest

from domain.games.score_sheet import GAME
from replay import registry, rules_text, score_sheets
from replay.errors import Usage
from tests.token_play import play_texts, refusal

DICE = """
slug = "three-dice"
title = "Three dice"
rows = [
  { name = "ones", title = "Ones", most = 3 },
  { name = "chance", least = 3, most = 18 },
]
bonus = [{ title = "Many", rows = ["ones", "chance"], least = 20, points = 5 }]
"""


@pytest.fixture
def dice(tmp_path, monkeypatch):
    """The path of a sheet; the user's folder is empty."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    path = tmp_path / "dice.toml"
    path.write_text(DICE)
    registry._plugins.cache_clear()
    yield path
    registry._plugins.cache_clear()


def test_rows_and_bonuses_are_clauses(dice):
    game = score_sheets.load(dice)
    words = {name: clause.words for name, clause in rules_text.clauses(game).items()}
    assert words["SHT-4.1"] == "Ones (ones): 0 to 3."
    assert words["SHT-4.3"] == "Many: 5 points if ones, chance add up to 20 or more."
    assert set(rules_text.clauses(GAME)) - set(words) == {"SHT-1.3"}  # of an option
    assert rules_text.text(game).startswith("# Three dice — rules\n\nRuleset `three-dice/1`.")
    refused = refusal(play_texts(game, "", seats=2), "1:ones=4")
    assert refused.clause == "SHT-4.1"


def test_rules_of_a_sheet_describe_that_sheet(dice):
    dice.write_text(DICE.replace("rows", 'wins = "low"\nrows', 1).replace('"ones"', '"aces"'))
    game = score_sheets.load(dice)
    assert rules_text.words(game, "SHT-1.2") == "The lowest total wins."
    assert "`1:aces=1`" in game.rules
    assert "`target`" not in game.rules
    assert "moves look like 1:aces=1 (" in game.malformed("nonsense").message


def test_rounds_and_end_are_clauses(dice):
    dice.write_text(DICE.replace("rows", "rounds = 3\ntarget = 90\nrows", 1))
    game = score_sheets.load(dice)
    words = {name: clause.words for name, clause in rules_text.clauses(game).items()}
    assert words["SHT-4.4"] == "There are 3 rounds before the rows."
    assert words["SHT-4.5"] == "A total of 90 ends the sheet."
    assert "| number |" in game.rules
    assert "| number in a row |" in game.rules


def test_kept_sheet_is_a_game_until_removed(dice):
    assert "three-dice" not in registry.games()  # of a server that runs
    assert score_sheets.add(dice).slug == "three-dice"
    assert registry.find("three-dice").name == "Three dice"
    dice.write_text(DICE.replace("Three dice", "Dice"))
    score_sheets.add(dice, registry.games())
    assert registry.games()["three-dice"].name == "Dice"
    score_sheets.remove("three-dice")
    assert "three-dice" not in registry.games()
    with pytest.raises(Usage, match="not a game"):
        registry.find("three-dice")
    with pytest.raises(Usage, match="not a score sheet of yours; these are: none"):
        score_sheets.remove("three-dice")


def test_environment_variable_names_a_sheet_file(dice, monkeypatch):
    monkeypatch.setenv("PLYBOOK_GAMES", str(dice))
    assert registry.find("three-dice/1").name == "Three dice"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("slug = ", "Invalid value"),
        ("slug = 'x'", "missing required field `title`"),
        ("#" * 30_000, "at most 20000 bytes"),
        ("slug = 'free-board'\ntitle = 'X'", "is the slug of another game"),
    ],
)
def test_bad_sheet_is_not_kept(dice, text, fault):
    dice.write_text(text)
    with pytest.raises(Usage, match=fault):
        score_sheets.add(dice, registry.games())
    assert not list(score_sheets.kept())
