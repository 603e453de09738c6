"""Stood moves on the command line: after a refusal, by hand, in amendments and gaps."""

from __future__ import annotations

import shlex

import pytest

AFTER = "2s2/2s2/5/2L2/5/2M2 5S4M4L 3s5m5l 1 5"


@pytest.fixture
def match(plybook, match) -> str:
    plybook("play", match, "M@c1", "S@c6", "c1>L@c3")
    return match


def test_refusal_suggests_command_for_stood_move(plybook, match):
    refused = plybook("play", match, "c6>s@c5")
    advice = refused.err.splitlines()[-1]
    assert advice == f"  If it was played and stood: plybook play {match} 'c6>S@c5' --stood"
    command = shlex.split(advice.partition("plybook ")[2])
    done = plybook(*command)
    assert done.out == (
        "4. Red: c6>S@c5 (stood)  Red played c6>S@c5 against POP-3.2, and it stood\n"
        "Jet is to launch\n"
    )
    assert plybook("position", match).out.strip() == AFTER
    assert "c6>S@c5 (stood)" in plybook("log", match, "--turns").out
    assert plybook("verify", match).code == 0


def test_suggested_stood_command_asks_for_missing_position(plybook):
    match = plybook("new", "blockade").out.strip()
    plybook("play", match, "roll=3,4")
    refused = plybook("play", match, "d4-d4")
    assert refused.err.endswith(" d4-d4 --stood --position POSITION\n")
    assert plybook("play", match, "d4-d4", "--stood").code == 1
    position = plybook("position", match).out.strip()
    assert plybook("play", match, "d4-d4", "--stood", "--position", position).code == 0


def test_impossible_stood_move_is_not_suggested(plybook, match):
    assert "stood" not in plybook("play", match, "nonsense").err
    assert "stood" not in plybook("play", match, "c6>M@c5", "c6>S@c5").err
    sheet = plybook("new", "score-sheet").out.strip()
    assert "stood" not in plybook("play", sheet, "1:end").err
    ball = plybook("new", "pyramid-ball").out.strip()
    plybook("play", ball, "1:S=...,M=...,L=...")
    assert "stood" not in plybook("play", ball, "1:S=...,M=...,L=...").err


def test_move_that_cannot_stand_is_not_suggested(plybook):
    dice = plybook("new", "blockade", "--dice", "service").out.strip()
    plybook("play", dice, "roll")
    again = plybook("play", dice, "roll=1,2")
    assert (again.code, "stood" in again.err) == (1, False)
    tried = plybook("new", "poptrix", "--tries", "2").out.strip()
    assert "stood: plybook play" in plybook("play", tried, "M@c3").err
    last = plybook("play", tried, "M@c3").err
    assert ("the seat forfeits" in last, "stood" in last) == (True, False)


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (("c6>S@c5", "c3>M@c4", "--stood"), "takes one move, not 2"),
        (("c6>S@c5", "--position", AFTER), "--position needs --stood"),
        (("c6>M@c5", "--stood"), "this move breaks no rule"),
        (("c6>S@c5", "--stood", "--position", "x"), "this position is invalid, column 2"),
    ],
)
def test_wrong_use_of_stood_changes_no_record(plybook, match, more, words):
    ran = plybook("play", match, *more)
    assert ran.code in (1, 2)
    assert words in ran.err
    assert len(plybook("log", match, "--json").lines) == 3


def test_amendment_records_a_stood_move(plybook, match):
    plybook("play", match, "c6>M@c5")
    ran = plybook("amend", f"{match}@4", "c6>S@c5", "--stood")
    assert ran.out.startswith("ply 4: c6>S@c5 (stood) instead of c6>M@c5\n")
    assert plybook("verify", match).code == 0


def test_failed_gap_search_suggests_a_stood_move(plybook, match):
    found = plybook("gap", match, "--to", AFTER, "--length", "1")
    advice = found.out.splitlines()[-1]
    assert advice.startswith(f"if a move broke a rule and stood: plybook play {match} MOVE")
    command = shlex.split(advice.partition("plybook ")[2].replace("MOVE", "'c6>S@c5'"))
    assert plybook(*command).code == 0
    assert plybook("position", match).out.strip() == AFTER


def test_statistics_count_the_broken_clauses(plybook, match):
    assert "stood" not in plybook("stats").out
    plybook("play", match, "c6>S@c5", "--stood")
    plybook("play", match, "c3>L@d3", "--stood")
    assert "  stood       POP-3.2 2\n" in plybook("stats").out
    plybook("takeback", match)
    assert plybook("stats", "--json").lines[0]["stood"] == {"POP-3.2": 1}


def test_stood_move_is_recorded_within_a_session(plybook, match):
    ran = plybook("record", match, stdin="c6>S@c5\nc6>S@c5 --stood\n")
    assert "If it was played and stood: c6>S@c5 --stood\n" in ran.out
    assert "Red played c6>S@c5 against POP-3.2, and it stood" in ran.out
    plybook("takeback", match)
    assert plybook("record", match, stdin=f"c6>S@c5 --stood --position {AFTER}\n").code == 0
    assert plybook("position", match).out.strip() == AFTER


def test_slip_of_the_pen_before_a_stood_move(plybook, match):
    plybook("play", match, "c6>S@c5", "--stood")
    report = "ply 3: c1>L@c2 instead of c1>L@c3\n1 of 1 later event can stay\n"
    tried = plybook("amend", f"{match}@3", "c1>L@c2", "--dry-run")
    assert tried.out == f"{report}dry run: nothing was changed\n"
    assert plybook("amend", f"{match}@3", "c1>L@c2").out == f"{report}Jet is to launch\n"
    assert "2s2/2s2/5/5/2L2/2M2" in plybook("position", match).out
    assert "warning" not in plybook("verify", match).out


def test_amendment_names_the_ply_that_sets_the_board(plybook, match):
    plybook("play", match, "c6>S@c5", "--stood", "--position", AFTER.replace("5S4M", "5S3M"))
    for dry in ((), ("--dry-run",)):
        done = plybook("amend", f"{match}@3", "c1>L@c2", *dry)
        assert "ply 4 sets the position: the board does not change from there on" in done.out
