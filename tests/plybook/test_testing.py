"""The conformance suite as other people use it: two lines in a test file of their own."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import plybook.testing
from tests.conformance import door
from tests.conformance.door import install

ROOT = Path(plybook.testing.__file__).parents[2]
SMALLEST = ROOT / "plugins" / "tic-tac-toe"
PAGE = (ROOT / "docs" / "games.md").read_text(encoding="utf-8")
(TWO_LINES,) = re.findall(r"```python\n(from tic_tac_toe .*?)```", PAGE, re.DOTALL)


def suite_on_the_examples(tmp_path: Path, lines: str, *arguments: str) -> str:
    """Install the examples, run a test file as pytest does there, and return what it prints."""
    site, project = tmp_path / "site", tmp_path / "project"
    site.mkdir()
    project.mkdir()
    install(door.SIXTH, site)
    install(SMALLEST, site)
    (project / "test_game.py").write_text(lines)
    ran = subprocess.run(
        [sys.executable, "-W", "error", "-m", "pytest", "-q", *arguments],
        cwd=project,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(site), str(ROOT)])},
        capture_output=True,
        text=True,
    )
    return ran.stdout


def test_two_documented_lines_run_the_suite(tmp_path):
    assert TWO_LINES.count("\n") == 2
    listed = suite_on_the_examples(tmp_path, TWO_LINES, "--collect-only")
    named = {line.partition("::")[2].partition("[")[0] for line in listed.splitlines()} - {""}
    assert named == {name for name in plybook.testing.__all__ if name.startswith("test_")}
    assert len(named) > 60


@pytest.mark.slow
@pytest.mark.parametrize("lines", [TWO_LINES, TWO_LINES.replace("tic_tac_toe", "hidden_bid")])
def test_the_example_games_pass_the_suite(tmp_path, lines):
    *_, summary = suite_on_the_examples(tmp_path, lines).splitlines()
    assert "passed" in summary
    assert "failed" not in summary


def test_a_game_that_is_not_installed_passes(tmp_path):
    source = (SMALLEST / "tic_tac_toe" / "__init__.py").read_text()
    lines = source.replace('"tic-tac-toe"', '"noughts"') + "\nfrom plybook.testing import *\n"
    printed = suite_on_the_examples(tmp_path, lines, "-k", "round_trip_verifies")
    assert "2 passed" in printed


@pytest.mark.slow
@pytest.mark.parametrize("name", ["boards", "rerolls"])
def test_games_of_the_browser_tests_pass_the_suite(name, tmp_path, monkeypatch):
    file = ROOT / "tests" / "browser" / f"{name}_game.py"
    monkeypatch.setenv("PLYBOOK_GAMES", str(file))
    named = TWO_LINES.replace("from tic_tac_toe import GAME", f"GAME = find_game('{name}')")
    *_, summary = suite_on_the_examples(
        tmp_path, f"from plybook import find_game\n{named}"
    ).splitlines()
    assert "passed" in summary
    assert "failed" not in summary


def test_page_shows_smallest_game_files():
    files = (
        "tic_tac_toe/__init__.py",
        "pyproject.toml",
        "tic_tac_toe/seeds/tic-tac-toe/rules-1.md",
        "tic_tac_toe/seeds/tic-tac-toe/demo.ply",
    )
    shown = re.findall(r"```(?:python|toml|markdown|text)\n(.*?)```", PAGE, re.DOTALL)
    assert shown[: len(files)] == [(SMALLEST / file).read_text() for file in files]


def test_broken_game_fails_with_its_values(tmp_path):
    broken = "GAME.moves[0].example = 'nonsense'\n"
    project = tmp_path / "project"
    project.mkdir()
    (project / "test_broken.py").write_text(
        f"from plybook import find_game\nGAME = find_game('poptrix')\n{broken}"
        "from plybook.testing import *\n"
    )
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-k", "example_text_of_each_kind"],
        cwd=project,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 1
    assert "where False = isinstance(None" in ran.stdout


def test_suite_imports_no_repository_tests():
    for path in Path(plybook.testing.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom):
                assert node.module.split(".")[0] not in ("tests", "service", "cli"), path
