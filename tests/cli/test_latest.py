"""The match that changed last, in place of an id."""

from __future__ import annotations

import pytest


@pytest.fixture
def latest(plybook, match) -> str:
    other = plybook("new", "poptrix").out.strip()
    assert plybook("play", match, "M@c1", "S@c6").code == 0
    assert other != match
    return match


@pytest.mark.parametrize(
    "command", ["show", "log", "tree", "export", "position", "annotations", "takeback", "replay"]
)
def test_commands_use_the_latest_match_by_default(plybook, latest, command):
    left_out, dash = (plybook(command), plybook(command, "-"))
    assert left_out.code == dash.code == 0
    if command != "takeback":
        assert left_out.out == dash.out == plybook(command, latest).out


def test_latest_match_is_verified(plybook, latest):
    assert plybook("verify", "-").out.startswith(f"{latest}: 2 events verified")


def test_moves_go_to_the_latest_match(plybook, latest):
    assert "3. Jet: c1>L@c3" in plybook("play", "-", "c1>L@c3").out
    assert plybook("takeback", "@1").code == 0
    assert plybook("redo").out.startswith("S@c6\n")
    assert plybook("show", latest, "--json").json["plies"] == 2


def test_bare_ply_means_the_latest_match(plybook, latest):
    assert f" {latest}@1 " in plybook("show", "@1").out
    assert f" {latest}@2 " in plybook("goto", "@1", "next-turn").out
    assert plybook("amend", "@1", "M@d1").out.startswith("ply 1: M@d1 instead of M@c1")
    assert f" {latest}@1 " in plybook("show", "@1v2").out


def test_latest_match_is_of_the_named_book(plybook, latest, tmp_path):
    book = tmp_path / "other.db"
    other = plybook("new", "blockade", "--db", book).out.strip()
    assert other in plybook("show", "-", "--db", book).out
    assert other in plybook("--db", book, "show").out


def test_empty_book_has_no_latest_match(plybook, match):
    assert plybook("delete", match, "--purge", "--yes").code == 0
    ran = plybook("show")
    assert (ran.code, "begins one" in ran.err) == (2, True)


def test_command_on_whole_match_refuses_a_ply(plybook, latest):
    wrong = "plybook: '@1' is not a valid match; use its id and leave out @1\n"
    assert plybook("log", "@1").err == wrong


def test_dash_is_the_latest_match_and_nothing_else(plybook, match):
    plybook("play", match, "M@c1")
    shown = plybook("show", "@1").out
    assert plybook("show", "-@1").out == shown
    assert "Red is to place" in plybook("record", "-", stdin="board\n").out
    unjudged = plybook("new", "poptrix", "--unjudged").out.strip()
    assert plybook("check", "-").out.startswith(f"{unjudged}: ok")
    for command in ("import", "format"):
        ran = plybook(command, "-")
        assert (ran.code, "for standard input name no file" in ran.err) == (2, True)


def test_records_are_read_from_standard_input_if_no_file_is_named(plybook):
    text = '[Game "poptrix"]\n\n1. M@c1 *\n'
    assert plybook("check", stdin=text).out == "standard input: record 1: ok, 1 event\n"
    assert "M@c1" in plybook("format", stdin=text).out
    assert "standard input: record 1" in plybook("import", stdin=text).out
