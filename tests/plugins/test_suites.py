"""The games of `plugins` pass the tests that every game must pass.

The slow jobs run the test file of every plug-in on one match of each of a few combinations, and
`pytest plugins/NAME` runs it on all. That of OpenSpiel, which no lock has, runs in `.ci/run`.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest

from replay import registry, rules_text
from replay.formats.ply.reader import read_records
from replay.games import game_info
from tests.conformance.door import PLUGINS
from tests.paths import ROOT

FEWER = """
from plybook.testing.subjects import Subject, few

def pytest_collection_modifyitems(items):
    of = [getattr(item, "callspec", None) and item.callspec.params.get("subject") for item in items]
    items[:] = [
        item for item, subject in zip(items, of, strict=True)
        if not isinstance(subject, Subject) or not subject.seed and subject in few(subject.game)
    ]
"""
ONE_LINE = 38
"""The characters of a reason beside its clause on a phone of 360 pixels."""


@pytest.mark.parametrize("name", [name for name in PLUGINS if name != "tic-tac-toe"])
def test_end_has_plain_words_of_one_line(site, name):
    game = registry.find(name)
    words = game_info.about(game).endings
    (record,) = read_records(rules_text.demo(game))
    assert record.match.state.outcome.clause in words
    assert set(words) <= set(rules_text.clauses(game))
    assert max(map(len, words.values())) <= ONE_LINE


def run_suite(folder, site, *arguments):
    """Run pytest in a folder, with the plug-ins of a site; return its output."""
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(site), str(ROOT)])},
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stdout
    return ran.stdout


def test_every_plugin_has_a_suite_that_runs():
    folders = {each.parent.name for each in (ROOT / "plugins").glob("*/pyproject.toml")}
    assert folders == {*PLUGINS, "openspiel"}


def test_suite_finds_its_game_after_other_tests_changed_the_games(tmp_path):
    shutil.copy(ROOT / "plugins/tic-tac-toe/test_tic_tac_toe.py", tmp_path)
    other = (
        "from replay import registry\n\ndef test_other():\n    registry._plugins.cache_clear()\n"
    )
    (tmp_path / "test_before.py").write_text(other)
    wanted = "test_other or test_amended_match_round_trip_verifies"
    ran = run_suite(tmp_path, ROOT / "plugins/tic-tac-toe", "-k", wanted)
    assert "3 passed" in ran


@pytest.mark.slow
@pytest.mark.parametrize("name", PLUGINS)
def test_plugin_passes_the_suite(site, tmp_path, name):
    """Play one match of each of a few combinations of seats and options."""
    file = f"test_{name.replace('-', '_')}.py"
    shutil.copy(ROOT / "plugins" / name / file, tmp_path)
    (tmp_path / "conftest.py").write_text(FEWER)
    assert " passed" in run_suite(tmp_path, site, file)


def test_missing_openspiel_is_named_with_its_installation(site, monkeypatch):
    # The package is in no lock, so it is mostly missing here; it must be missing for this test.
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    sys.modules.pop("plybook_openspiel", None)
    registry._plugins.cache_clear()
    reasons = {one.name: one.reason for one in registry.broken()}
    assert "pip install open_spiel" in reasons["openspiel"]
