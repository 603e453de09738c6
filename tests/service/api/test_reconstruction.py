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
    paper = {"scoresheets": ["1. L@a1 -- a1>M@b1 a6>M@c6", {"match": match}]}
    found = api.post("/records/reconstruct", json=paper, headers=headers).json()
    assert [ply["entries"] for ply in found["plies"]][1] == ["--", "S@a6"]
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
        ({"scoresheets": [JET], "said": {"90": "a1>M@a3"}}, "ply 90 is no question"),
        ({"scoresheets": [JET], "said": {"0": "a1>M@a3"}}, "ply 0 is no question"),
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


MOVES = ["L@a1", "S@a6", "a1>M@b1", "a6>M@c6", "a1>M@a2", "a6>L@a5", "a1>M@a3", "a6>M@b6"]
ASKED = [*MOVES[:6], "a1>M@c1", *MOVES[7:]], [*MOVES[:6], "a1>M@a3", *MOVES[7:]]


def pair(api, one=MOVES, other=MOVES, **body):
    """Open two matches with these moves, and return them."""
    found = api.open(**body), api.open(**body)
    for match, moves in zip(found, (one, other), strict=True):
        assert api.play(match.id, match.host, *moves).status_code == 200
    return found


def sources(*matches):
    return [{"match": each.id, "token": each.host["Authorization"][7:]} for each in matches]


def test_reconstructed_match_is_stored_and_names_its_scoresheets(api):
    left = [*MOVES[:3], "a6>M@d6", *MOVES[4:6], "a1>M@c4", MOVES[7]]
    one, other = pair(api, left, MOVES, unjudged=True, visibility="private")
    assert ask(api, *[{"match": each.id} for each in (one, other)], save=True).status_code == 401
    stored = ask(api, *sources(one, other), save=True)
    assert stored.status_code == 201, stored.text
    found = stored.json()
    host = {"Authorization": f"Bearer {found['tokens']['host']}"}
    record = api.get(f"/matches/{found['match']}/record", headers=host)
    assert api.get(f"/matches/{found['match']}").status_code == 401  # as private as its scoresheets
    words = " ".join(record.text.split())
    assert '4. a6>M@c6 {[%reconstructed scoresheet "a6>M@d6" "a6>M@c6"]}' in words
    assert f'[Scoresheet1 "{one.id}"] [Scoresheet2 "{other.id}"]' in words
    for each in (one, other):
        back = api.get(f"/matches/{each.id}/record", headers=each.host).text
        assert f'[Reconstructed "{found["match"]}"]' in back


def test_answers_are_kept_with_who_decided(api):
    one, other = pair(api, *ASKED, visibility="public")
    body = [{"match": each.id} for each in (one, other)]
    (question,) = [ply for ply in ask(api, *body).json()["plies"] if not ply["certain"]]
    refused = ask(api, *body, save=True)
    assert (refused.status_code, "1 question" in refused.text) == (400, True), refused.text
    wrong = ask(api, *body, said={question["ply"]: "a1>M@f6"})
    assert (wrong.status_code, "no line has a1>M@f6 at ply 7" in wrong.text) == (400, True), (
        wrong.text
    )
    said = {question["ply"]: "a1>M@a3"}
    stored = ask(api, *body, said=said, save=True)
    found = stored.json()
    assert (stored.status_code, found["questions"]) == (201, 0), stored.text
    record = " ".join(api.get(f"/matches/{found['match']}/record").text.split())
    assert '7. a1>M@a3 {[%reconstructed "scorekeeper" "a1>M@c1" "a1>M@a3"]}' in record
    assert "Reconstructed" not in api.get(f"/matches/{one.id}/record").text  # the caller is no host


def test_repeated_request_stores_one_match(api):
    again = {"Idempotency-Key": "a" * 32}
    body = {"scoresheets": [JET, RED.replace("a1>M@a4", "a1>M@a3")], "save": True}
    ids = {api.post("/records/reconstruct", json=body, headers=again).json()["match"] for _ in "12"}
    assert len(ids) == 1
