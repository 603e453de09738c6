"""`POST /records/reconstruct`."""

from __future__ import annotations

import pytest

from domain.games import built_in
from domain.match import open_match

HEAD = '[Game "poptrix"]\n[Seat1 "Jet"]\n[Seat2 "Red"]\n\n'
JET = HEAD + "1. L@a1 2. S@a6 3. a1>M@b1 4. -- 5. a1>M@a2 6. a6>L@a5 7. a1>M@a3 8. a6>M@b6 *\n"
RED = JET.replace("--", "a6>M@c6").replace("a1>M@a3", "a1>M@a4")


def ask(api, *scoresheets, **more):
    return api.post("/records/reconstruct", json={"scoresheets": scoresheets, **more})


def test_two_scoresheets_give_their_match(api):
    answer = ask(api, JET, RED)
    assert answer.status_code == 200
    found = answer.json()
    assert list(found) == ["game", "result", "complete", "questions", "plies", "extra", "fault"]
    assert (found["complete"], found["questions"], len(found["plies"])) == (True, 0, 8)
    assert found["plies"][3]["entries"] == ["--", "a6>M@c6"]
    assert found["plies"][6]["text"] == "a1>M@a3"


def test_match_is_a_scoresheet_for_those_who_may_read_it(api):
    opened = api.post(
        "/matches", json={"game": "poptrix", "seats": 2, "visibility": "private"}
    ).json()
    match, token = opened["match"], opened["tokens"]["host"]
    headers = {"Authorization": f"Bearer {token}"}
    moves = ["L@a1", "S@a6", "a1>M@b1", "a6>M@c6"]
    events = {"events": [{"text": move} for move in moves]}
    sent = api.post(f"/matches/{match}/events", json=events, headers={**headers, "If-Match": '"0"'})
    assert sent.status_code == 200, sent.text
    text = HEAD + "1. L@a1 -- a1>M@b1 a6>M@c6 *"
    assert ask(api, text, {"match": match}).status_code == 401
    body = {"scoresheets": [text, {"match": match}]}
    found = api.post("/records/reconstruct", json=body, headers=headers).json()
    assert [ply["text"] for ply in found["plies"]] == moves
    assert found["questions"] == 0


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"scoresheets": []}, "length 1 or more"),
        ({"scoresheets": [JET, JET, JET]}, "length 2 or less"),
        ({"scoresheets": [HEAD + "*"]}, "is empty"),
        ({"scoresheets": ["1. e4"]}, "must begin with its game"),
        ({"scoresheets": [JET + "\n" + JET]}, "has 2 records"),
        ({"scoresheets": [JET, '[Game "power-play"]\n\n1. a3-b4 *']}, "two games"),
        ({"scoresheets": [JET], "pins": [{"ply": 3, "position": "x"}]}, "a position of Poptrix"),
        ({"scoresheets": [JET], "pins": [{"ply": "middle", "position": "x"}]}, "ply"),
        ({"scoresheets": [JET], "result": "won"}, "is not a result"),
    ],
)
def test_wrong_requests_are_refused(api, body, words):
    answer = api.post("/records/reconstruct", json=body)
    assert (answer.status_code, words in answer.text) == (400, True), answer.text


def test_unreached_pin_names_the_nearest_position(api):
    start = open_match(built_in("poptrix")).start
    position = start.game.write_position(start.position)
    answer = ask(api, RED.replace("a1>M@a4", "a1>M@a3"), pins=[{"ply": 5, "position": position}])
    assert (answer.status_code, "the nearest is" in answer.text) == (400, True), answer.text


def test_unknown_match_and_long_text_are_refused(api):
    assert ask(api, {"match": "0" * 12}).status_code == 404
    assert ask(api, HEAD + "-- " * 4_000_000).status_code == 413
