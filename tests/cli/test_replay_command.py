"""replay in a terminal and without one; show --diff; goto; export to files."""

from __future__ import annotations

import os
import re
import signal
import termios
import time

import pytest

from replay.formats.pictures.stills import check_extra
from tests.waiting import PATIENCE

MOVES = ["M@c1", "S@c6", "c1>L@c3", "c6>M@c4", "c3xc4"]


@pytest.fixture
def match(plybook):
    made = plybook("new", "poptrix", "--seat", "1=Jet").out.strip()
    assert plybook("play", made, *MOVES).code == 0
    return made


def test_replay_prints_every_frame_into_a_pipe(plybook, match):
    ran = plybook("replay", match, "--from", "3")
    assert ran.code == 0
    assert re.findall(rf"^{match}@(\d+)", ran.out, re.MULTILINE) == ["3", "4", "5"]
    assert "\x1b" not in ran.out
    assert plybook("replay", match, "--from", "9").code == 2


def test_replay_fills_the_screen_and_restores_it(plybook_terminal, match):
    terminal = plybook_terminal("replay", match)
    terminal.wait_for("\x1b\\[\\?1049h")
    terminal.wait_for("moves|step")
    terminal.press("q")
    terminal.wait_for("\x1b\\[\\?1049l")
    terminal.wait_for("Red|seat 2")
    assert terminal.process.wait(PATIENCE) == 0
    assert termios.tcgetattr(terminal.theirs) == terminal.before


def test_resumed_replay_is_drawn_again(plybook_terminal, match):
    terminal = plybook_terminal("replay", match, "--from", "5")
    terminal.press("p")  # nothing moves by itself then
    terminal.wait_for("@4 ")
    time.sleep(1)  # until all is drawn
    terminal.press("\x1a")
    terminal.wait_for("\x1b\\[\\?1049l")
    os.waitpid(terminal.process.pid, os.WUNTRACED)
    terminal.process.send_signal(signal.SIGCONT)
    terminal.wait_for("\x1b\\[\\?1049h")
    terminal.wait_for("@4 ")
    terminal.press("q")
    assert terminal.process.wait(PATIENCE) == 0


@pytest.mark.parametrize("asked", [["--plain"], []])
def test_replay_prints_lines_on_request(plybook_terminal, match, asked, monkeypatch):
    if not asked:
        monkeypatch.setattr("tests.cli.terminal.TERM", "dumb")
    terminal = plybook_terminal("replay", match, "--speed", "64", *asked)
    terminal.wait_for(f"{match}@5")
    assert terminal.process.wait(PATIENCE) == 0
    assert "\x1b[?1049h" not in terminal.all


def test_show_lists_differences_from_another_ply(plybook, match):
    ran = plybook("show", f"{match}@2", "--diff", "1")
    assert ran.out.splitlines() == [
        f"from {match}@1 to {match}@2",
        "  c6: empty -> small of seat 2",
        "  Seat 2: 5 × small of seat 2 -> 4 × small of seat 2",
        "  turn: 2 -> 3",
        "  to act: seat 2 is to place a pyramid on the home row -> Jet is to launch",
    ]
    answer = plybook("show", f"{match}@1", "--diff", "2", "--json").json
    assert (answer["from"], answer["to"]) == (2, 1)
    assert answer["cells"] == [{"at": "c6", "before": "small of seat 2", "after": "empty"}]
    assert plybook("show", match, "--diff", "9").code == 2


def test_show_compares_with_an_earlier_version(plybook, match):
    plybook("takeback", f"{match}@3")
    plybook("play", match, "c6>L@c5")
    told = plybook("show", f"{match}@4", "--diff", "4v4").out
    assert "  c4: medium of seat 2 -> empty" in told
    assert "  c5: empty -> large of seat 2" in told


def test_goto_shows_the_position_found(plybook, match):
    first = plybook("goto", match, "next-effect", "launch").out
    assert first.startswith(f"Poptrix {match}@3 ")
    assert plybook("goto", f"{match}@3", "next-effect", "launch", "--json").json["ply"] == 4
    missing = plybook("goto", f"{match}@5", "next-turn")
    assert missing.code == 2
    assert "no turn after" in missing.err
    unknown = plybook("goto", match, "next-effect", "goal")
    assert "it has capped, fought, launched" in unknown.err


def test_export_writes_pages_and_sheets_to_files(plybook, match, tmp_path):
    for form in ("html", "sheet"):
        path = tmp_path / form
        assert plybook("export", match, "--format", form, "-o", path).code == 0
        assert path.read_text(encoding="utf-8").startswith("<!doctype html>")
    page = plybook("export", f"{match}@2", "--format", "html").out
    assert 'data-opened="2"' in page


def test_export_refuses_ply_for_whole_match_formats(plybook, match):
    for form in ("ply", "sheet", "archive"):
        ran = plybook("export", f"{match}@2", "--format", form)
        assert ran.code == 2
        assert "whole match" in ran.err
    assert "png, card, gif" in plybook("export", match, "--format", "nonsense").err


def test_only_gif_export_accepts_a_first_ply(plybook, match, tmp_path):
    ran = plybook("export", match, "--format", "html", "--from", "1")
    assert (ran.code, "only a gif" in ran.err) == (2, True)
    pytest.importorskip("resvg_py")
    whole, part = tmp_path / "whole.gif", tmp_path / "part.gif"
    assert plybook("export", match, "--format", "gif", "-o", whole).code == 0
    assert plybook("export", match, "--format", "gif", "--from", "1", "-o", part).code == 0
    assert part.stat().st_size < whole.stat().st_size
    for ends in ((f"{match}@1", "--from", "2"), (match, "--from", "2", "--to", "1")):
        ran = plybook("export", *ends, "--format", "gif")
        assert (ran.code, "before" in ran.err) == (2, True)
    ran = plybook("export", f"{match}@1", "--format", "gif", "--to", "1")
    assert (ran.code, "both name the ply" in ran.err) == (2, True)


def test_long_gif_asks_for_a_range(plybook, match, tmp_path, monkeypatch):
    pytest.importorskip("resvg_py")
    monkeypatch.setattr("replay.formats.pictures.animation.MAX_PLIES", 2)
    ran = plybook("export", match, "-o", tmp_path / "whole.gif")
    assert ran.code == 2
    last = plybook("show", match, "--json").json["plies"]
    assert f"at most 2 plies, not {last}; give a range" in ran.err
    assert f"--from {last - 2} --to {last}" in ran.err
    whole = ("--from", str(last - 2), "--to", str(last))
    assert plybook("export", match, *whole, "-o", tmp_path / "part.gif").code == 0


def test_pictures_without_the_extra_are_refused(plybook, match, monkeypatch, tmp_path):
    check_extra.cache_clear()
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    ran = plybook("export", match, "--format", "gif", "-o", tmp_path / "x.gif")
    assert ran.code == 2
    assert ran.err.count("\n") == 1
    assert "pipx install --force '.[pictures]'" in ran.err
    assert not (tmp_path / "x.gif").exists()


def test_lines_have_the_comments_and_glyphs(plybook, match):
    plybook("annotate", f"{match}@2", "Far from home", "--glyph", "!?")
    told = plybook("replay", match, "--plain").out
    assert re.search(rf"^{match}@2 .*S@c6 .* !\? {{Far from home}}$", told, re.MULTILINE)
    assert told.count("Far from home") == 1


def test_board_has_its_signs_in_the_locale_c(plybook_terminal, match, monkeypatch):
    for name, value in (("LC_ALL", "C"), ("PYTHONUTF8", "0"), ("PYTHONCOERCECLOCALE", "0")):
        monkeypatch.setenv(name, value)
    screen = plybook_terminal("record", match)
    screen.wait_for("│")
    assert "u250" not in screen.all
    plybook_terminal("show", "--legend").wait_for("a piece: \\^ cap")


def test_latin_terminal_gets_lines(plybook_terminal, match, monkeypatch):
    monkeypatch.setenv("PYTHONIOENCODING", "latin-1")
    plybook_terminal("record", match).wait_for("Tab completes")
