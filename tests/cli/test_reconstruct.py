"""`plybook reconstruct`."""

from __future__ import annotations

import json

import pytest

from replay.formats import reconstructing

HEAD = '[Game "poptrix"]\n[Seat1 "Jet"]\n[Seat2 "Red"]\n\n'
JET = "1. L@a1 2. S@a6 3. a1>M@b1 4. -- 5. a1>M@a2 6. a6>L@a5 7. a1>M@a3 8. a6>M@b6 *\n"
RED = JET.replace("--", "a6>M@c6").replace("a1>M@a3", "a1>M@a4")
FIELDS = ["game", "result", "complete", "questions", "plies", "extra", "fault"]


@pytest.fixture
def sheet(tmp_path):
    def write(name: str, moves: str, head: str = HEAD) -> str:
        (tmp_path / name).write_text(head + moves)
        return str(tmp_path / name)

    return write


@pytest.fixture
def found(plybook, sheet):
    def run(*texts: str, options: tuple[str, ...] = ()):
        files = [sheet(f"{number}.ply", text) for number, text in enumerate(texts)]
        ran = plybook("reconstruct", *files, "--json", *options)
        return ran.code, json.loads(ran.out) if ran.out else ran.err

    return run


def test_two_scoresheets_decide_a_dash_and_an_illegal_slip(found):
    code, answer = found(JET, RED)
    assert (code, list(answer)) == (0, FIELDS)
    assert (answer["game"], answer["result"], answer["fault"]) == ("poptrix", "*", None)
    fourth = answer["plies"][3]
    assert fourth == {
        "ply": 4,
        "seat": 2,
        "text": "a6>M@c6",
        "certain": True,
        "entries": ["--", "a6>M@c6"],
        "unsure": [],
        "choices": [],
    }
    assert answer["plies"][6]["text"] == "a1>M@a3"


def test_two_legal_entries_are_asked(found):
    right = RED.replace("a1>M@a4", "a1>M@a3")
    code, answer = found(right, right.replace("a6>M@b6", "a6>L@b6 {[%unsure]}"))
    last = answer["plies"][7]
    assert (code, answer["questions"], last["certain"], last["unsure"]) == (3, 1, False, [2])
    assert [(each["text"], each["by"]) for each in last["choices"]][:2] == [
        ("a6>M@b6", [1]),
        ("a6>L@b6", [2]),
    ]


def test_lone_scoresheet_is_taken_as_written_while_legal(found):
    text = JET.replace("--", "a6>M@c6")
    code, answer = found(text)
    assert (code, {ply["certain"] for ply in answer["plies"]}) == (0, {True})
    code, answer = found(text.replace("a1>M@a3", "a1>M@a4"))
    broken = answer["plies"][6]
    assert (code, broken["certain"], broken["entries"]) == (3, False, ["a1>M@a4"])
    assert "a1>M@a3" in [each["text"] for each in broken["choices"]]
    assert broken["choices"][-1] == {"text": "a1>M@a4", "by": [1], "clause": "POP-3.3"}


def test_entry_written_twice_is_extra(found):
    _, answer = found(RED, RED.replace("3. a1>M@b1", "3. a1>M@b1 a1>M@b1"))
    assert answer["extra"] == [{"scoresheet": 2, "after": 3, "text": "a1>M@b1"}]
    _, answer = found(RED, RED.replace("3. a1>M@b1", ""))
    assert answer["plies"][2]["entries"] == ["a1>M@b1", None]
    assert answer["plies"][2]["certain"]


def test_without_a_line_the_first_misfit_is_named(found):
    text = "1. L@a1 2. S@a6 3. " + "e3xe4 " * 12 + "*\n"
    code, answer = found(text)
    fault = answer["fault"]
    assert (code, answer["complete"], len(answer["plies"])) == (1, False, 2)
    assert (fault["ply"], fault["scoresheet"], fault["text"]) == (3, 1, "e3xe4")
    assert fault["clause"].startswith("POP-")
    assert fault["words"]


def test_position_decides_a_dash(plybook, found, sheet):
    known = plybook("import", sheet("whole.ply", RED.replace("a1>M@a4", "a1>M@a3"))).out.split()
    match = next(word for word in known if plybook("position", word.strip(":,")).code == 0)
    position = plybook("position", f"{match.strip(':,')}@4").out.strip()
    _, answer = found(JET, options=("--at", f"4={position}"))
    assert (answer["plies"][3]["text"], answer["questions"]) == ("a6>M@c6", 0)
    code, told = found(JET, options=("--at", f"2={position}"))
    assert code == 2
    assert f"the nearest is {position.rsplit(' ', 1)[0]}" in told


@pytest.mark.parametrize(
    ("texts", "words"),
    [
        ([JET, JET, JET], "not 3"),
        (["*\n"], "is empty"),
        ([JET + "\n" + HEAD + JET], "has 2 records"),
        ([JET.replace("--", "-- " * 3001)], "at most 3000 entries"),
    ],
)
def test_wrong_requests_are_refused(found, texts, words):
    code, told = found(*texts)
    assert (code, words in told) == (2, True)


def test_text_without_a_record_is_refused(plybook, tmp_path):
    (tmp_path / "empty.ply").touch()
    ran = plybook("reconstruct", str(tmp_path / "empty.ply"))
    assert (ran.code, "empty.ply has no record" in ran.err) == (2, True)


def test_search_that_was_cut_says_from_where(plybook, sheet):
    ran = plybook("reconstruct", sheet("dashes.ply", "-- " * 7 + "*\n"))
    assert (ran.code, "from ply 3 on not all lines were tried" in ran.err) == (3, True)


def test_result_of_a_seat_that_the_match_lacks_is_refused(found):
    code, told = found(JET, options=("--result", "+3"))
    assert (code, "no seat 3" in told) == (2, True)


def test_search_that_takes_too_long_says_so(plybook, sheet, monkeypatch):
    monkeypatch.setattr(reconstructing, "MAX_SECONDS", 0.0)
    ran = plybook("reconstruct", sheet("jet.ply", JET))
    assert (ran.code, "the search ended here" in ran.out + ran.err) == (1, True)


def test_two_games_and_two_matches_are_refused(plybook, sheet):
    jet = sheet("jet.ply", JET)
    other = sheet("other.ply", "1. a3-b4 *\n", '[Game "power-play"]\n\n')
    ran = plybook("reconstruct", jet, other)
    assert (ran.code, "two games" in ran.err) == (2, True)
    one = sheet("one.ply", RED.replace("a1>M@a4", "a1>M@a3"))
    moves = "1. M@e1 2. L@c6 3. e1>M@d1 4. c6>M@d6 5. e1>S@e2 6. c6>M@b6 7. e1>L@e3 8. c6>S@c5 *\n"
    ran = plybook("reconstruct", one, sheet("two.ply", moves))
    assert (ran.code, "two matches" in ran.err) == (2, True)


def test_match_is_printed_and_stored(plybook, sheet):
    ran = plybook("reconstruct", sheet("jet.ply", JET), sheet("red.ply", RED), "--save")
    assert ran.code == 0
    words = " ".join(ran.out.split())
    assert '4. a6>M@c6 {[%reconstructed scoresheet "--" "a6>M@c6"]}' in words
    match = ran.err.split()[-1]
    assert plybook("export", match).out == ran.out
    assert plybook("reconstruct", match, "--json").code == 0


def test_a_move_that_nobody_was_sure_of_stays_unsure(plybook, tmp_path):
    sheets = ("M@c1 {[%unsure]} S@c6 {[%unsure]} --", "M@c1 {[%unsure]} S@c6")
    files = [tmp_path / name for name in ("jet.ply", "red.ply")]
    for file, moves in zip(files, sheets, strict=True):
        file.write_text(f'[Game "poptrix"]\n\n{moves} *\n', encoding="utf-8")
    text = " ".join(plybook("reconstruct", *map(str, files)).out.split())
    assert "1. M@c1 {[%unsure]} 2. S@c6 3." in text
    asked = " ".join(plybook("reconstruct", str(files[0])).out.split())
    assert '{[%unsure]} {[%reconstructed rules "--"]}' in asked, "a question is no answer yet"
