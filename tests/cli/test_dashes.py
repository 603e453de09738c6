"""Dashes and doubts in the terminal: `play`, `amend`, `record`, text records."""

from __future__ import annotations


def test_a_dash_is_played_filled_and_opened_again(plybook):
    match = plybook("new", "poptrix").out.split()[0]
    assert plybook("play", match, "M@c1", "M@c6", "--unsure").code == 0
    assert "nobody wrote this down" in plybook("play", match, "--", "--", "c6>S@c5").out
    assert "M@c6" in plybook("log", match).out
    text = plybook("export", match).out
    assert "M@c1 {[%unsure]} 2. M@c6 {[%unsure]} 3. -- c6>S@c5 *" in " ".join(text.split())
    assert plybook("amend", f"{match}@3", "c1>S@c2").code == 0
    assert "written as --, found by scorekeeper" in plybook("log", match).out
    assert '{[%reconstructed "scorekeeper" "--"]}' in " ".join(plybook("export", match).out.split())
    assert plybook("amend", f"{match}@3", "--", "--").code == 0
    assert "nobody wrote this down" in plybook("log", match).out
    assert plybook("verify", match).code == 0


def test_a_dash_is_recorded_line_by_line(plybook):
    out = plybook(
        "record", "poptrix", "--plain", stdin="M@c1 M@c6\n--\nc6>S@c5\namend @3 c1>S@c2\n"
    ).out
    assert "nobody wrote this down" in out
    assert "c1 launches" in plybook("log", "-").out


def test_doubtful_matches_can_be_left_out(plybook):
    sure, unsure = (plybook("new", "poptrix").out.split()[0] for _ in range(2))
    plybook("play", sure, "M@c1")
    plybook("play", unsure, "S@c1", "--unsure")
    assert len(plybook("list").out.splitlines()) == 2
    assert plybook("list", "--sure").out.split()[0] == sure
    assert len(plybook("list", "--sure").out.splitlines()) == 1
    assert plybook("stats", "--sure").out.startswith("poptrix: 1 match,")
    assert plybook("explore", "poptrix", "--sure").out.split()[0] == "M@c1"
    assert "S@c1" not in plybook("explore", "poptrix", "--sure").out


def test_unsure_moves_are_recorded_line_by_line(plybook):
    lines = "M@c1 --unsure\nM@c6! -- --unsure\n1:resign --unsure\n--unsure\n"
    ran = plybook("record", "poptrix", "--plain", stdin=lines)
    assert "only a move or a dash can be entered as not sure" in ran.out + ran.err
    text = " ".join(plybook("export", "-").out.split())
    assert "M@c1 {[%unsure]} 2. M@c6 $1 {[%unsure]} 3. -- {[%unsure]} *" in text
