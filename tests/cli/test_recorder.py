"""`record` with plain lines: completion, names, secrets, and the size of the screen."""

from __future__ import annotations

import re

import pytest

from cli.recorder import Recorder
from cli.recording_session import Session
from replay.book import Book
from replay.referee.opening import open_match
from replay.registry import find
from replay.store import temporary_store
from tests.waiting import PATIENCE


def test_readline_gets_completions_one_by_one():
    book = Book(temporary_store(), now=lambda: 0)
    recorder = Recorder(Session(book, open_match(book, find("poptrix"))))
    assert [recorder._complete("takeb", number) for number in range(2)] == ["takeback", None]


def test_record_opens_match_by_game_and_names(plybook, plybook_terminal):
    session = plybook_terminal("record", "--plain", "Poptrix", "Jet", "Red", columns=60)
    session.wait_for("Tab completes; legal, takeback, board, help, quit")
    session.wait_for("Jet> ")
    session.press("s@C1\n")
    assert "1. Jet: S@c1" in session.wait_for("Red> ")
    session.press("s@c1\n")
    assert "refused: c1 is not on the home row of Red" in session.wait_for("Red> ")
    session.press("takeback\n")
    assert "taken back: 1. Jet: S@c1" in session.wait_for("Jet> ")
    session.press("takeback\n")
    told = session.wait_for("Jet> ")
    assert "refused: the line is empty: enter an event before a take" in told
    session.press("M@c1")
    session.wait_for("M@c1")
    session.press("\x03")
    session.wait_for("Jet> ")
    session.press("Quit\n")
    session.wait_for("go on with: plybook record [0-9a-z]{12}")
    assert session.process.wait(PATIENCE) == 0
    assert [each["plies"] for each in plybook("list", "--json").lines] == [0]


def test_record_without_arguments_continues_latest_match(plybook):
    plybook("new", "blockade")
    latest = plybook("new", "poptrix", "--seat", "1=Jet").out.strip()
    plybook("import", "seeds/poptrix/demo.ply")
    plybook("import", stdin='[Game "poptrix"]\n\n1. M@c1 *\n')
    plybook("fork", latest)
    assert "1. Jet: M@c1" in plybook("record", stdin="M@c1\n").out
    assert "Red" not in plybook("record", latest, stdin="").out
    assert plybook("show", latest, "--json").json["plies"] == 1


def test_record_reports_why_it_cannot_begin(plybook):
    nothing = plybook("record")
    assert (nothing.code, "`plybook record poptrix Jet Red` begins one" in nothing.err) == (2, True)
    plybook("import", "seeds/poptrix/demo.ply")
    ended = plybook("record")
    assert (ended.code, "there is no open match" in ended.err) == (2, True)
    unknown = plybook("record", "Poptrixx")
    assert (unknown.code, "neither a match nor a game; `plybook games`" in unknown.err) == (2, True)
    named = plybook("record", "k7m2", "Jet")
    assert (named.code, "'k7m2' is not a game" in named.err) == (2, True)
    crowded = plybook("record", "Pyramid Ball", "A", "B", "C")
    assert (crowded.code, crowded.out) == (2, "")
    assert len(plybook("list").out.splitlines()) == 1


@pytest.mark.parametrize(
    "typed", ["S=FFZ", "S=FFZ M=QQQ", "nonsense, Ruby", "S=FF.,M=...,L=F..,blitz"]
)
def test_hidden_input_is_never_printed(plybook_terminal, typed):
    session = plybook_terminal("record", "--plain", "pyramid-ball", "Jet", "Red")
    session.wait_for("type 1: for Jet or 2: for Red")
    session.wait_for("Jet / Red> ")
    session.press("1:\n")
    session.wait_for("Jet, unseen> ")
    session.press(f"{typed}\n")
    assert "refused: " in session.wait_for("Jet / Red> ")
    session.press("1:\n")
    session.wait_for("Jet, unseen> ")
    session.press("s=ffl, m=..., l=f..\n")
    assert "1. Jet: (sealed)" in session.wait_for("Red> ")
    for part in [*typed.split(), "s=ffl", "S=FFL", "FFZ", "Ruby"]:
        assert part not in session.all


@pytest.mark.parametrize("columns", [60, 80])
def test_board_comes_first_at_any_terminal_width(plybook, plybook_terminal, columns):
    match = plybook("import", "seeds/blockade/demo.ply").out.split()[0]
    session = plybook_terminal("record", "--plain", match, columns=columns)
    session.wait_for("over> ")
    session.press("takeback\n")
    session.wait_for(r"(?s)takeback\r\n.*Warm> \Z")
    lines = [line for line in session.screen() if line]
    answer = lines[lines.index("over> takeback") + 1 :] if "over> takeback" in lines else lines
    assert answer[0].startswith("5  CL")
    assert [line[0] for line in answer if re.match(r"[1-5]  ", line)] == list("54321")
    assert answer[-1] == "Warm> "
