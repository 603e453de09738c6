"""Forks through the CLI: fork, tree, compare, promote, hide, and files with variations."""

from __future__ import annotations

import pytest

NESTED = """\
[Game "poptrix"]
[Rules "poptrix/1"]
[Result "*"]

{a} 1. M@c1 $1 ({b} 1. L@c1 $2 {c} 2. S@c6 (2. S@a6 {d} (2. M@a6))) (1. S@c1) 2.
S@c6 3. c1>S@c3 (3. c1>S@b1 {e}) *

"""


@pytest.fixture
def match(plybook, match) -> str:
    plybook("play", match, "M@c1", "S@c6", "c1>S@c3", "c6>M@a6")
    return match


@pytest.fixture
def forked(plybook, match) -> str:
    """A variation after ply 2 with a move of its own."""
    forked = plybook("fork", f"{match}@2", "--name", "wide").out.strip()
    plybook("play", forked, "c1>S@b1")
    return forked


def tokens(plybook, match: str) -> list[str]:
    return [entry["text"] for entry in plybook("log", match, "--json").lines]


def test_fork_behaves_like_any_match(plybook, match, forked):
    assert tokens(plybook, forked) == ["M@c1", "S@c6", "c1>S@b1"]
    assert "Jet - Red" in plybook("show", forked).out
    assert plybook("record", forked, stdin="c6>M@a6\ntakeback\n").code == 0
    assert plybook("show", f"{forked}@4v4").code == 0
    plybook("takeback", f"{forked}@1")
    plybook("play", forked, "L@a6")
    assert tokens(plybook, forked) == ["M@c1", "L@a6"]
    assert len(tokens(plybook, match)) == 4
    assert plybook("verify").code == 0
    assert plybook("play", forked, "1:M@c1").code == 1


def test_nested_forks_keep_their_lines_in_the_database(plybook, match):
    lines, last = {}, match
    for depth in range(5):
        last = plybook("fork", f"{last}@{3 + depth}").out.strip()
        words = ["2:decline-draw", "1:offer-draw"][:: 1 if depth % 2 else -1]
        assert plybook("play", last, *words).code == 0
        assert plybook("takeback", last).code == 0
        lines[last] = tokens(plybook, last)
        assert len(lines[last]) == 4 + depth
    plybook("takeback", f"{match}@0")
    assert all(tokens(plybook, fork) == line for fork, line in lines.items())
    assert plybook("verify").code == 0
    assert len(plybook("tree", last).out.splitlines()) == 6


def test_lists_include_variations_on_request(plybook, match, forked):
    played_on = plybook("fork", f"{match}@3", "--match", "--seat", "2=Teal").out.strip()
    assert [each["match"] for each in plybook("list", "--json").lines] == [played_on, match]
    listed = plybook("list", "-a").out
    assert f"(variation of {match}@2)" in listed
    assert f"Jet - Teal  3 plies, Teal is to launch  (match of {match}@3)" in listed
    told = next(each for each in plybook("list", "-a", "--json").lines if each["match"] == forked)
    assert (told["kind"], told["name"]) == ("variation", "wide")
    assert told["fork"] == {"match": match, "version": 2, "ply": 2}
    plybook("delete", forked)
    assert forked in plybook("list", "--trash").out


def test_tree_shows_where_a_fork_leaves(plybook, match, forked):
    plybook("annotate", f"{forked}@3", "--glyph", "?!")
    plybook("promote", forked)
    assert plybook("tree", match).out.splitlines() == [
        f"* {match}  Poptrix  Jet - Red  4 plies, Jet is to launch",
        f'    > {forked}  @2 variation  "wide"  c1>S@b1?! instead of c1>S@c3  3 plies, '
        "Red is to launch",
    ]
    root, branch = plybook("tree", forked, "--json").lines
    assert (root["depth"], root["parent"], root["first"]) == (0, None, None)
    assert (branch["parent"], branch["leaves"], branch["main"]) == (match, 2, True)
    assert branch["first"] == {"text": "c1>S@b1", "glyphs": ["?!"]}


def test_hidden_variation_is_left_out_until_shown(plybook, match, forked):
    deeper = plybook("fork", f"{forked}@3").out.strip()
    plybook("hide", forked)
    assert plybook("tree", match).out.splitlines()[1:] == ["2 hidden; --all shows them"]
    assert deeper in plybook("tree", match, "--all").out
    assert "(" not in plybook("export", match).out
    shown = {"match": forked, "hidden": False}
    assert plybook("hide", forked, "--json").lines == [shown | {"hidden": True}]
    assert plybook("hide", forked, "--undo", "--json").lines == [shown]
    plybook("hide", forked)
    assert plybook("hide", forked, "--undo").out == f"{forked} shown again\n"
    assert "(3. c1>S@b1)" in plybook("export", match).out
    assert plybook("hide", match).code == 2


def test_matches_are_compared(plybook, match, forked):
    plybook("play", forked, "1:resign")
    compared = plybook("compare", match, f"{forked}@4").out.splitlines()
    assert compared == [
        "alike up to ply 2 (2. Red: S@c6  Red places a small on c6)",
        f"  {match}  3 3. Jet: c1>S@c3  c1 launches a small to c3",
        f"  {forked}@4  3 3. Jet: c1>S@b1  c1 launches a small to b1",
        "unfinished after 4 plies; Red won (resigned) after 4 plies",
    ]
    told = plybook("compare", match, forked, "--json").json
    assert told["common"] == 2
    assert [side["next"]["text"] for side in told["sides"]] == ["c1>S@c3", "c1>S@b1"]
    same = plybook("compare", match, match).out
    assert "ends there" in same
    assert same.endswith("both unfinished after 4 plies\n")
    assert plybook("compare", match, plybook("new", "power-play").out.strip()).code == 2


def test_each_compared_match_has_its_players(plybook):
    one, other = (
        plybook("new", "poptrix", "--seat", f"1={name}", "--seat", "2=Ann").out.strip()
        for name in ("Jet", "Left")
    )
    plybook("play", one, "M@c1", "S@c6", "1:resign")
    plybook("play", other, "M@c1", "L@c6", "2:resign")
    assert plybook("compare", one, other).out.splitlines() == [
        "alike up to ply 1 (1. seat 1: M@c1  seat 1 places a medium on c1)",
        f"  {one}  2 2. Ann: S@c6  Ann places a small on c6",
        f"  {other}  2 2. Ann: L@c6  Ann places a large on c6",
        "Ann won (resigned) after 3 plies; Left won (resigned) after 3 plies",
    ]


def test_promoted_variation_is_exported_first(plybook, match, forked):
    assert forked in plybook("promote", forked).out
    assert "3. c1>S@b1 (3. c1>S@c3 4. c6>M@a6) *" in plybook("export", match).out
    assert plybook("promote", match).out == (
        f"the main line of {match} is the one that was played\n"
    )
    assert "3. c1>S@c3 (3. c1>S@b1) 4. c6>M@a6 *" in plybook("export", match).out


def test_match_with_forks_is_trashed_but_not_purged(plybook, match, forked):
    purged = plybook("delete", "--purge", "--yes", match)
    assert purged.code == 2
    assert forked in purged.err
    plybook("delete", match)
    assert tokens(plybook, forked) == ["M@c1", "S@c6", "c1>S@b1"]
    assert plybook("verify").code == 0
    plybook("delete", "--purge", "--yes", forked)
    assert plybook("delete", "--purge", "--yes", match).code == 0


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["fork", "{}@9"], 2),
        (["fork", "{}@x"], 2),
        (["fork", "zzzz"], 2),
        (["fork", "{}", "--variation", "--match"], 2),
        (["fork", "{}", "--seat", "Jet"], 2),
        (["fork", "{}", "--seat", "3=Teal"], 2),
        (["fork", "{}", "--name", " "], 2),
        (["promote", "zzzz"], 2),
        (["compare", "{}", "{}@9"], 2),
    ],
)
def test_invalid_branch_command_stores_no_match(plybook, match, arguments, code):
    ran = plybook(*(each.format(match) for each in arguments))
    assert ran.code == code, ran
    assert "Traceback" not in ran.err
    assert len(plybook("list", "-a").out.splitlines()) == 1


def test_sealed_program_prevents_forking(plybook):
    match = plybook("new", "pyramid-ball").out.strip()
    plybook("play", match, "1:S=FR.,M=..F,L=LLF,pass=2L")
    ran = plybook("fork", match)
    assert ran.code == 1
    assert "sealed" in ran.err
    before = plybook("fork", f"{match}@0").out.strip()
    seen = [
        plybook("tree", before, "--json"),
        plybook("tree", before),
        plybook("compare", match, before),
        plybook("log", before, "--all", "--json"),
        plybook("export", before),
    ]
    assert not any("FR." in each.out + each.err for each in seen)
    assert plybook("verify").code == 0


def test_nested_variations_round_trip_byte_for_byte(plybook, tmp_path):
    file = tmp_path / "nested.ply"
    file.write_text(NESTED)
    ran = plybook("import", file)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.endswith("record 1  (5 variations)\n")
    match = ran.out.split()[0]
    assert plybook("export", match).out == NESTED
    assert [each["depth"] for each in plybook("tree", match, "--json").lines] == [0, 1, 2, 3, 1, 1]
    assert len(plybook("list").out.splitlines()) == 1
    told = plybook("import", "--json", "--again", file).json
    assert (told["variations"], told["left_out"]) == (5, 0)
    assert plybook("verify").code == 0


def test_record_with_bad_variation_is_not_stored(plybook, tmp_path):
    file = tmp_path / "bad.ply"
    file.write_text(NESTED.replace("(2. M@a6)", "(2. M@c1)") + NESTED)
    ran = plybook("import", file)
    assert ran.code == 1
    assert "'M@c1'" in ran.err
    assert len(plybook("list", "-a").out.splitlines()) == 6


def test_export_names_variations_it_leaves_out(plybook, match):
    empty = plybook("fork", f"{match}@2").out.strip()
    ran = plybook("export", match)
    assert ran.code == 0
    assert ran.err == f"variation {empty} left out: it has no move of its own\n"


def test_match_is_purged_with_its_variations(plybook, match, forked):
    refused = plybook("delete", "--purge", "--yes", match)
    assert (refused.code, "--variations" in refused.err) == (2, True)
    purged = plybook("delete", "--purge", "--yes", "--variations", match)
    assert purged.out == f"{match} deleted for good\n{forked} deleted for good\n"
    assert plybook("show", forked).code == 2
    assert plybook("delete", "--variations", match).code == 2


def test_separate_fork_outlives_its_match(plybook, match):
    other = plybook("fork", f"{match}@2", "--match").out.strip()
    purged = plybook("delete", "--purge", "--yes", match)
    assert purged.code == 0, purged.err
    assert f"{other} stays" in purged.out
    assert tokens(plybook, other) == ["M@c1", "S@c6"]
    assert plybook("verify").code == 0
    assert plybook("show", match).code == 2


@pytest.mark.parametrize(
    "words", [["fork", "-", "2"], ["annotate", "-", "2", "nice"], ["fork", "-", "2", "--json"]]
)
def test_ply_without_its_sign_is_told_as_an_address(plybook, match, words):
    refused = plybook(*words)
    assert refused.code == 2
    assert "name a ply as @2 or --at 2" in refused.err


def test_ply_may_be_an_option(plybook, match):
    forked = plybook("fork", "-", "--at", "2", "--json").json
    assert forked["fork"]["ply"] == 2
    plybook("annotate", match, "--at", "1", "nice")
    assert "nice" in plybook("show", f"{match}@1").out
    twice = plybook("fork", f"{match}@2", "--at", "1")
    assert (twice.code, "leave out --at" in twice.err) == (2, True)
