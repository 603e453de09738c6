"""Environments of PettingZoo: its own tests, and the referee's answers in masks and rewards."""

from __future__ import annotations

import copy
import pickle
import re
import sys
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from pettingzoo.test import api_test, parallel_api_test, seed_test
from pettingzoo.utils.conversions import aec_to_parallel, turn_based_aec_to_parallel

import plybook.rl
from domain.events import Moved
from domain.game import Game
from domain.games import BUILT_IN
from domain.match import is_secret
from domain.position import Outcome
from plybook import find_game, read_records
from plybook.rl import CHANCE, GameEnv, env
from plybook.rl.actions import WAIT
from plybook.rl.environment import actions_of
from replay.errors import Usage
from tests.conformance import door
from tests.conformance.subjects import GAMES as INSTALLED
from tests.conformance.subjects import SITE
from tests.paths import FIXTURES, ROOT

GAMES = {slug: game for slug, game in INSTALLED.items() if not game.unlisted_tags}
"""The installed games whose moves can be actions."""

FEW = 60
"""The moves of an episode."""


pettingzoo = pytest.mark.filterwarnings("ignore")
"""PettingZoo warns about observations with masks."""


@pettingzoo
@pytest.mark.parametrize("slug", GAMES)
def test_each_game_passes_the_tests_of_pettingzoo(slug):
    check_by_pettingzoo(GAMES[slug])


def check_by_pettingzoo(game: Game[Any]) -> None:
    def make() -> GameEnv:
        return env(game, max_moves=FEW)

    api_test(make(), num_cycles=FEW)
    seed_test(make, num_cycles=FEW)
    parallel_api_test(turn_based_aec_to_parallel(make()), num_cycles=FEW)


@pettingzoo
@pytest.mark.parametrize("name", ["hearts", "homeworlds"])
def test_large_move_sets_are_entered_in_parts(name, tmp_path):
    door.install(ROOT / "plugins" / name, tmp_path)
    with door.opened(tmp_path):
        game, rng = find_game(name), Random(1)
    check_by_pettingzoo(game)
    there = env(game)
    there.reset(seed=1)
    composed = 0
    while there.moves < FEW and not any(there.terminations.values()):
        seat = there._seat
        move = rng.choice(list(game.legal(there.position, seat)))
        after, _ = move.evolve(there.position, seat)
        actions = there.actions.of(move)
        composed += len(actions) > 1
        for action in actions:
            assert there.observe(there.agent_selection)["action_mask"][action]
            there.step(action)
        assert there.position == after or game.has_secrets  # after a deal the hands are rolled
    assert composed


@pytest.mark.parametrize("slug", GAMES)
def test_copies_go_on_as_the_environment_does(slug):
    game, rng = GAMES[slug], Random(2)
    with door.opened(SITE):
        there = env(game, max_moves=FEW)
        there.reset(seed=4)
        for _ in range(9):
            act(there, rng)
        copied, loaded = copy.deepcopy(there), pickle.loads(pickle.dumps(there))
        assert copied.game is there.game is loaded.game
        rngs, before = [Random(5), Random(5), Random(5)], there.text("seat_1")
        for _ in range(FEW):
            act(copied, rngs[0])
        assert there.text("seat_1") == before
        for _ in range(FEW):
            act(there, rngs[1])
            act(loaded, rngs[2])
        texts = {one.text("seat_1") for one in (there, copied, loaded)}
        assert len(texts) == 1
        assert there.moves == copied.moves == loaded.moves


def act(there: GameEnv, rng: Random) -> None:
    """Choose one of the actions of the mask, until the episode is over."""
    if not any(there.terminations.values()) and not any(there.truncations.values()):
        mask = there.observe(there.agent_selection)["action_mask"]
        there.step(rng.choice([int(action) for action in mask.nonzero()[0]]))


@pettingzoo
@pytest.mark.parametrize("slug", GAMES)
def test_environment_is_parallelizable_only_where_its_conversion_passes(slug):
    there = env(GAMES[slug], max_moves=FEW)
    if not there.metadata["is_parallelizable"]:
        with pytest.raises(AssertionError, match="not generally safe"):
            aec_to_parallel(there)
        return
    parallel_api_test(aec_to_parallel(there), num_cycles=FEW)


def test_score_sheet_has_too_many_moves():
    with pytest.raises(Usage, match=r"^Score sheet has too many moves to list as actions: number$"):
        env("score-sheet")


def play(there: GameEnv, rng: Random) -> None:
    """Play an episode at random, and check each mask with the referee."""
    while True:
        seen, _, terminated, truncated, _ = there.last()
        if terminated or truncated:
            return
        legal = {int(action) for action in seen["action_mask"].nonzero()[0]}
        assert legal
        moves = {there.actions.moves[action] for action in legal} - {None}
        for move in moves:
            assert move.check(there.position, there._seat) is None
        listed = set(there.game.legal(there.position, there._seat))
        assert {move for move in listed if move.patience is None} <= moves or not moves
        there.step(rng.choice(sorted(legal)))


@pytest.mark.parametrize("slug", GAMES)
def test_masks_have_the_legal_moves(slug):
    there = env(GAMES[slug], max_moves=FEW)
    there.reset(seed=1)
    play(there, Random(1))


@pytest.mark.parametrize("slug", BUILT_IN)
def test_recorded_matches_are_played_by_actions(slug):
    for record in read_records((FIXTURES / slug / "games.ply").read_text()):
        match = record.match
        if match.state.outcome is not None and match.state.outcome.winners:
            break
    options = match.game.set_options(match.options)
    there = env(slug, seats=match.seats, dice="player", **options)
    there.reset()
    for event in by_seat([ply.event for ply in match.line]):
        enter(there, event)
    assert there.position == match.state.position
    won = match.state.outcome.winners
    for seat in range(1, match.seats + 1):
        assert there.rewards[f"seat_{seat}"] == (1 if seat in won else -1)
        assert there.terminations[f"seat_{seat}"]


def by_seat(events: list[Moved]) -> Iterator[Moved]:
    """Yield the events, each two secret moves in the order of their seats."""
    while events:
        first, *events = events
        if is_secret(first) and events:
            second, *events = events
            yield from sorted((first, second), key=lambda event: event.seat)
        else:
            yield first


def enter(there: GameEnv, event: Moved) -> None:
    """Enter a recorded move; other seats that may act wait."""
    while there._seat != event.seat:
        there.step(WAIT)
    for action in there.actions_of(there.game.write(event.move)):
        there.step(action)


def test_program_is_entered_part_by_part():
    there = env("pyramid-ball")
    there.reset()
    enter(there, Moved(1, find_game("pyramid-ball").parse("S=FR.,M=..F,L=LLF,pass=2L")))
    assert there.agent_selection == "seat_2"
    assert there.text("seat_1").endswith(" S=FR.,M=..F,L=LLF,pass=2L")
    assert "S=FR." not in there.text("seat_2")


def test_other_seats_observe_no_secret():
    seen = []
    for program in ("S=FFF,M=...,L=...", "S=...,M=LLL,L=FRB"):
        there = env("pyramid-ball")
        there.reset()
        enter(there, Moved(1, there.game.parse(program)))
        seen.append({agent: there.observe(agent) for agent in there.agents})
    for part in ("observation", "action_mask"):
        assert (seen[0]["seat_2"][part] == seen[1]["seat_2"][part]).all()
    assert (seen[0]["seat_1"]["observation"] != seen[1]["seat_1"]["observation"]).any()


def test_each_seat_sees_only_its_hand():
    there = env(GAMES["whist"])
    there.reset(seed=3)
    texts = {there.text(agent) for agent in there.agents}
    assert len(texts) == 4
    assert all('"cards":' in text for text in texts)
    assert all(text.count('"cards":') == 1 for text in texts)


def test_actions_are_the_cards_that_the_table_does_not_exclude():
    there, rng, claims = env(GAMES["whist"], deals=4, hands="unseen"), Random(2), 0
    there.reset(seed=2)
    for _ in range(100):
        act(there, rng)
        claims += len(there.position.table.seen.claims)
        assert there.position.table.seen.breaches == 0
    assert claims, "some seats did not follow suit"


def test_partners_win_together():
    there = env(GAMES["whist"])
    there.reset(seed=3)
    play(there, Random(3))
    assert there.rewards["seat_1"] == there.rewards["seat_3"] != 0
    assert there.rewards["seat_2"] == there.rewards["seat_4"] == -there.rewards["seat_1"]


def test_draw_rewards_nobody():
    there = env("poptrix")
    there._end(Outcome("agreed"))
    assert set(there.rewards.values()) == {0}
    assert all(there.terminations.values())


def test_environment_rolls_dice_or_a_player_chooses():
    rolled = [env("blockade"), env("blockade")]
    for there in rolled:
        there.reset(seed=5)
        assert there.agent_selection == "seat_1"
    assert rolled[0].position == rolled[1].position
    chosen = env("blockade", dice="player")
    chosen.reset()
    assert chosen.agent_selection == CHANCE
    chosen.step(*chosen.actions_of("roll=4,5"))
    assert (chosen.agent_selection, chosen.position.dice) == ("seat_1", (4, 5))
    assert env("poptrix", dice="player").possible_agents == ["seat_1", "seat_2"]


def test_long_episode_is_truncated():
    there = env("power-play", seats=3, first=2, max_moves=7)
    there.reset(seed=1)
    assert there.agent_selection == "seat_2"
    play(there, Random(1))
    assert there.moves == 7
    assert all(there.truncations.values())
    assert not any(there.terminations.values())
    assert set(there.rewards.values()) == {0}


def test_illegal_action_is_refused_with_its_clause():
    there = env("poptrix", render_mode="ansi")
    there.reset()
    with pytest.raises(ValueError, match=r"M@c3: .*POP-2\.1"):
        there.step(*there.actions_of("M@c3"))
    for nonsense in (-1, there.actions.count, WAIT, None, "M@c1"):
        with pytest.raises(ValueError, match="is not a legal action of seat_1"):
            there.step(nonsense)
    assert there.render().startswith("6  _2")
    assert there.text("seat_1") == there.game.write_position(there.game.start())


BAD = [
    (("chess",), {}, "not a game"),
    (("poptrix",), {"seats": 3}, "for 2 seats"),
    (("blockade",), {"cool": 7}, "option cool"),
    (("poptrix",), {"warm": 1}, "no option"),
    (("blockade",), {"dice": "loaded"}, "rolled or player"),
]


@pytest.mark.parametrize(("game", "settings", "wrong"), BAD)
def test_wrong_settings_are_refused(game, settings, wrong):
    with pytest.raises(Usage, match=wrong):
        env(*game, **settings)


def test_secret_deals_cannot_have_a_chance_player():
    with pytest.raises(Usage, match="secret"):
        env(GAMES["whist"], dice="player")


def test_game_with_too_many_moves_is_refused():
    with pytest.raises(Usage, match="too many moves to list as actions: number"):
        env("score-sheet")


def test_text_that_is_no_move_is_refused():
    with pytest.raises(ValueError, match="'x' is not a move of Poptrix"):
        env("poptrix").actions_of("x")
    assert env("blockade").actions_of("roll=1,1") != []
    assert env(GAMES["whist"]).actions_of("hand=2H5HTHKH3C9CQC4D6DAD7S8SJS") == []


def test_actions_of_a_game_are_cached():
    actions = actions_of(find_game("poptrix"))
    assert actions_of(find_game("poptrix")) is actions
    assert [actions.ids[move] for move in actions.moves[1:]] == list(range(1, actions.count))


def test_the_script_of_the_page_runs(capsys):
    page = (ROOT / "docs/research.md").read_text(encoding="utf-8")
    (script,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    exec(script, {})
    assert int(capsys.readouterr().out) > 10


def test_missing_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "pettingzoo", None)
    for name in [name for name in sys.modules if name.startswith("plybook.rl")]:
        monkeypatch.delitem(sys.modules, name)
    with pytest.raises(ModuleNotFoundError, match=r"pip install '\.\[rl\]'"):
        __import__("plybook.rl")
    assert plybook.rl
