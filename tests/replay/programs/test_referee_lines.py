"""The referee line by line: every request, every refusal, and nonsense."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from domain.entry import move_text
from domain.games import BUILT_IN, built_in
from plybook.testing.subjects import random_match
from replay.programs import referee_lines
from replay.programs.referee_lines import MEANINGS, RefereeLines
from tests.service.api.test_dashes import texts_of

NEW = "new poptrix"
PLAYED = "play M@c1 S@c6 c1>L@c3"
TEXT = "5/5/5/5/5/2M2 5S4M5L 5s5m5l 2 2"


def ask(*lines: str | bytes) -> list[Any]:
    """Send lines to a new referee, and return the answers."""
    referee = RefereeLines()
    sent = (line if isinstance(line, bytes) else line.encode() for line in lines)
    return [json.loads(referee.answer(line)) for line in sent]


@pytest.mark.parametrize(
    ("lines", "answer"),
    [
        ((NEW,), {"game": "poptrix/1", "seats": 2, "options": {}, "ply": 0, "outcome": None}),
        (("new blockade cool=2 seats=2",), {"options": {"cool": 2}}),
        (("new power-play seats=4",), {"seats": 4}),
        ((NEW, "play M@c1"), {"ply": 1}),
        ((NEW, PLAYED), {"ply": 3}),
        ((NEW, PLAYED, "try c6>M@c4", "play c6>L@c4"), {"ply": 4}),
        ((NEW, PLAYED, "undo"), {"ply": 2}),
        ((NEW, PLAYED, "undo 3", "play S@a1"), {"ply": 1}),
        ((NEW, "play seat=1 M@c1"), {"ply": 1}),
        ((NEW, "play seat=2 resign"), {"outcome": {"winner": 1, "clause": "resigned"}}),
        ((NEW, "try seat=2 2:resign"), {"outcome": {"winner": 1, "clause": "resigned"}}),
        ((NEW, "play 1:resign"), {"outcome": {"winner": 2, "clause": "resigned"}}),
        ((NEW, "play M@c1", "position"), {"position": TEXT, "sealed": []}),
        ((NEW, f"set {TEXT}", "position"), {"position": TEXT, "ply": 0}),
        ((NEW, "perft 3"), {"count": 2160}),
        ((NEW, "perft 0"), {"count": 1}),
        ((NEW, "play 1:resign", "perft 2"), {"count": 0}),
        ((NEW, "play 1:resign", "legal"), {"legal": [], "secret": {}}),
        (("new poptrix legal=withheld tries=2", "play M@c1"), {"ok": True, "ply": 1}),
        ((NEW, "quit"), {"ok": True}),
        (("help",), {"requests": dict(MEANINGS)}),
    ],
)
def test_requests_are_answered(lines, answer):
    answers = ask(*lines)
    assert all(each["ok"] for each in answers)
    assert answers[-1] | answer == answers[-1]


@pytest.mark.parametrize(
    ("new", "near"),
    [(NEW, ["M@c1"]), ("new poptrix tries=3", None), ("new poptrix legal=withheld", None)],
)
def test_refusal_names_the_move_that_is_meant(new, near):
    told = ask(new, "play m@C1")[-1]
    assert (told["clause"], told.get("near")) == ("form", near)


@pytest.mark.parametrize(
    ("lines", "clause", "message", "squares"),
    [
        ((NEW, "play M@c1", "play S@c1"), "POP-2.1", "row 6", ["c1"]),
        ((NEW, "try M@c6"), "POP-2.1", "row 1", ["c6"]),
        ((NEW, "play xyz"), "form", "moves look like", []),
        ((NEW, "play 1:resign", "play M@c1"), "over", "game has ended", []),
        ((NEW, "play 2:M@c1"), "turn", "not for seat 2", []),
        ((NEW, "play seat=2 M@c1"), "turn", "not for seat 2", []),
        ((NEW, "play seat=2 1:M@c1"), "form", "'1:M@c1' is of seat 1; leave out seat=2", []),
        ((NEW, "play seat=3 M@c1"), "form", "'3' is not a valid seat", []),
        ((NEW, "play seat=1"), "form", "a move is missing", []),
        ((NEW, "play"), "form", "a move is missing", []),
        ((NEW, "undo"), "form", "there are 0", []),
        ((NEW, "undo x"), "form", "'x' is not a valid number", []),
        ((NEW, "perft"), "form", "'' is not a valid number", []),
        ((NEW, "perft 101"), "form", "up to 100", []),
        (("new pyramid-ball", "perft 1"), "form", "cannot be listed", []),
        ((NEW, "set 5/5"), "form", "column", []),
        ((NEW, "show 3"), "form", "up to 2", []),
        (("new chess",), "form", "'chess' is not a game", []),
        (("new",), "form", "is not a game", []),
        (("new poptrix seats=3",), "form", "2 seats", []),
        (("new poptrix seats=x",), "form", "number of seats", []),
        (("new poptrix speed",), "form", "NAME=VALUE", []),
        (("new blockade cool=1 cool=2",), "form", "NAME=VALUE", []),
        (("new blockade cool=3",), "form", "1 or 2", []),
        (("play M@c1",), "form", "no match yet", []),
        (("dance",), "form", "use one of new, play", []),
        (("",), "form", "use one of new, play", []),
        ((b"\xff\xfe",), "form", "UTF-8", []),
        ((b"play " + b"x" * referee_lines.MAX_LINE,), "form", "too long", []),
    ],
)  # fmt: skip
def test_refusals_have_clause_message_and_places(lines, clause, message, squares):
    told = ask(*lines)[-1]
    assert (told["ok"], told["clause"], told["squares"]) == (False, clause, squares)
    assert message in told["message"]


def test_a_refused_line_changes_nothing():
    first, refused, after = ask(NEW, "play M@c1 S@c6 c1>M@c3", "position")[:3]
    assert (refused["event"], refused["text"], refused["clause"]) == (2, "c1>M@c3", "POP-3.2")
    assert (first["ply"], after["ply"]) == (0, 0)


def test_requests_beyond_the_bounds_are_refused(monkeypatch):
    monkeypatch.setattr(referee_lines, "MAX_PLIES", 3)
    monkeypatch.setattr(referee_lines, "MAX_LEGAL", 5)
    monkeypatch.setattr(referee_lines, "MAX_COUNT", 2159)
    too_long, too_many, too_deep, counted = ask(
        NEW, f"{PLAYED} c6>M@c4", "legal", "perft 3", "perft 2"
    )[1:]
    assert "at most 3 plies" in too_long["message"]
    assert "more than 5 moves" in too_many["message"]
    assert "at most 2159" in too_deep["message"]
    assert counted["count"] == 225


def test_secret_moves_are_entered_and_not_shown():
    sealed = "play 1:S=FFF,M=...,L=..."
    answers = ask("new pyramid-ball", sealed, "position", "show", "show 1", "legal")
    _, played, position, board, own, legal = answers
    assert played["events"][0]["text"] == "1:S=FFF,M=...,L=..."
    assert position["sealed"] == board["sealed"] == [1]
    assert "FFF" not in position["position"] + board["board"]
    assert own["board"] != board["board"]
    assert legal["secret"]["2"][0]["sample"]


@pytest.mark.parametrize("slug", BUILT_IN)
def test_referee_lines_play_whole_matches(slug):
    game = built_in(slug)
    match = random_match(game, 5, limit=60)
    referee = RefereeLines()
    referee.answer(f"new {slug}".encode())
    for ply in match.line:
        told = json.loads(referee.answer(f"play {move_text.write(game, ply.event)}".encode()))
        assert [each["words"] for each in told["events"]] == [
            "; ".join(effect.words() for effect in ply.effects)
        ]
    assert referee.match.state == match.state


def test_every_random_line_gets_an_answer():
    rng = Random(1)
    requests = [each.split()[0] for each in MEANINGS]
    words = [*requests, "poptrix", "M@c1", "1:stood=c3xc3", "9", "=", "ruled=+1", "ruled==",
             "1:flag", "roll", "1:", "\x00", "é", TEXT, "-1", "²"]  # fmt: skip
    lines = (" ".join(rng.choices(words, k=rng.randint(1, 4))) for _ in range(500))
    assert {told["ok"] for told in ask(NEW, *lines)} == {True, False}


def test_last_refused_try_forfeits():
    first, second, shown = ask("new poptrix tries=2", "play M@c3", "play foo", "legal")[1:]
    assert (first["tries_left"], second["tries_left"]) == (1, 0)
    assert shown["outcome"] == {"winner": 2, "clause": "forfeited"}


@pytest.mark.parametrize("line", ["legal", "try M@c1", "perft 1"])
def test_withheld_moves_are_not_listed(line):
    assert "withholds" in ask("new poptrix legal=withheld", line)[1]["message"]


def test_dash_is_filled_once_one_line_fits_and_opened_by_an_undo():
    texts = texts_of("cube-pyramid", 9)
    before = [f"play {text}" for text in (*texts[:5], "--", *texts[6:8])]
    *_, open_, last, undone, again = ask(
        "new cube-pyramid", *before, f"play {texts[8]}", "undo", f"try {texts[8]}"
    )
    found = [{"ply": 6, "text": texts[5].partition(":")[2]}]
    assert ("reconstructed" in open_, last["reconstructed"]) == (False, found)
    assert last["awaiting"]
    assert (undone["ply"], undone["awaiting"]) == (8, [])
    assert again["reconstructed"] == found


@pytest.mark.parametrize("request_", ["position", "perft 1"])
def test_position_after_a_dash_is_not_known(request_):
    *_, answer = ask(NEW, "play M@c1 --", request_)
    assert "position after a dash is not known" in answer["message"]
