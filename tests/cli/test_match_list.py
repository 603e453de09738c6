"""`plybook list`: its filters, and the line of each match."""

from __future__ import annotations

import re
import sys
from contextlib import closing
from datetime import datetime

import pytest

from cli import progress
from replay.store import open_store
from replay.store.types import Derived
from tests.cli.test_progress import Terminal
from tests.waiting import PATIENCE


@pytest.fixture
def shelf(plybook) -> dict[str, str]:
    """Matches by name: an open one, an ended one, one of another game, a variation."""
    made = {}
    for name, game, players, moves in (
        ("open", "poptrix", ("Jet", "Émile"), ("M@c1",)),
        ("ended", "poptrix", ("Jet", "Straße"), ("M@c1", "S@c6", "1:resign")),
        ("other", "cube-pyramid", ("Red", "JET"), ()),
    ):
        seats = [f"--seat={seat}={player}" for seat, player in enumerate(players, 1)]
        made[name] = plybook("new", game, *seats).out.strip()
        assert not moves or plybook("play", made[name], *moves).code == 0
    made["fork"] = plybook("fork", f"{made['open']}@1").out.strip()
    return made


def test_line_has_date_game_players_and_standing(plybook, shelf):
    today = f"{datetime.now().astimezone():%Y-%m-%d}"
    first, second, third = plybook("list").out.splitlines()
    assert first.startswith(f"{shelf['other']}  {today}  cube-pyramid  Red - JET     0 plies, ")
    assert second == (
        f"{shelf['ended']}  {today}  poptrix       Jet - Straße  3 plies, Straße won (resigned)"
    )
    assert third.endswith("Jet - Émile   1 ply, Émile is to place a pyramid on the home row")


def test_terminal_shows_headings_and_cuts_lines(plybook, plybook_terminal):
    plybook("new", "poptrix", "--seat", f"1={'J' * 30}", "--seat", "2=Red")
    terminal = plybook_terminal("list", columns=70)
    terminal.wait_for("Red  [^\n]*\n")
    assert terminal.process.wait(PATIENCE) == 0
    heading, line = [line for line in terminal.screen() if line]
    assert heading.split("  ")[0] == "id"
    assert len(line) == 69
    assert f" {'J' * 23}… - Red  " in line


@pytest.mark.parametrize(
    ("options", "listed"),
    [
        ((), ["other", "ended", "open"]),
        (("--game", "poptrix"), ["ended", "open"]),
        (("--player", "jet"), ["other", "ended", "open"]),
        (("--player", "ÉMILE"), ["open"]),
        (("--player", "strasse"), ["ended"]),
        (("--player", "Emile"), []),
        (("-a", "--player", "émile"), ["fork", "open"]),
        (("--status", "open"), ["other", "open"]),
        (("--status", "ended", "--game", "Poptrix"), ["ended"]),
        (("--since", "2020-02-29"), ["other", "ended", "open"]),
        (("--since", "9999-12-31"), []),
        (("--limit", "2"), ["other", "ended"]),
    ],
)
def test_matches_are_listed_by_filter(plybook, shelf, options, listed):
    expected = [shelf[name] for name in listed]
    assert [each["match"] for each in plybook("list", "--json", *options).lines] == expected
    assert [line.split()[0] for line in plybook("list", *options).out.splitlines()] == expected


def test_limit_reports_the_remaining_matches(plybook, shelf):
    ran = plybook("list", "--limit", "1", "--status", "open")
    assert (len(ran.out.splitlines()), ran.err) == (1, "and 1 more; --limit 2 lists them\n")
    assert plybook("list").err == ""
    assert plybook("list", "--limit", "1", "--json").err == ""


def test_list_shows_twenty_matches_and_json_all(plybook):
    for _ in range(22):
        plybook("new", "poptrix")
    ran = plybook("list")
    assert (len(ran.out.splitlines()), ran.err) == (20, "and 2 more; --limit 22 lists them\n")
    assert len(plybook("list", "--json").lines) == 22


def test_list_json_agrees_with_show(plybook, shelf):
    for told in plybook("list", "-a", "--json").lines:
        shown = plybook("show", told["match"], "--json").json
        assert told.pop("changed") >= told["created"]
        assert told.pop("number") > 0
        assert told.items() <= shown.items()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--game", "chess"), "'chess' is not a game"),
        (("--status", "over"), "open or ended, not 'over'"),
        (("--since", "yesterday"), "write it like 2026-01-31"),
        (("--since", "2026-02-30"), "write it like 2026-01-31"),
        (("--limit", "0"), "0"),
    ],
)
def test_invalid_filter_is_usage_error(plybook, options, words):
    ran = plybook("list", *options)
    assert (ran.code, ran.out) == (2, "")
    assert words in re.sub(r"\s+", " ", ran.err)
    assert "Traceback" not in ran.err


def test_due_summaries_are_derived_with_progress(plybook, shelf, tmp_path, monkeypatch):
    with closing(open_store(tmp_path / "book.db")) as store:
        store.replace_derived({each.id: Derived() for each in store.matches()}).result()
        assert len(store.summaries_due()) == 4
    monkeypatch.setattr(progress, "MANY", 2)
    seen = Terminal()
    monkeypatch.setattr(sys, "stderr", seen)
    listed = plybook("list", "--json").lines
    assert [each["match"] for each in listed] == [
        shelf[name] for name in ("other", "ended", "open")
    ]
    assert "matches" in seen.getvalue()
    with closing(open_store(tmp_path / "book.db")) as store:
        assert store.summaries_due() == []


def test_due_texts_are_indexed_with_progress(plybook, shelf, tmp_path, monkeypatch):
    with closing(open_store(tmp_path / "book.db")) as store:
        store.forget_texts().result()
    monkeypatch.setattr(progress, "MANY", 2)
    seen = Terminal()
    monkeypatch.setattr(sys, "stderr", seen)
    assert plybook("find", "nothing").code == 0
    assert "matches" in seen.getvalue()
    with closing(open_store(tmp_path / "book.db")) as store:
        assert store.texts_due() == []


def test_long_name_is_cut_in_the_standing_too(plybook):
    plybook("new", "poptrix", "--seat", f"1={'x' * 100}")
    assert "x" * 30 not in plybook("list").out
    assert "x" * 100 in plybook("list", "--json").lines[0]["standing"]
