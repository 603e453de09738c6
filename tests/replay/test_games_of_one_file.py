"""Games of one file, rulesets side by side, and matches whose game is not installed."""

from __future__ import annotations

import sys
from contextlib import closing
from pathlib import Path

import pytest

from replay import registry
from replay.book import Book
from replay.errors import UnknownRuleset
from replay.record.match_creation import NewMatch
from replay.referee.entering import play
from replay.referee.rules_diff import compare_rules
from replay.referee.verification import verify_match
from replay.store import temporary_store
from replay.upkeep import doctor
from tests.paths import ROOT
from tests.verification import verify_all

SOURCE = (ROOT / "plugins/tic-tac-toe/tic_tac_toe/__init__.py").read_text(encoding="utf-8")
SECOND = '''

class NoCentre(Take, tag="take"):
    def check(self, position, seat):
        if self.at == "b2" and not position.taken:
            return Violation("TIC-2.2", "do not begin in the middle; take another square")
        return super().check(position, seat)


RULES = """## TIC-2 A move
- TIC-2.1 One empty square.
- TIC-2.2 Not the middle at first.
"""
GAME = (
    GAME,
    Game("tic-tac-toe", "Tic-tac-toe", version=2, moves=(NoCentre,), rules=RULES,
         start=lambda options, seats: Board(), scene=draw),
)
'''


@pytest.fixture
def game_file(tmp_path, monkeypatch) -> Path:
    """A file with two rulesets of a game, as `PLYBOOK_GAMES` names it."""
    path = tmp_path / "two_rulesets.py"
    path.write_text(SOURCE + SECOND, encoding="utf-8")
    offer(monkeypatch, str(path))
    return path


@pytest.fixture(autouse=True)
def forget_games():
    yield
    registry._plugins.cache_clear()
    for name in [name for name in sys.modules if name.startswith("plybook_game_")]:
        del sys.modules[name]


@pytest.fixture
def book():
    with closing(temporary_store()) as store:
        yield Book(store, now=lambda: 1_700_000_000_000)


def offer(monkeypatch: pytest.MonkeyPatch, files: str) -> None:
    monkeypatch.setenv(registry.FILES, files)
    registry._plugins.cache_clear()


def test_newest_ruleset_is_the_default(game_file):
    assert registry.games()["tic-tac-toe"].ruleset == "tic-tac-toe/2"
    assert registry.find("tic-tac-toe").version == 2
    assert registry.find("tic-tac-toe/1").version == 1
    with pytest.raises(UnknownRuleset, match="use tic-tac-toe/1 or tic-tac-toe/2"):
        registry.find("tic-tac-toe/3")


def test_header_names_the_package_of_a_plug_in(game_file, book):
    match = book.create(NewMatch(registry.find("tic-tac-toe/1")))
    assert (match.header.rules, match.header.package) == ("tic-tac-toe/1", "two_rulesets.py")
    built_in = book.create(NewMatch(registry.find("poptrix")))
    assert built_in.header.package is None
    assert b"package" not in built_in.stream.header


def test_rules_diff_names_the_first_difference(game_file, book):
    old, new = registry.find("tic-tac-toe/1"), registry.find("tic-tac-toe/2")
    changed = play(book, book.create(NewMatch(old)), ["b2", "a1"])
    alike = play(book, book.create(NewMatch(old)), ["a1", "b2"])
    found = {one.match: one for one in compare_rules(book, old, new)}
    assert found[alike.id].difference is None
    difference = found[changed.id].difference
    assert (difference.ply, difference.text, difference.clause) == (1, "b2", "TIC-2.2")


def test_match_without_its_game_is_kept(game_file, book, monkeypatch):
    match = play(book, book.create(NewMatch(registry.find("tic-tac-toe"))), ["a1"])
    offer(monkeypatch, "")
    with pytest.raises(UnknownRuleset, match=r"opened with two_rulesets\.py"):
        Book(book.store).open(match.id)
    assert not verify_match(book, match.stream).ok
    (verdict,) = verify_all(book)
    assert verdict.ok
    assert "not refereed" in verdict.note
    (found,) = doctor.games_of(book)
    assert found.verdict == "warning"
    assert "two_rulesets.py" in found.message


def test_broken_file_is_reported_with_its_traceback(tmp_path, monkeypatch):
    broken = tmp_path / "broken.py"
    broken.write_text("1 / 0\n", encoding="utf-8")
    offer(monkeypatch, str(broken))
    (found,) = registry.broken()
    assert (found.name, found.reason) == (str(broken), "ZeroDivisionError: division by zero")
    assert 'broken.py", line 1' in found.details
    assert "poptrix" in registry.games()
