"""The lines of an engine: events, changes and answers."""

from __future__ import annotations

from random import Random

import pytest

from replay.errors import Usage
from replay.programs import engine_lines

NEW = "new poptrix/1 seats=2"


@pytest.mark.parametrize(
    ("seat", "token", "note", "line"),
    [
        (1, "M@c1", "", "play 1:M@c1"),
        (2, "2:S=FFF,M=...,L=...", "", "play 2:S=FFF,M=...,L=..."),
        (1, "1:resign", "", "play 1:resign"),
        (None, "ruled=+1", "the cat", "play ruled=+1"),
        (2, None, "", "sealed 2"),
        (None, "(adjusted)", "so; now it is; now 5/5 2 2", "set 5/5 2 2"),
    ],
)
def test_engine_events_are_written_as_lines(seat, token, note, line):
    assert engine_lines.line_of(seat, token, note) == line


def test_opening_has_seats_and_options():
    assert engine_lines.opening("blockade/1", 2, {"cool": 2}) == ["new blockade/1 seats=2 cool=2"]


def test_opening_sets_another_start():
    assert engine_lines.opening("poptrix/1", 2, {}, "5/5 2 2") == [NEW, "set 5/5 2 2"]


@pytest.mark.parametrize(
    ("sent", "wanted", "lines"),
    [
        ([], [NEW, "play 1:M@c1"], [NEW, "play 1:M@c1"]),
        ([NEW], [NEW], []),
        ([NEW, "play 1:M@c1", "play 2:S@c6"], [NEW, "play 1:M@c1"], ["undo 1"]),
        ([NEW, "sealed 1"], [NEW, "play 1:x", "play 2:y"], ["undo 1", "play 1:x", "play 2:y"]),
        ([NEW, "set 5/5"], [NEW, "play 1:x"], [NEW, "play 1:x"]),
        ([NEW, "set 5/5"], [NEW, "set 5/5", "play 1:x"], ["play 1:x"]),
    ],
)
def test_changes_send_only_what_differs(sent, wanted, lines):
    assert list(engine_lines.changes(sent, wanted)) == lines


def test_changes_lead_from_any_line_to_any_other():
    rng = Random(1)
    words = ["play 1:a", "play 2:b", "sealed 1", "set 5/5"]
    told: list[str] = []
    for _ in range(300):
        wanted = [NEW, *rng.choices(words, k=rng.randint(0, 5))]
        known = list(told)
        for line in engine_lines.changes(told, wanted):
            if line == NEW:
                known = []
            if line.startswith("undo "):
                del known[-int(line[5:]) :]
            else:
                known.append(line)
        assert known == wanted
        told = wanted


@pytest.mark.parametrize("answer", ["", "play", "play ", "M@c1", "play a b", "resign"])
def test_invalid_engine_answers_are_refused(answer):
    with pytest.raises(Usage, match="is not a valid answer of an engine; use play MOVE"):
        engine_lines.chosen(answer)


def test_an_answer_is_a_token():
    assert engine_lines.chosen("play c1>S@c3\n") == "c1>S@c3"
