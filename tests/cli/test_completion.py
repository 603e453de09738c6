"""Completion: the words offered to shells, by the protocol of their scripts."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.waiting import PATIENCE


@pytest.fixture
def complete(plybook, monkeypatch):
    def ask(shell: str, line: str) -> str:
        asked = {
            "_PLYBOOK_COMPLETE": f"complete_{shell}",
            "COMP_WORDS": line,
            "COMP_CWORD": str(line.count(" ")),
            "_TYPER_COMPLETE_ARGS": line,
            "_TYPER_COMPLETE_FISH_ACTION": "get-args",
        }
        with monkeypatch.context() as patch:
            for name, value in asked.items():
                patch.setenv(name, value)
            ran = plybook()
        assert ran.err == ""
        return ran.out

    return ask


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_completes_games_clauses_formats_and_aims(complete, shell):
    assert "power-play" in complete(shell, "plybook new p")
    assert "blockade" not in complete(shell, "plybook new p")
    assert "POP-2.3" in complete(shell, "plybook rules Poptrix POP-2")
    assert "POP-3.1" not in complete(shell, "plybook rules Poptrix POP-2")
    assert "archive" in complete(shell, "plybook export k7m2 --format a")
    assert "next-turn" in complete(shell, "plybook goto k7m2 next-")


def test_matches_are_offered_with_their_players(complete, match):
    assert complete("bash", f"plybook show {match[:2]}") == f"{match}\n"
    assert f'"{match}":"poptrix Jet - Red"' in complete("zsh", "plybook log ")
    assert "Jet - Red" in complete("fish", "plybook replay ")
    assert match in complete("bash", "plybook record ")
    assert match not in complete("bash", "plybook show zz")


@pytest.mark.parametrize("name", ["$(touch x)", "`touch x`", "\\$(touch x)", "\"; touch x; '"])
def test_names_are_escaped_for_the_shell(complete, plybook, name):
    plybook("new", "poptrix", "--seat", f"1={name}")
    answer = complete("zsh", "plybook show ")
    assert "touch x" in answer
    assert not set("$`\\;") & set(answer)
    assert answer.count("'") == 2


def test_completion_without_book_offers_no_match(complete, tmp_path):
    assert complete("bash", "plybook show k").strip() == ""
    assert list(tmp_path.iterdir()) == []


def test_glyphs_and_statuses_are_completed(complete):
    assert complete("bash", "plybook annotate k7m2 --glyph !").split() == ["!", "!!", "!?"]
    assert '"mistake"' in complete("zsh", "plybook annotate k7m2 --glyph ")
    assert complete("bash", "plybook list --status o").split() == ["open"]


def test_players_are_completed_if_they_need_no_quotes(complete, plybook, match):
    plybook("new", "poptrix", "--seat", "1=Jo Ann", "--seat", "2=`Jim`")
    assert complete("bash", "plybook list --player J").split() == ["Jet"]
    assert complete("bash", "plybook stats --player ").split() == ["Jet", "Red"]


@pytest.mark.parametrize("name", ["MATCH", "-"])
def test_moves_of_the_match_are_completed(complete, plybook, match, name):
    plybook("play", match, "M@c1", "S@c6")
    line = f"plybook play {match if name == 'MATCH' else name} "
    assert complete("bash", f"{line}c1>S@c").split() == ["c1>S@c2", "c1>S@c3"]
    assert complete("bash", f"{line}c6").split() == []


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("plybook new blockade --dice s", ["service"]),
        ("plybook new free-board --option size=6", ["size=6"]),
        ("plybook record free-board --option size=6", ["size=6"]),
        ("plybook visibility k7m2 p", ["public", "private"]),
        ("plybook account accept ann a", ["all", "ask"]),
    ],
)
def test_values_are_completed(complete, line, offered):
    assert complete("bash", line).split() == offered


@pytest.mark.parametrize("place", ["@3", "-@3", "MATCH@3"])
def test_moves_of_a_correction_are_completed_as_at_its_ply(complete, plybook, match, place):
    plybook("play", match, "M@c1", "S@c6", "c1>L@c3", "c6>M@c4")
    line = f"plybook amend {place.replace('MATCH', match)} c1>S@c"
    assert complete("bash", line).split() == ["c1>S@c2", "c1>S@c3"]
    assert complete("bash", "plybook amend @9 c").split() == []


SHELLS = {
    "fish": "env _PLYBOOK_COMPLETE=source_fish plybook | source;"
    " complete -C 'plybook visibility k7m2 p'",
    "zsh": 'autoload -Uz compinit; compinit -u -D; eval "$(_PLYBOOK_COMPLETE=source_zsh plybook)";'
    ' compadd() { print -l -- "$@" }; _arguments() { print -r -- "$@" };'
    " words=(plybook visibility k7m2 p) CURRENT=4; $_comps[plybook]",
}
"""Lines that complete a value with the script that the shell loads."""


@pytest.mark.parametrize("shell", SHELLS)
def test_shell_completes_by_its_own_script(shell, tmp_path):
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    places = {"HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path), "PATH": path}
    quiet = ["-f"] if shell == "zsh" else ["--no-config"]
    ran = subprocess.run(
        [shell, *quiet, "-c", SHELLS[shell]],
        env=os.environ | places, capture_output=True, text=True, timeout=PATIENCE,
    )  # fmt: skip
    assert ("public" in ran.stdout, "private" in ran.stdout) == (True, True), ran
    assert "unlisted" not in ran.stdout
