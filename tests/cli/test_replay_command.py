"""replay with keys in a terminal and without one; show --diff; goto; export to files."""

from __future__ import annotations

import re
import termios

import pytest

from cli.replay_command import Reel, ShownPly, keys
from domain.scene import Scene
from tests.cli.terminal import Terminal

MOVES = ["M@c1", "S@c6", "c1>L@c3", "c6>M@c4", "c3xc4"]


@pytest.fixture
def match(plybook):
    made = plybook("new", "poptrix", "--seat", "1=Jet").out.strip()
    assert plybook("play", made, *MOVES).code == 0
    return made


def reel(start: int = 0) -> Reel:
    """Plies 0 to 4; two steps lead to ply 3; turns begin at 0, 2 and 4."""
    plies = [0, 1, 2, 3, 3, 3, 4]
    return Reel([ShownPly(ply, Scene(()), str(ply)) for ply in plies], [0, 2, 4], start, 1.0)


@pytest.mark.parametrize(
    ("start", "actions", "at"),
    [(0, ["next"], 1), (1, ["previous"], 0), (0, ["previous"], 0), (2, ["next", "next"], 4),
     (0, ["end"], 6), (4, ["next"], 6), (4, ["home"], 0), (0, ["next turn"], 2),
     (3, ["next turn"], 6), (3, ["previous turn"], 2), (2, ["previous turn"], 0),
     (4, ["next turn"], 6), (3, [], 5)],
)  # fmt: skip
def test_keys_go_to_pictures_and_stop_the_replay(start, actions, at):
    shown = reel(start)
    assert all(shown.press(action) for action in actions)
    assert shown.at == at
    assert shown.running is (not actions)


def test_space_pauses_resumes_and_restarts():
    shown = reel()
    shown.press("pause")
    assert not shown.running
    shown.press("pause")
    assert shown.running
    for _ in range(10):
        shown.tick()
    assert (shown.at, shown.running) == (6, False)
    shown.press("pause")
    assert (shown.at, shown.running) == (0, True)


def test_plus_and_minus_change_the_speed_within_bounds():
    shown = reel()
    shown.press("faster")
    assert shown.speed == 2.0
    for _ in range(20):
        shown.press("slower")
    assert 0 < shown.speed < 1
    assert shown.running


def test_keys_are_read_from_terminal_codes():
    typed = " \x1b[C\x1bOD\x1b[H\x1b[1~\x1bOF\x1b[4~+-npqC"
    assert list(keys(typed)) == [
        "pause", "next", "previous", "home", "home", "end", "end",
        "faster", "slower", "next turn", "previous turn", "quit",
    ]  # fmt: skip


def test_replay_prints_every_frame_into_a_pipe(plybook, match):
    ran = plybook("replay", match, "--from", "3")
    assert ran.code == 0
    assert re.findall(rf"^{match}@(\d+)", ran.out, re.MULTILINE) == ["3", "4", "5"]
    assert "\x1b" not in ran.out
    assert plybook("replay", match, "--from", "9").code == 2


@pytest.fixture
def terminal(plybook_terminal, match: str) -> Terminal:
    return plybook_terminal("replay", match, "--speed", "0.1")


def test_replay_obeys_keys_and_restores_terminal(terminal, match):
    terminal.wait_for("0/5  playing")
    terminal.press("\x1b[C\x1b[C")
    terminal.wait_for(r"@2  2\. seat 2: S@c6")
    terminal.wait_for("2/5  paused")
    terminal.press("\x1b[F")
    terminal.wait_for("5/5  paused")
    terminal.press("q")
    terminal.wait_for("\x1b\\[\\?1049l")
    assert terminal.process.wait(30) == 0
    assert termios.tcgetattr(terminal.theirs) == terminal.before


@pytest.mark.parametrize("columns", [60, 80])
def test_replay_fits_the_terminal_with_the_board_first(plybook, plybook_terminal, columns):
    plybook("import", "seeds/blockade/demo.ply")
    match = plybook("list", "--json").json["match"]
    shown = plybook_terminal("replay", match, "--speed", "0.1", columns=columns)
    shown.wait_for("0/53  playing")
    shown.press("\x1b[F\x1b[D")
    shown.wait_for("(?s)52/53  paused.*\x1b\\[J")
    lines = [line for line in shown.screen() if line]
    labels = [line[0] for line in lines if re.match(r"[1-5]  ", line)]
    assert (lines[0][0], labels) == ("5", ["5", "4", "3", "2", "1"])
    assert lines[-1] == "space plays, arrows step, n/p turn, home/end, +/- speed"
    assert any("rolled 4, points left 4" in line for line in lines)


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


def test_show_compares_lines_as_they_stood_once(plybook, match):
    plybook("takeback", f"{match}@3")
    plybook("play", match, "c6>L@c5")
    told = plybook("show", f"{match}@4", "--diff", "4v4").out
    assert "  c4: medium of seat 2 -> empty" in told
    assert "  c5: empty -> large of seat 2" in told


def test_goto_shows_the_position_found(plybook, match):
    first = plybook("goto", match, "next-effect", "launch").out
    assert first.startswith(f"Poptrix {match}@3 ")
    assert plybook("goto", f"{match}@3", "next-effect", "launch", "--json").json["at"]["ply"] == 4
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


def test_gif_alone_begins_at_a_ply(plybook, match, tmp_path):
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
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    ran = plybook("export", match, "--format", "gif", "-o", tmp_path / "x.gif")
    assert ran.code == 2
    assert ran.err.count("\n") == 1
    assert "pip install 'plybook[pictures]'" in ran.err
    assert not (tmp_path / "x.gif").exists()
