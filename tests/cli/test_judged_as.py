"""Free boards judged by a game: `check --as`."""

from __future__ import annotations

import json

import pytest


@pytest.fixture
def match(plybook) -> str:
    options = ("--option", "size=6", "--option", "pieces=pyramids")
    return plybook("new", "free-board", "--seat", "1=Ann", *options).out.strip()


def test_match_and_record_are_judged_alike(plybook, match, tmp_path):
    plybook("play", match, "wM@c1", "bL@c6", "wL@c3")
    file = tmp_path / "board.ply"
    file.write_text(plybook("export", match).out)
    assert plybook("check", match, "--as", "poptrix").out == f"{match}: ok as Poptrix, 3 moves\n"
    ran = plybook("check", str(file), "--as", "poptrix", "--json")
    assert json.loads(ran.out)["moves"] == ["M@c1", "L@c6", "c1>L@c3"]


def test_first_broken_ply_is_cited(plybook, match):
    plybook("play", match, "wM@c1", "bL@c6", "wM@c3")
    ran = plybook("check", match, "--as", "poptrix")
    assert ran.code == 1
    assert "ply 3, wM@c3: the medium on c1 cannot launch another medium" in ran.out
    assert "  POP-3.2 The new pyramid" in ran.out
    assert plybook("log", match).out.count("\n") == 3


def test_faulty_file_fails(plybook, tmp_path):
    file = tmp_path / "bad.ply"
    file.write_text('[Game "free-board"]\n\n1. wX@c1\n')
    ran = plybook("check", str(file), "--as", "poptrix")
    assert (ran.code, "wX@c1" in ran.err) == (1, True)


def test_options_about_files_count(plybook, match, tmp_path):
    plybook("play", match, "wM@c1", "bL@c6")
    file = tmp_path / "board.ply"
    file.write_text(plybook("export", match).out.replace("wM@c1", "wM@C1"))
    judge = ("check", str(file), "--as", "poptrix")
    assert plybook(*judge).code == 1
    assert "ok as Poptrix, 2 moves" in plybook(*judge, "--spellings").out
    assert plybook(*judge, "--encoding", "runes").code == 2


@pytest.mark.parametrize(("subject", "fault"), [("zzzz", "zzzz"), ("none.ply", "cannot read")])
def test_missing_subject_is_reported(plybook, match, subject, fault):
    ran = plybook("check", subject, "--as", "poptrix")
    assert (ran.code, fault in ran.err) == (2, True)
