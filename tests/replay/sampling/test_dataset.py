"""Data sets of judged moves: every answer is the referee's, and a seed gives the same bytes."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from domain.entry import move_text
from domain.games.score_sheet import sheet_game
from domain.games.score_sheet.definition import Definition, Row
from domain.position import Violation
from replay import processes, registry
from replay.errors import Usage
from replay.referee import dry_run
from replay.sampling import dataset
from replay.sampling.dataset import SampledMove, Selection, judged_moves
from tests.conformance import door
from tests.conformance.subjects import GAMES, SITE

ITEMS = 40


@pytest.fixture(autouse=True)
def few(monkeypatch):
    """Short rounds, with the games that are installed for the tests."""
    monkeypatch.setattr(dataset, "MATCHES", 1)
    monkeypatch.setattr(dataset, "PLIES", 30)
    with door.opened(SITE):
        yield


def items(slug: str, number: int, seed: int) -> list[dict]:
    return [json.loads(line) for line in judged_moves(registry.find(slug), number, seed)]


@pytest.mark.parametrize("slug", GAMES)
def test_referee_gives_the_answer_of_each_item(slug):
    found = items(slug, ITEMS, 3)
    for item in found:
        game = registry.find(item["ruleset"])
        options = {name: str(value) for name, value in item["options"].items()}
        opened = dry_run.start(game, options, item["seats"])
        after = dry_run.judge(opened, item["moves"])
        assert after.refused is None
        state = after.match.state
        event = move_text.read(game, state, item["move"], item["seat"])
        violation = event if isinstance(event, Violation) else event.check(state)
        assert item["legal"] == (violation is None)
        answer = violation or Violation(None, None)
        told = (item["clause"], item["message"], tuple(item["squares"]))
        assert told == (answer.clause, answer.message, answer.squares)
        assert item["position"] == (game.text and game.write_position(state.position))
    assert sum(item["legal"] for item in found) == ITEMS // 2
    there = ("seats", "options", "moves", "seat", "move")
    assert len({json.dumps([item[name] for name in there]) for item in found}) == ITEMS


def test_clauses_of_illegal_moves_are_spread():
    clauses = Counter(item["clause"] for item in items("blockade", 180, 1))
    del clauses[None]
    assert len(clauses) >= 5
    rarest, *others = sorted(clauses.values())
    assert rarest > 0
    assert max(others) - min(others) <= 2


def test_seats_and_options_vary(monkeypatch):
    monkeypatch.setattr(dataset, "PLIES", 4)
    found = items("power-play", 120, 1)
    assert {item["seats"] for item in found} == {2, 3, 4}
    assert len({json.dumps(item["options"]) for item in found}) > 2


def test_odd_data_set_has_one_more_legal_move():
    assert Counter(item["legal"] for item in items("cube-pyramid", 41, 1)) == {True: 21, False: 20}


def test_game_with_few_positions_ends_early(monkeypatch):
    monkeypatch.setattr(dataset, "candidates", lambda _: [SampledMove(b"1", "", b"{}")])
    with pytest.raises(Usage, match="only 0 different moves of Poptrix were found"):
        list(judged_moves(registry.find("poptrix"), 10, 1))


def test_games_of_unlisted_moves_are_refused():
    rows = Definition("dice", "Dice", rows=(Row("ones", "Ones"),))
    with pytest.raises(Usage, match="no moves of Dice can be drawn at random"):
        next(judged_moves(sheet_game(rows), 10, 1))


def test_the_rarest_clause_is_chosen_first():
    chosen = Selection(8)
    first = [SampledMove(bytes([n]), "A" if n else "B", b"%d" % n) for n in range(4)]
    legal = [SampledMove(b"legal%d" % n, "", b"legal") for n in range(8)]
    chosen.choose([*first, *legal[:3]])
    later = [SampledMove(b"b", "B", b"rare"), SampledMove(b"a", "A", b"often"), *legal]
    assert b"rare" in chosen.choose(later)
    assert chosen.left == 0


@pytest.mark.slow
@pytest.mark.parametrize("slug", ["poptrix", "pyramid-ball"])
def test_items_depend_on_seed_and_not_on_processes(slug, monkeypatch):
    monkeypatch.undo()
    several = list(judged_moves(registry.find(slug), dataset.FEW + 1, 5))
    monkeypatch.setattr(processes, "processors", lambda: 1)
    assert list(judged_moves(registry.find(slug), dataset.FEW + 1, 5)) == several
    assert list(judged_moves(registry.find(slug), dataset.FEW + 1, 6)) != several
