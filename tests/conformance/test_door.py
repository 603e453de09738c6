"""Games installed through entry points in the group `plybook.games`."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest

from domain.entry.move_text import read
from domain.match import open_match
from replay import registry, rules_text
from replay.errors import Usage
from tests.conformance import door
from tests.conformance.subjects import GAMES

SLUG = "hidden-bid"


@pytest.fixture
def site(tmp_path):
    folder = tmp_path / "site"
    folder.mkdir()
    return folder


def test_an_installed_distribution_adds_its_game(site):
    door.install(door.SIXTH, site)
    assert SLUG not in registry.games()
    with door.opened(site):
        assert SLUG in registry.games()
        assert registry.find(SLUG).ruleset == "hidden-bid/1"
        assert registry.broken() == ()
    assert SLUG not in registry.games()
    with pytest.raises(Usage, match=SLUG):
        registry.find(SLUG)


def test_suite_includes_the_plugged_game():
    assert SLUG in GAMES


def test_plugin_game_has_rules_and_demo():
    game = GAMES[SLUG]
    assert rules_text.clause(game, "BID-2.3").words == "A bid is at most what the seat has."
    assert rules_text.demo(game).startswith('[Game "hidden-bid"]')


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["games"], "Hidden Bid"),
        (["rules", SLUG, "BID-3.2"], "If several seats made the highest bid"),
        (["check", str(door.SIXTH / "hidden_bid" / "seeds" / SLUG / "demo.ply")], "BID-4.1"),
    ],
)
def test_command_line_knows_the_installed_game(site, arguments, said):
    door.install(door.SIXTH, site)
    path = os.pathsep.join([str(site), *filter(None, sys.path)])
    ran = subprocess.run(
        [sys.executable, "-m", "cli", *arguments],
        env=os.environ | {"PYTHONPATH": path},
        cwd=door.SIXTH.parent.parent,
        capture_output=True,
        text=True,
        check=True,
    )
    assert said in ran.stdout


def test_a_refusal_cites_its_clause():
    match = open_match(GAMES[SLUG])
    match = match.evolve(read(match.game, match.state, "roll=3"))
    match = match.evolve(read(match.game, match.state, "1:bid=9"))
    match = match.evolve(read(match.game, match.state, "2:bid=1"))
    match = match.evolve(read(match.game, match.state, "roll=6"))
    violation = read(match.game, match.state, "1:bid=2").check(match.state)
    assert violation.clause == "BID-2.3"


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        ("hidden_bid:NO_SUCH_NAME", "NO_SUCH_NAME"),
        ("no_such_package:GAME", "no_such_package"),
        ("hidden_bid:Table", "hidden_bid:Table is not a domain.game.Game"),
        ("domain.games.poptrix:GAME", "'poptrix' is the slug of another game already"),
    ],
)
def test_broken_plug_in_is_reported(site, tmp_path, entry, reason):
    source = tmp_path / "source"
    shutil.copytree(door.SIXTH, source)
    project = (source / "pyproject.toml").read_text()
    (source / "pyproject.toml").write_text(project.replace("hidden_bid:GAME", entry))
    door.install(source, site)
    with door.opened(site):
        assert SLUG not in registry.games()
        assert [one.name for one in registry.broken()] == [SLUG]
        assert reason in registry.broken()[0].reason
