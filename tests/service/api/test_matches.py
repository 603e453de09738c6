"""Opening, playing and reading matches over HTTP."""

from __future__ import annotations

import pytest


def test_opening_a_match_returns_tokens_and_start(api):
    answer = api.post("/matches", json={"game": "blockade", "options": {"cool": 2}})
    assert answer.status_code == 201
    body = answer.json()
    assert (body["game"], body["options"], body["version"]) == ("blockade", {"cool": 2}, 0)
    assert set(body["tokens"]["seats"]) == {"1", "2"}
    assert answer.headers["cache-control"] == "no-store"
    seen = api.get(answer.headers["location"]).json()
    assert "tokens" not in seen
    assert seen["awaiting"][0]["moves"] == ["roll"]


@pytest.mark.parametrize(
    "body",
    [
        {"game": "chess"},
        {"game": "poptrix", "seats": 3},
        {"game": "poptrix", "seats": 0},
        {"game": "poptrix", "seats": 10**24},
        {"game": "poptrix", "options": {"speed": 1}},
        {"game": "blockade", "options": {"cool": 3}},
        {"game": "poptrix", "players": {"one": "Jet"}},
        {"game": "poptrix", "players": {"7": "Jet"}},
        {"game": "poptrix", "players": {"1": "A" * 101}},
    ],
)
def test_opening_an_impossible_match_is_400(api, body):
    answer = api.post("/matches", json=body)
    assert answer.status_code == 400
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["detail"]


def test_events_are_entered_all_or_none(api):
    match = api.open()
    place = {"type": "place", "size": "S", "at": "c6"}
    events = [{"text": "M@c1"}, {"move": place, "seat": 2}]
    path = f"/matches/{match.id}/events"
    answer = api.post(path, json={"events": events}, headers=match.host)
    assert answer.status_code == 200, answer.text
    assert [event["text"] for event in answer.json()["events"]] == ["M@c1", "S@c6"]
    assert answer.headers["etag"] == '"2"'
    refused = api.play(match.id, match.host, "c1>L@c3", "c6>S@c5")
    assert refused.status_code == 409
    assert api.get(f"/matches/{match.id}").json()["version"] == 2


def test_refusal_has_clause_words_squares_and_legal_moves(api):
    match = api.open()
    api.play(match.id, match.host, "M@c1", "S@c6", "c1>L@c3", "c6>M@c4")
    problem = api.play(match.id, match.host, "c1>S@b1").json()
    assert problem["clause"] == "POP-2.3"
    assert problem["words"].startswith("If any attack is available, it must attack")
    assert (problem["text"], problem["seat"], problem["version"]) == ("c1>S@b1", 1, 4)
    assert problem["squares"] == ["c3", "c4"]
    assert problem["legal"] == ["c3xc4"]


def test_stale_writer_gets_the_missed_events(api):
    match = api.open()
    api.play(match.id, match.host, "M@c1", "S@c6", expected=0)
    stale = api.play(match.id, match.host, "L@a6", expected=1)
    assert stale.status_code == 412
    assert [event["text"] for event in stale.json()["missed"]] == ["S@c6"]


def test_retry_with_same_key_gets_first_answer(api):
    match = api.open()
    key = match.host | {"Idempotency-Key": "a-phone-on-bad-wifi"}
    first = api.play(match.id, key, "M@c1", expected=0)
    api.play(match.id, match.host, "S@c6")
    again = api.play(match.id, key, "M@c1", expected=0)
    assert (again.status_code, again.json()) == (first.status_code, first.json())
    assert api.get(f"/matches/{match.id}").json()["version"] == 2


def test_writing_needs_a_token_of_match_and_seat(api):
    match, other = api.open(), api.open()
    assert api.play(match.id, {}, "M@c1").status_code == 401
    assert api.play(match.id, other.host, "M@c1").status_code == 401
    assert api.play(match.id, {"Authorization": "Basic x"}, "M@c1").status_code == 401
    assert api.play(match.id, match.seats["2"], "M@c1").json()["clause"] == "turn"
    assert api.play(match.id, match.seats["2"], "1:M@c1").status_code == 403
    assert api.play(match.id, match.seats["1"], "ruled=+1").status_code == 403
    assert api.play(match.id, match.seats["1"], "M@c1").status_code == 200
    events = api.get(f"/matches/{match.id}/events").json()["events"]
    assert [event["actor"] for event in events] == ["seat 1"]


@pytest.mark.parametrize(
    ("content", "path"),
    [
        (b'{"events":[{"text":7}]}', "$.events[0].text"),
        (b'{"events":[{"move":{"type":"place","size":"S","at":"c9"}}]}', "$.events[0].move.at"),
        (b'{"events":[{"move":{"type":"castle"}}]}', "$.events[0].move.type"),
        (b'{"events":[{"move":{"type":"place","size":"S"}}]}', "$.events[0].move.at"),
        (b'{"events":[{"text":"M@c1","move":{}}]}', "$.events[0]"),
        (b'{"events":[{}]}', "$.events[0]"),
        (b'{"events":[]}', "$.events"),
        (b'{"events":[{"text":"M@c1"}],"expected":"0"}', "$.expected"),
        (b'{"events":[{"text":"M@c1"}],"extra":1}', "$.extra"),
        (b'{"events":[{"text":"M@c1"}],"expected":NaN}', "$"),
        (b"[" * 20000, "$"),
        (b"\xff", "$"),
        (b"", "$"),
    ],
)
def test_malformed_body_is_400_with_its_path(api, content, path):
    match = api.open()
    headers = match.host | {"Content-Type": "application/json"}
    answer = api.post(f"/matches/{match.id}/events", content=content, headers=headers)
    assert answer.status_code == 400, answer.text
    assert answer.json().get("path") == path


def test_only_json_of_a_bounded_size_is_read(api):
    match = api.open()
    path = f"/matches/{match.id}/events"
    form = match.host | {"Content-Type": "text/plain"}
    assert api.post(path, content=b"{}", headers=form).status_code == 415
    huge = match.host | {"Content-Type": "application/json"}
    assert api.post(path, content=b" " * 70_000, headers=huge).status_code == 413


def test_versions_and_plies_beyond_head_are_404(api):
    match = api.open()
    api.play(match.id, match.host, "M@c1", "S@c6")
    assert api.get(f"/matches/{match.id}?ply=1&version=2").json()["ply"] == 1
    for query in ("ply=3", "version=3", "ply=2&version=1"):
        assert api.get(f"/matches/{match.id}?{query}").status_code == 404, query
    for query in ("ply=one", "ply=-1", "version=-1", "ply=1000000000"):
        assert api.get(f"/matches/{match.id}?{query}").status_code == 400, query
    assert api.get("/matches/nothere").status_code == 404
    assert api.get(f"/matches/{match.id[:6]}").status_code == 404, "ids are not abbreviated here"


def test_board_is_a_picture_that_never_changes(api):
    match = api.open()
    api.play(match.id, match.host, "M@c1", "S@c6")
    picture = api.get(f"/matches/{match.id}/board/2/1.svg")
    assert picture.headers["content-type"].startswith("image/svg+xml")
    assert "immutable" in picture.headers["cache-control"]
    for wrong in ("2/3.svg", "3/1.svg", "2/1.png", "2/x.svg"):
        assert api.get(f"/matches/{match.id}/board/{wrong}").status_code == 404, wrong


def test_legal_lists_the_moves_by_seat(api):
    match = api.open()
    body = api.get(f"/matches/{match.id}/legal").json()
    assert len(body["legal"]["1"]) == 15
    assert api.get(f"/matches/{match.id}/legal?seat=2").json()["legal"] == {}


def test_program_is_secret_until_both_are_in(api):
    match = api.open("pyramid-ball")
    secret = "S=FR.,M=..F,L=LLF,pass=2L"
    own = api.play(match.id, match.seats["1"], f"1:{secret}")
    assert own.status_code == 200
    assert secret in own.text
    paths = ["", "/events", "/legal", "/board/1/1.svg", "/board/1/0.svg"]
    for who in ({}, match.host, match.seats["2"]):
        for path in paths:
            seen = api.get(f"/matches/{match.id}{path}", headers=who)
            assert seen.status_code == 200
            assert "FR." not in seen.text
        assert "FR." not in api.get(f"/m/{match.id}", headers=who).text
    assert secret in api.get(f"/matches/{match.id}/events", headers=match.seats["1"]).text
    board = api.get(f"/matches/{match.id}/board/1/1.svg", headers=match.seats["1"])
    assert "immutable" not in board.headers["cache-control"]
    wrong = api.play(match.id, match.seats["2"], "2:S=FFF,M=FFF,L=FFF,pass=1L")
    assert wrong.status_code == 409
    assert "FR." not in wrong.text
    api.play(match.id, match.seats["2"], "2:S=...,M=...,L=...")
    assert secret in api.get(f"/matches/{match.id}/events").text


@pytest.mark.parametrize("path", ["/", "/healthz", "/nothing", "/static/../app.py"])
def test_every_answer_carries_the_security_headers(api, path):
    answer = api.get(path)
    assert answer.status_code in (200, 404)
    assert answer.headers["content-security-policy"].startswith("default-src 'self'")
    assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    "query", ["status=null", "status=", "status=Ended", "limit=+1", "limit=1_0"]
)
def test_query_refuses_other_spellings_of_a_value(api, query):
    answer = api.get(f"/matches?{query}")
    assert answer.status_code == 400
    assert answer.json()["path"] == query.partition("=")[0]
