"""The public names: sorted, importable, lazy where that is quicker, and typed."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import plybook
import plybook.drawing
import plybook.game

FACE = (plybook, plybook.game, plybook.drawing)
LAZY = (plybook, plybook.drawing)
ROOT = Path(plybook.__file__).parents[1]


def public(module: ModuleType) -> list[str]:
    """Return the names that `import *` takes."""
    return getattr(module, "__all__", [name for name in vars(module) if name[0] != "_"])


NAMES = [(module, name) for module in FACE for name in public(module)]
EARLIER = [(module, name) for module, name in NAMES if module is not plybook]


def sort_key(name: str) -> tuple[int, str]:
    """Order constants, then classes, then functions, as ruff does."""
    return (0 if name.isupper() else 1 if name[0].isupper() else 2, name)


def imported(module: ModuleType) -> set[str]:
    return {
        alias.asname or alias.name
        for node in ast.walk(ast.parse(Path(module.__file__).read_text()))
        if isinstance(node, ast.ImportFrom) and node.module.split(".")[0] in ("domain", "replay")
        for alias in node.names
    }


@pytest.mark.parametrize("module", LAZY)
def test_public_names_are_sorted(module):
    assert module.__all__ == sorted(set(module.__all__), key=sort_key)


@pytest.mark.parametrize("module", FACE)
def test_exactly_the_imported_names_are_public(module):
    assert imported(module) == set(public(module))


def test_a_name_is_public_in_one_module():
    names = [name for _, name in NAMES]
    assert sorted(names) == sorted(set(names))
    assert dir(plybook) == sorted(plybook.__all__)


@pytest.mark.parametrize(("module", "name"), NAMES)
def test_public_names_are_described(module, name):
    value = getattr(module, name)
    assert value is getattr(module, name)
    if callable(value) and name not in ("Colour", "Card", "Hands"):
        assert value.__doc__


@pytest.mark.parametrize(("module", "name"), EARLIER)
def test_earlier_names_still_work(module, name):
    assert getattr(plybook, name) is getattr(module, name)


@pytest.mark.parametrize("module", LAZY)
def test_an_unknown_name_is_an_attribute_error(module):
    with pytest.raises(AttributeError, match="'no_such_name'"):
        module.no_such_name  # noqa: B018


def test_public_names_are_in_the_docs():
    page = (ROOT / "docs" / "python.md").read_text()
    described = set(re.findall(r":: (plybook[.\w]*)\.(\w+)", page))
    assert described == {(module.__name__, name) for module, name in NAMES}


def test_plybook_import_loads_few_modules():
    program = "import plybook, sys; print(*sys.modules)"
    ran = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True)
    loaded = set(ran.stdout.split())
    assert "replay.book" in loaded
    assert not any(name.startswith(("replay.drawing", "service", "cli")) for name in loaded)
    assert not loaded & {"replay.formats.ply.reader", "domain.perft", "sqlite3", "typer"}


SCRIPT = """
from collections.abc import Iterator

import plybook
from plybook import Game, Match, MatchRecord, Move, Position, Violation, find_game, open_book


def count(game: Game[Position]) -> int:
    return plybook.perft(game, game.start(), 1)


def lines(path: str) -> Iterator[Match]:
    with open_book(path) as book:
        for recorded in book.matches():
            yield recorded.match


def draw(recorded: MatchRecord) -> str:
    return plybook.draw_svg(recorded.game.scene(recorded.state.position))


reveal_type(plybook.draw_svg)
plybook.no_such_name
wrong: int = plybook.write_record(plybook.plain_record(plybook.open_match(find_game("poptrix"))))
"""


def test_type_checker_accepts_a_script_with_the_package(tmp_path):
    (tmp_path / "script.py").write_text(SCRIPT)
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache")]
    ran = subprocess.run(
        [*command, "script.py"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    notes = [line.partition(" note: ")[2] for line in ran.stdout.splitlines() if "note:" in line]
    errors = [line for line in ran.stdout.splitlines() if "error:" in line]
    assert "def (scene: domain.scene.Scene" in notes[0]
    assert [error.partition("error: ")[2] for error in errors] == [
        'Module has no attribute "no_such_name"  [attr-defined]',
        'Incompatible types in assignment (expression has type "str", variable has type "int")'
        "  [assignment]",
    ]
