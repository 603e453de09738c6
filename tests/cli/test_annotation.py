"""Annotations, tags and search through the command line."""

from __future__ import annotations

import re

import pytest

MOVES = ("M@c1", "S@c6", "c1>L@c3", "c6>M@c4")


@pytest.fixture
def match(plybook, match) -> str:
    plybook("play", match, *MOVES)
    return match


def said(plybook, address: str, *options: str) -> list[str]:
    ran = plybook("annotate", address, *options, "--json")
    assert ran.code == 0, ran.err
    return [line["id"] for line in ran.lines]


def test_comments_are_listed_shown_and_logged(plybook, match, tmp_path):
    ran = plybook(
        "annotate", f"{match}@3", "The kickback", "--glyph", "!?", "--glyph", "drawish",
        "--arrow", "c1-c3", "--circle", "c3", "--label", "c6=A", "--author", "Teal",
    )  # fmt: skip
    assert ran.code == 0
    plybook("annotate", match, "Now the attack", "--glyph", "$3")
    listed = plybook("annotations", match).out.splitlines()
    assert [re.sub("[0-9a-f]{8}  ", "", line) for line in listed] == [
        "@3    Teal: The kickback",
        "@3    Teal: !?  interesting move",
        "@3    Teal: =  drawish",
        "@3    Teal: arrow c1-c3",
        "@3    Teal: circle c3",
        "@3    Teal: label c6=A",
        "@4    scorekeeper: Now the attack",
        "@4    scorekeeper: !!  brilliant move",
    ]
    assert len(plybook("annotations", f"{match}@4").out.splitlines()) == 2
    shown = plybook("show", f"{match}@3").out
    for part in ("Teal: The kickback", "label c6=A", "=S2", "+L1", "note   c1 -> c3"):
        assert part in shown
    assert "attack" not in shown
    log = plybook("log", match).out.splitlines()
    assert log[2].endswith("c1 launches a large to c3 !? = {The kickback}")
    assert log[3].endswith("c6 launches a medium to c4 !! {Now the attack}")
    plybook("show", f"{match}@3", "--svg", tmp_path / "board.svg")
    picture = (tmp_path / "board.svg").read_text()
    for mark in ("pb-way-note", "pb-mark-circle", "pb-mark-label", "c6 label A"):
        assert mark in picture


def test_answers_in_json_are_complete(plybook, match):
    plybook("annotate", f"{match}@3", "good", "--circle", "c3", "--author", "Teal")
    comment, circle = plybook("annotations", match, "--json").lines
    assert comment.keys() == {
        "match", "id", "ply", "version", "kind", "said", "author", "at", "changes",
    }  # fmt: skip
    assert (comment["ply"], comment["kind"], comment["author"]) == (3, "comment", "Teal")
    assert comment["said"] == {"type": "commented", "on": 3, "text": "good"}
    assert circle["said"] == {"type": "circled", "on": 3, "at": "c3"}
    shown = plybook("show", f"{match}@3", "--json", "--scene").json
    assert shown["annotations"] == [comment, circle]
    assert {"at": "c3", "kind": "circle"} in shown["scene"]["marks"]
    logged = plybook("log", match, "--json").lines
    assert [len(entry["annotations"]) for entry in logged] == [0, 0, 2, 0]
    assert logged[2]["annotations"][0] == comment["said"]


def test_edit_and_a_retraction_keep_the_history(plybook, match):
    (key,) = said(plybook, f"{match}@3", "good")
    edited = plybook("annotate", match, "--edit", key[:8], "not so good", "--author", "Red")
    assert edited.out == f"@3    {key[:8]}  scorekeeper: not so good  (edited)\n"
    assert plybook("annotate", match, "--retract", key[:8], "--author", "Teal").code == 0
    assert plybook("annotations", match).out == ""
    assert "good" not in plybook("show", f"{match}@3").out
    first, *changes = plybook("annotations", match, "--history").out.splitlines()
    assert first == f"@3    {key[:8]}  scorekeeper: not so good  (retracted)"
    assert [line.split(maxsplit=2)[2] for line in changes] == [
        "scorekeeper: good",
        "Red: not so good",
        "Teal: retracted",
    ]
    assert plybook("verify", match).code == 0


def test_annotations_stay_with_their_event(plybook, match):
    said(plybook, f"{match}@4", "taken back")
    plybook("takeback", f"{match}@3")
    listed = plybook("annotations", match).out
    assert listed.startswith("v4 ")
    assert "no longer in the line" in listed
    assert plybook("annotations", f"{match}@4v4").out.startswith("@4 ")
    assert "taken back" in plybook("show", f"{match}@4v4").out
    assert "taken back" not in plybook("export", match).out


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["MATCH"], "an annotation is empty"),
        (["MATCH@9", "x"], "ply 9 is not in the line"),
        (["MATCH@1v9", "x"], "version 9 is not in"),
        (["MATCH", " "], "the comment is empty"),
        (["MATCH", "x" * 10_001], "at most 10000"),
        (["MATCH", "--glyph", "nonsense"], "is not a valid glyph"),
        (["MATCH", "--glyph", "!", "--glyph", "?"], "the move has a glyph already"),
        (["MATCH@0", "--glyph", "!"], "ply 0 cannot have one"),
        (["MATCH", "--circle", "z9"], "'z9' is not a place"),
        (["MATCH", "--arrow", "c1"], "not a valid arrow"),
        (["MATCH", "--label", "c1=long"], "1 to 3"),
        (["MATCH", "x", "--author", ""], "author"),
        (["MATCH", "x", "--author", "seat 2"], "the word for a role"),
        (["MATCH", "x", "--author", "Host"], "the word for a role"),
        (["MATCH", "--edit", "ffffffff", "x"], "is not an annotation"),
        (["MATCH", "--retract", "ffffffff"], "is not an annotation"),
        (["MATCH", "x", "--retract", "ffffffff"], "takes no text"),
        (["MATCH", "--edit", "ffffffff", "--retract", "ffffffff"], "takes no text"),
        (["zzzzzz", "x"], "no match"),
    ],
)
def test_invalid_annotation_is_usage_error_and_unstored(plybook, match, arguments, why):
    ran = plybook("annotate", *(each.replace("MATCH", match) for each in arguments))
    assert ran.code == 2, ran
    assert why in ran.err
    assert "Traceback" not in ran.err
    assert plybook("annotations", match, "--history").out == ""


def test_tags_are_set_listed_and_erased(plybook, match):
    ran = plybook("tag", match, "Event=Second evening", "Round=3", "Seat1=Jets", "Date=")
    assert ran.out.splitlines() == ["Seat1=Jets", "Seat2=Red", "Event=Second evening", "Round=3"]
    plybook("tag", match, "Round=")
    assert plybook("tag", match, "--json").json == {
        "match": match,
        "tags": [
            {"name": "Seat1", "value": "Jets"},
            {"name": "Seat2", "value": "Red"},
            {"name": "Event", "value": "Second evening"},
        ],
    }
    assert '[Event "Second evening"]' in plybook("export", match).out
    assert "Jets" in plybook("list").out


def test_name_after_the_end_needs_a_reason(plybook, match):
    assert plybook("play", match, "1:resign").code == 0
    late = plybook("tag", match, "Seat1=Jets", "Event=Cup")
    assert (late.code, "is over; give the reason" in late.err) == (2, True)
    assert "Event=Cup" not in plybook("tag", match).out
    renamed = plybook("tag", match, "Seat1=Jets", "Event=Cup", "--reason", "a slip")
    assert "Seat1=Jets" in renamed.out.splitlines()
    for shown in (("show",), ("log",), ("log", "--all")):
        told = plybook(shown[0], match, *shown[1:]).out
        assert "seat 1 is Jets now after the end: a slip (scorekeeper)" in told.splitlines()[-1]
    assert "Jets" not in plybook("log", match).out.splitlines()[0]
    assert plybook("tag", match, "Seat1=").code == 0
    assert plybook("verify", match).code == 0


@pytest.mark.parametrize("value", ["Event", "=x", "Two words=x", "Game=x", "Seat3=x", "Event=\x07"])
def test_invalid_tags_are_a_usage_error(plybook, match, value):
    before = plybook("tag", match).out
    ran = plybook("tag", match, "Round=3", value)
    assert ran.code == 2
    assert "Traceback" not in ran.err
    assert plybook("tag", match).out == before


def test_find_looks_through_all_matches(plybook, match):
    other = plybook("new", "blockade").out.strip()
    (key,) = said(plybook, f"{match}@3", "The Kick-back begins", "--author", "Teal")
    plybook("tag", other, "Event=Kicking off", "Seat1=Grün")
    assert plybook("find", "kick").out == (
        f"{other}  tag Event: Kicking off\n"
        f"{match}@3  comment {key[:8]} of Teal: The Kick-back begins\n"
    )
    assert plybook("find", "grun", "--json").json["name"] == "Seat1"
    assert plybook("find", "kick", "--limit", "1", "--rebuild").out.count("\n") == 1
    plybook("delete", other)
    assert len(plybook("find", "kick", "--json").lines) == 1
    assert plybook("find", "nothing", "here").out == "nothing found\n"
    assert plybook("find", "?!").code == 2


def test_long_comment_is_cut_around_its_match(plybook, match):
    said(plybook, match, "before " * 100 + "kickback " + "after " * 100)
    found = plybook("find", "kickback").out
    assert ": …" in found
    assert "before kickback after" in found
    assert len(found) < 400
    assert len(plybook("find", "kickback", "--json").json["text"]) > 1000


def test_annotated_program_stays_sealed(plybook):
    match = plybook("new", "pyramid-ball").out.strip()
    plybook("play", match, "1:S=FR.,M=..F,L=LLF,pass=2L")
    plybook("annotate", f"{match}@1", "bold", "--glyph", "!", "--circle", "c3")
    seen = [
        plybook("show", match),
        plybook("show", match, "--json"),
        plybook("log", match),
        plybook("annotations", match, "--json"),
        plybook("find", "bold", "--json"),
    ]
    assert all(ran.code == 0 for ran in seen)
    assert not any("FR." in ran.out + ran.err for ran in seen)
    assert "bold" in seen[0].out


def test_annotation_is_erased_with_its_history(plybook, match):
    (key,) = said(plybook, match, "Zyxwvut")
    assert plybook("annotate", match, "--erase", key).out == f"annotation {key} erased\n"
    assert plybook("annotations", match, "--history").out == ""
    assert plybook("annotate", match, "--erase", key).code == 2
    assert plybook("annotate", match, "--erase", key, "more").code == 2


def test_bookmark_is_listed_until_commented(plybook, match):
    assert plybook("annotate", f"{match}@3", "--bookmark").code == 0
    (line,) = plybook("annotations", match).out.splitlines()
    assert line.endswith("scorekeeper: to comment")
    assert "(to comment)" in plybook("log", match).out
    assert plybook("annotate", f"{match}@3", "The kickback").code == 0
    (line,) = plybook("annotations", match).out.splitlines()
    assert line.endswith("scorekeeper: The kickback")


def test_listed_glyph_names_are_accepted(plybook, match):
    plybook("play", match, "M@c1")
    listed = plybook("glyphs", "--json").lines
    assert {"number": 5, "sign": "!?", "name": "interesting move"} in listed
    assert "$5    !?   interesting move\n" in plybook("glyphs").out
    assert plybook("annotate", match, "--glyph", listed[4]["name"]).code == 0


@pytest.mark.parametrize("arguments", [("list",), ("find", "home")])
def test_limit_has_a_largest_value(plybook, match, arguments):
    ran = plybook(*arguments, "--limit", 2**63)
    assert (ran.code, ran.out) == (2, "")
    assert "is not in the range 1<=x<=1000000000" in ran.err


def test_scorekeeper_reads_held_comments_that_a_record_lacks(plybook):
    match = plybook("new", "poptrix", "--comments", "end").out.strip()
    plybook("annotate", match, "a quokka")
    assert "a quokka" in plybook("annotations", match).out
    assert "a quokka" not in plybook("export", match).out
    assert "use now or end" in plybook("new", "poptrix", "--comments", "late").err
