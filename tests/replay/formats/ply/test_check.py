"""The report for scripts about a file of records."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from replay.formats.ply.reader import MAX_FAULTS, FailedRecord, PassedRecord, check_lines
from tests.replay.formats.ply.texts import poptrix


def checked(path: Path) -> list[PassedRecord | FailedRecord]:
    with path.open("rb") as lines:
        return list(check_lines(lines, str(path)))


def answers(path: Path) -> list[str]:
    return [msgspec.json.encode(answer).decode() for answer in checked(path)]


def write(path: Path, *records: str) -> Path:
    path.write_text("".join(records), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("movetext", "events", "outcome"),
    [
        ("M@c1 *", 1, "null"),
        ("M@c1 1:resign +2", 2, '{"winner":2,"clause":"resigned"}'),
        ("ruled== =", 1, '{"draw":true,"clause":"ruled"}'),
        ("ruled=* *", 1, '{"abandoned":true,"clause":"ruled"}'),
    ],
)
def test_valid_record_passes(tmp_path, movetext, events, outcome):
    path = write(tmp_path / "a.ply", poptrix(movetext))
    assert answers(path) == [
        f'{{"file":"{path}","record":1,"ok":true,"events":{events},"outcome":{outcome}}}'
    ]


def test_rejected_record_fails(tmp_path):
    path = write(tmp_path / "a.ply", poptrix("*"), poptrix("1. M@c1 2. 2:S@c5! *"))
    assert answers(path)[1] == (
        f'{{"file":"{path}","record":2,"ok":false,"event":1,"line":7,"column":12,'
        '"text":"2:S@c5","seat":2,"clause":"POP-2.1",'
        '"message":"c5 is not on the home row of seat 2, row 6"}'
    )


def test_fault_of_the_record_has_no_event(tmp_path):
    path = write(tmp_path / "a.ply", '[Game "chess"]\n\n*')
    [answer] = (msgspec.json.decode(line) for line in answers(path))
    assert (answer["event"], answer["text"], answer["seat"]) == (None, None, None)
    assert answer["clause"] == "tag"


def test_empty_file_fails(tmp_path):
    [answer] = checked(write(tmp_path / "a.ply"))
    assert not answer.ok


def faults(path: Path) -> list[tuple[int, int, str]]:
    return [
        (fault.line, fault.column, fault.clause)
        for answer in checked(path)
        if isinstance(answer, FailedRecord)
        for fault in (answer, *answer.more)
    ]


def test_all_faults_of_a_record_are_reported(tmp_path):
    tags = '[Site "unclosed]', '[Date "yesterday"]'
    movetext = "1. M@c9 2. x } 3. 2:S@c5 $999 (y !) 1-0"
    path = write(tmp_path / "a.ply", poptrix(movetext, *tags), poptrix("*"))
    assert faults(path) == [
        (2, 1, "tag"),
        (3, 1, "tag"),
        (5, 4, "form"),
        (5, 12, "form"),
        (5, 14, "syntax"),
        (5, 26, "syntax"),
        (5, 32, "form"),
        (5, 37, "syntax"),
    ]
    assert checked(path)[-1].ok


def test_moves_after_a_refused_one_are_not_judged(tmp_path):
    path = write(tmp_path / "a.ply", poptrix("M@c1 S@c1 c9>L@c3 c1>L@c3 (S@c6) c3xc4 +1"))
    assert faults(path) == [(3, 6, "POP-2.1"), (3, 11, "form")]


def test_moves_after_a_fault_of_syntax_are_judged(tmp_path):
    path = write(tmp_path / "a.ply", poptrix("M@c1 } S@c1 *"))
    assert faults(path) == [(3, 6, "syntax"), (3, 8, "POP-2.1")]


def test_faults_of_a_record_have_a_limit(tmp_path):
    assert len(faults(write(tmp_path / "a.ply", poptrix("x " * 50)))) == MAX_FAULTS


def test_moves_of_an_impossible_start_are_judged_for_their_form(tmp_path):
    tags = '[Site "unclosed]', '[Position "x"]'
    path = write(tmp_path / "a.ply", poptrix("x c1xd4 *", *tags))
    assert faults(path) == [(2, 1, "tag"), (3, 1, "tag"), (5, 1, "form")]
    path = write(tmp_path / "b.ply", poptrix("*", "[Position 'x']"))
    assert faults(path) == [(2, 1, "tag")]


@pytest.mark.parametrize("text", ['[Game "chess"]\n[Seat1 "A"]\n\nx y *', "x y *"])
def test_record_without_a_game_has_one_fault(tmp_path, text):
    assert len(faults(write(tmp_path / "a.ply", text))) == 1
