"""`record` in a terminal: completion, names, secrets, and the size of the screen."""

from __future__ import annotations

import re
from typing import Any

import pytest

from cli.recorder import Recorder
from replay.book import Book
from replay.referee import entering
from replay.referee.opening import open_match
from replay.registry import find
from replay.store import temporary_store


@pytest.fixture
def desk():
    def at(slug: str, text: str = "", **options: Any) -> Recorder:
        book = Book(temporary_store(), now=lambda: 0)
        record = open_match(book, find(slug), players={}, seats=None, options={}, **options)
        return Recorder(book, entering.play(book, record, text.split()) if text else record)

    return at


def completed(recorder: Recorder, text: str) -> list[str]:
    """Ask for one completion after the other until there is none, as a terminal does."""
    found: list[str] = []
    while (one := recorder._complete(text, len(found))) is not None:
        found.append(one)
    return found


def test_tab_completes_moves_by_parts_then_commands(desk):
    recorder = desk("poptrix", "M@c1 S@c6")
    assert completed(recorder, "") == ["c1>", "legal", "undo", "stood", "board", "help", "quit"]
    assert completed(recorder, "c1>") == ["c1>L@", "c1>S@"]
    assert completed(recorder, "c1>S@c") == ["c1>S@c2", "c1>S@c3"]
    assert completed(recorder, "c1>S@c3") == []
    assert completed(recorder, "c6") == []
    assert completed(recorder, "un") == ["undo"]
    assert completed(recorder, "2:re") == ["2:resign"]


def test_tab_key_completes_programs_too(desk):
    recorder = desk("pyramid-ball")
    assert len(completed(recorder, "1:S=F")) == 36
    assert completed(recorder, "1:S=FF.,") == ["1:S=FF.,M="]


def test_tab_completes_service_roll_and_legs(desk):
    recorder = desk("blockade", dice="service")
    assert completed(recorder, "") == ["roll", "legal", "undo", "stood", "board", "help", "quit"]
    assert completed(recorder, "roll=") == []
    assert completed(recorder, "1:re") == ["1:resign"]
    recorder = desk("blockade", "roll", dice="service")
    leg = next(token for token in recorder._legal() if "-" in token)
    assert leg[:3] in completed(recorder, leg[0])
    assert leg in completed(recorder, leg[:3])


def test_record_opens_match_by_game_and_names(plybook, plybook_terminal):
    session = plybook_terminal("record", "Poptrix", "Jet", "Red", columns=60)
    session.wait_for("Tab completes; legal, undo, board, help, quit")
    session.wait_for("Jet> ")
    session.press("s@C1\n")
    assert "1. Jet: S@c1" in session.wait_for("Red> ")
    session.press("s@c1\n")
    assert "refused: c1 is not on the home row of Red" in session.wait_for("Red> ")
    session.press("undo\nundo\n")
    session.wait_for("Jet> ")
    told = session.wait_for("Jet> ")
    assert "refused: the line is empty: enter an event before a take" in told
    session.press("Quit\n")
    assert session.process.wait(30) == 0
    assert [each["plies"] for each in plybook("list", "--json").lines] == [0]


def test_record_alone_continues_the_latest_match(plybook):
    plybook("new", "blockade")
    latest = plybook("new", "poptrix", "--seat", "1=Jet").out.strip()
    plybook("import", "seeds/poptrix/demo.ply")
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
    assert (named.code, "'k7m2' is no game" in named.err) == (2, True)
    crowded = plybook("record", "Pyramid Ball", "A", "B", "C")
    assert (crowded.code, crowded.out) == (2, "")
    assert len(plybook("list").out.splitlines()) == 1


@pytest.mark.parametrize(
    "typed", ["S=FFZ", "S=FFZ M=QQQ", "nonsense, Ruby", "S=FF.,M=...,L=F..,blitz"]
)
def test_hidden_input_is_never_printed(plybook_terminal, typed):
    session = plybook_terminal("record", "pyramid-ball", "Jet", "Red")
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
def test_record_fits_the_terminal_with_the_board_first(plybook, plybook_terminal, columns):
    match = plybook("import", "seeds/blockade/demo.ply").out.split()[0]
    session = plybook_terminal("record", match, columns=columns)
    session.wait_for("over> ")
    session.press("undo\n")
    session.wait_for(r"(?s)undo\r\n.*Warm> \Z")
    lines = [line for line in session.screen() if line]
    answer = lines[lines.index("over> undo") + 1 :] if "over> undo" in lines else lines
    assert answer[0].startswith("5  CL")
    assert [line[0] for line in answer if re.match(r"[1-5]  ", line)] == list("54321")
    assert answer[-1] == "Warm> "
