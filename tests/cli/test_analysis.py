"""analyse: comments on every position."""

from __future__ import annotations


def test_analysis_comments_on_every_position(plybook, match):
    plybook("play", match, "M@c1", "S@c6")
    ran = plybook("analyse", match, "--playouts", "5", "--json")
    assert [each["ply"] for each in ran.lines] == [0, 1, 2]
    told = plybook("annotations", match)
    assert told.out.count("analysis: seat 1 ") == 3
    assert plybook("analyse", match, "--playouts", "5").out.count(" after 5 playouts; best: ") == 3


def test_analysis_accepts_a_time_limit(plybook, match):
    assert plybook("analyse", match, "--seconds", "0.1").out.startswith("   0 seat 1 ")


def test_unknown_match_is_usage_error(plybook, match):
    assert plybook("analyse", "nope").code == 2
