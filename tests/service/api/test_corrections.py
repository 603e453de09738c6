"""Corrections: take back, amend, adjust, rule; expected versions and retries."""

from __future__ import annotations

from typing import Any

import pytest

MOVES = ("M@c1", "S@c6", "c1>L@c3", "c6>M@c4")
SET = "1ls2/5/2M2/2L2/5/2M2 5S3M4L 4s5m4l 2 6"


@pytest.fixture
def match(api: Any) -> Any:
    opened = api.open()
    api.play(opened.id, opened.host, *MOVES)
    return opened


def send(api: Any, match: Any, what: str, who: dict[str, str], **body: Any) -> Any:
    return api.post(f"/matches/{match.id}/{what}", json=body, headers=who)


def line(api: Any, match: Any) -> list[str]:
    events = api.get(f"/matches/{match.id}/events").json()["events"]
    return [each["text"] for each in events if each["text"] and each["stands"]]


def test_host_takes_back_at_once(api, match):
    answer = send(api, match, "takeback", match.host, ply=2)
    assert answer.status_code == 200, answer.text
    assert (answer.json()["plies"], answer.json()["version"]) == (2, 5)
    assert answer.headers["etag"] == '"5"'
    assert line(api, match) == ["M@c1", "S@c6"]


def test_seat_asks_for_takeback_and_another_grants_it(api, match):
    asked = send(api, match, "takeback", match.seats["1"], ply=3).json()
    assert (asked["plies"], asked["asked"], asked["asked_by"]) == (4, 3, 1)
    own = send(api, match, "takeback/answer", match.seats["1"], grant=True)
    assert (own.status_code, own.json()["clause"]) == (409, "turn")
    granted = send(api, match, "takeback/answer", match.seats["2"], grant=True).json()
    assert (granted["plies"], granted["asked"]) == (3, None)
    log = api.get(f"/matches/{match.id}/events").json()["events"]
    assert [each["actor"] for each in log[4:]] == ["seat 1", "seat 2"]


def test_redo_enters_taken_back_events_until_new_event(api, match):
    send(api, match, "takeback", match.host, ply=2)
    again = send(api, match, "redo", match.host)
    assert again.status_code == 200, again.text
    assert again.json()["plies"] == 3
    assert send(api, match, "redo", match.host, expected=6).json()["plies"] == 4
    assert line(api, match) == list(MOVES)
    assert send(api, match, "redo", match.host).status_code == 409
    send(api, match, "takeback", match.host, ply=2)
    api.play(match.id, match.host, "c1>L@c2")
    assert "another event was entered" in send(api, match, "redo", match.host).json()["detail"]


def test_repeated_redo_enters_one_event(api, match):
    send(api, match, "takeback", match.host, ply=2)
    headers = match.host | {"Idempotency-Key": "again"}
    answers = [send(api, match, "redo", headers) for _ in range(2)]
    assert [each.json()["plies"] for each in answers] == [3, 3]
    assert answers[0].json()["version"] == answers[1].json()["version"]


def test_seat_redoes_only_its_own_events(api, match):
    send(api, match, "takeback", match.host, ply=3)
    refused = send(api, match, "redo", match.seats["1"])
    assert (refused.status_code, refused.json()["clause"]) == (409, "turn")
    assert send(api, match, "redo", match.seats["2"]).json()["plies"] == 4


def test_declined_takeback_changes_nothing_and_is_final(api, match):
    send(api, match, "takeback", match.seats["2"], ply=0)
    declined = send(api, match, "takeback/answer", match.seats["1"], grant=False).json()
    assert (declined["plies"], declined["asked"]) == (4, None)
    again = send(api, match, "takeback/answer", match.seats["1"], grant=True)
    assert (again.status_code, again.json()["detail"]) == (
        409,
        "no seat has asked for a take-back",
    )


def test_host_answers_takeback_for_the_opponent(api, match):
    send(api, match, "takeback", match.seats["1"], ply=3)
    assert send(api, match, "takeback/answer", match.host, grant=True, seat=1).status_code == 409
    assert send(api, match, "takeback/answer", match.host, grant=True).json()["plies"] == 3


def test_seat_answers_only_for_itself(api, match):
    send(api, match, "takeback", match.seats["1"], ply=3)
    wrong = send(api, match, "takeback/answer", match.seats["2"], grant=True, seat=1)
    assert (wrong.status_code, wrong.json()["path"]) == (403, "$.seat")


def test_amendment_counts_kept_and_dropped_events(api, match):
    send(api, match, "takeback", match.host, ply=2)
    api.play(match.id, match.host, "c1>L@c3", "c6>L@b6", "c3>M@c4")
    asked: dict[str, Any] = {"ply": 3, "how": "replaced", "texts": ["c1>L@c2"]}
    path = f"/matches/{match.id}/amendments"
    tried = api.post(f"{path}?dry_run=true", json=asked, headers=match.host).json()
    assert (tried["stored"], tried["version"], tried["stood"], tried["fell"]) == (False, 8, 1, 1)
    assert (tried["was"], tried["texts"]) == ("c1>L@c3", ["c1>L@c2"])
    first = tried["first"]
    assert (first["ply"], first["text"], first["clause"]) == (5, "c3>M@c4", "POP-3.1")
    assert first["words"].startswith("The launcher")
    assert "c1>L@a1" in first["legal"]
    done = api.post(path, json=asked, headers=match.host).json()
    differing = {"stored": True, "version": 9, "plies": 4}
    assert done == tried | differing
    assert line(api, match) == ["M@c1", "S@c6", "c6>L@b6"]


def test_forgotten_round_is_inserted_once(api, match):
    body = {"ply": 3, "how": "inserted", "texts": ["c1>S@a1", "c6>L@b6"], "expected": 4}
    headers = match.host | {"Idempotency-Key": "round"}
    path = f"/matches/{match.id}/amendments"
    tried = api.post(f"{path}?dry_run=true", json=body, headers=match.host).json()
    assert (tried["texts"], tried["stood"], tried["version"]) == (body["texts"], 2, 4)
    done = api.post(path, json=body, headers=headers).json()
    assert (done["stored"], done["version"], done["plies"]) == (True, 6, 6)
    assert api.post(path, json=body, headers=headers).json() == done
    other = body | {"texts": ["c1>S@a1", "c6>L@a6"]}
    assert api.post(path, json=other, headers=headers).status_code == 409
    refused = api.post(path, json=body | {"texts": ["M@c1"], "expected": 6}, headers=match.host)
    assert (refused.status_code, refused.json()["clause"]) == (409, "POP-2.2")
    board = api.get(f"/matches/{match.id}", headers=match.host).json()
    assert (board["plies"], board["version"]) == (6, 6)


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"ply": 1, "how": "replaced"}, 400),
        ({"ply": 1, "how": "deleted", "texts": ["M@c1"]}, 400),
        ({"ply": 1, "how": "swapped", "texts": ["M@c1"]}, 400),
        ({"ply": 9, "how": "deleted"}, 404),
        ({"ply": 0, "how": "inserted", "texts": ["M@c1"]}, 404),
        ({"ply": 1, "how": "replaced", "texts": ["c1>L@c3"]}, 409),
        ({"ply": 1, "how": "replaced", "texts": ["chess"]}, 409),
    ],
)
@pytest.mark.parametrize("query", ["", "?dry_run=true"])
def test_impossible_amendment_changes_nothing(api, match, body, status, query):
    path = f"/matches/{match.id}/amendments{query}"
    assert api.post(path, json=body, headers=match.host).status_code == status
    assert api.get(f"/matches/{match.id}").json()["version"] == 4


@pytest.mark.parametrize("query", ["", "?dry_run=true"])
def test_amendment_under_an_invalid_key_is_refused(api, match, query):
    path = f"/matches/{match.id}/amendments{query}"
    keyed = match.host | {"Idempotency-Key": "two words"}
    refused = api.post(path, json={"ply": 3, "how": "deleted"}, headers=keyed)
    assert (refused.status_code, refused.json()["path"]) == (400, "Idempotency-Key")


def test_position_is_written_and_set(api, match):
    text = api.get(f"/matches/{match.id}/position?ply=2").json()
    assert (text["ply"], text["version"]) == (2, 4)
    body = {"position": SET, "reason": "the cat"}
    done = send(api, match, "adjustments", match.host, **body)
    assert done.status_code == 200, done.text
    assert api.get(f"/matches/{match.id}/position").json()["position"] == SET
    assert api.get(f"/matches/{match.id}/position?ply=2").json()["position"] == text["position"]
    assert api.get(f"/matches/{match.id}/position?version=2").json()["ply"] == 2
    wrong = send(api, match, "adjustments", match.host, position="x", reason="the dog")
    assert (wrong.status_code, wrong.json()["clause"]) == (409, "form")
    assert send(api, match, "adjustments", match.host, position=SET, reason="").status_code == 400


def test_players_and_host_find_a_forgotten_move(api, match):
    there = api.get(f"/matches/{match.id}/position").json()["position"]
    path = f"/matches/{match.id}/gap"
    asked = {"ply": 2, "to": there}
    found = api.get(path, params=asked, headers=match.seats["1"])
    assert found.status_code == 200, found.text
    assert ["c1>L@c3", "c6>M@c4"] in [way["texts"] for way in found.json()["ways"]]
    assert (found.json()["ply"], found.json()["stopped"]) == (2, None)
    assert api.get(path, params=asked).status_code == 401
    for wrong in ({}, {"to": "nonsense"}, {"to": "x" * 2001}):
        assert api.get(path, params=wrong, headers=match.host).status_code == 400
    assert api.get(path, params=asked | {"ply": 9}, headers=match.host).status_code == 404


def test_sealed_program_prevents_corrections_and_stays_secret(api):
    match = api.open("pyramid-ball")
    secret = "S=FR.,M=..F,L=LLF,pass=2L"
    api.play(match.id, match.seats["1"], f"1:{secret}")
    assert api.get(f"/matches/{match.id}/position").status_code == 400
    for what, body in (
        ("amendments", {"ply": 1, "how": "deleted"}),
        ("adjustments", {"position": secret, "reason": "the cat"}),
        ("forks", {"ply": 1}),
    ):
        answer = send(api, match, what, match.host, **body)
        assert answer.status_code == 409, what
        assert "FR." not in answer.text


def test_ruling_ends_the_match(api, match):
    done = send(api, match, "rulings", match.host, result="won", winner=2, reason="time").json()
    assert done["outcome"] == {"winner": 2, "clause": "ruled"}
    again = send(api, match, "rulings", match.host, result="drawn")
    assert (again.status_code, again.json()["clause"]) == (409, "over")
    other = api.open()
    for wrong in ({"result": "won"}, {"result": "drawn", "winner": 1}):
        assert send(api, other, "rulings", other.host, **wrong).status_code == 409
    assert send(api, other, "rulings", other.host, result="lost").status_code == 400


EDITS: list[tuple[str, dict[str, Any]]] = [
    ("takeback", {"ply": 2}),
    ("amendments", {"ply": 4, "how": "deleted"}),
    ("adjustments", {"position": SET, "reason": "the cat"}),
    ("rulings", {"result": "drawn"}),
]


@pytest.mark.parametrize(("what", "body"), EDITS)
def test_stale_correction_gets_the_missed_events(api, match, what, body):
    stale = send(api, match, what, match.host, **body, expected=3)
    assert stale.status_code == 412
    assert [event["text"] for event in stale.json()["missed"]] == ["c6>M@c4"]
    headers = match.host | {"If-Match": '"3"'}
    assert send(api, match, what, headers, **body).status_code == 412
    assert send(api, match, what, match.host, **body, expected=4).status_code == 200


@pytest.mark.parametrize(("what", "body"), EDITS)
def test_repeated_correction_gets_its_first_answer(api, match, what, body):
    key = match.host | {"Idempotency-Key": "a-phone-on-bad-wifi"}
    first = send(api, match, what, key, **body, expected=4)
    assert first.status_code == 200, first.text
    if what == "takeback":
        api.play(match.id, match.host, "c1>S@c2")
    again = send(api, match, what, key, **body, expected=4)
    assert (again.status_code, again.json()) == (200, first.json())
    other = "rulings" if what == "takeback" else "takeback"
    mixed = send(api, match, other, key, **dict(EDITS)[other])
    assert mixed.status_code == 409
    assert "belong to other events" in mixed.json()["detail"]


def test_repeated_ruling_returns_the_same_seed(api):
    match = api.open("blockade", dice="service")
    key = match.host | {"Idempotency-Key": "once"}
    first = send(api, match, "rulings", key, result="drawn")
    assert first.json()["dice"]["seed"]
    assert send(api, match, "rulings", key, result="drawn").json() == first.json()


def test_takeback_refuses_bad_header_or_ply(api, match):
    bad = match.host | {"If-Match": "4"}
    assert send(api, match, "takeback", bad, ply=2).status_code == 400
    assert send(api, match, "takeback", match.host, ply=4).status_code == 409
    assert send(api, match, "takeback", match.host, ply=9).status_code == 409


STOOD = {"text": "c3xc6", "stood": True}


def enter(api: Any, match: Any, who: dict[str, str], *events: dict[str, Any], **more: Any) -> Any:
    return api.post(f"/matches/{match.id}/events", json={"events": events}, headers=who, **more)


def test_host_records_stood_move_with_its_position(api, match):
    proposed = enter(api, match, match.host, STOOD | {"position": SET}, params={"dry_run": True})
    assert (proposed.status_code, proposed.json()["position"]) == (200, SET)
    done = enter(api, match, match.host, STOOD | {"position": SET}).json()
    [entry] = done["events"]
    assert (entry["type"], entry["effects"][0]["clause"]) == ("stood", "POP-4.0")
    assert entry["words"] == "seat 1 played c3xc6 against POP-4.0, and it stood"
    assert api.get(f"/matches/{match.id}/position").json()["position"] == SET
    # A token of the log can be entered again.
    send(api, match, "takeback", match.host, ply=4)
    assert api.play(match.id, match.host, entry["text"]).status_code == 200
    assert api.get(f"/matches/{match.id}/verify").json()["ok"]


def test_dry_run_proposes_position_of_stood_move(api, match):
    tried = enter(api, match, match.host, STOOD | {"text": "c1>M@c2"}, params={"dry_run": True})
    assert tried.status_code == 200
    assert tried.json()["position"].split("/")[4] == "2M2"
    assert tried.json()["events"][0]["words"].startswith("seat 1 played c1>M@c2 against POP-2.3")
    assert len(line(api, match)) == len(MOVES)


def test_seat_cannot_record_that_its_move_stood(api, match):
    for event in (STOOD, {"text": "1:stood=c3xc6"}, {"text": "stood=c3xc6"}):
        refused = enter(api, match, match.seats["1"], event)
        assert (refused.status_code, refused.json()["path"]) == (403, "$.events[0]")
    assert len(line(api, match)) == len(MOVES)


@pytest.mark.parametrize(
    ("event", "status", "words"),
    [
        ({"text": "c3xc4", "position": SET}, 400, "give a position only with stood"),
        ({"roll": True, "stood": True}, 400, "with stood, give the move as text"),
        ({"text": "c3xc4", "stood": True}, 409, "this move breaks no rule"),
        (STOOD | {"position": "x"}, 409, "this position is invalid, column 2"),
        (STOOD | {"text": "1:c3xc6", "seat": 2}, 400, "the text is of seat 1; leave out seat"),
    ],
)
def test_wrong_report_of_stood_move_is_refused(api, match, event, status, words):
    refused = enter(api, match, match.host, event)
    assert (refused.status_code, words in refused.text) == (status, True), refused.text


def test_amendment_takes_a_move_that_stood(api, match):
    token = f"2:stood=c6>S@c5_{SET.replace(' ', '_')}"
    done = send(api, match, "amendments", match.host, ply=4, how="replaced", texts=[token])
    assert (done.status_code, done.json()["texts"]) == (200, [token])


def test_stood_move_is_refused_while_moves_are_sealed(api):
    match = api.open("pyramid-ball")
    api.play(match.id, match.host, "1:S=...,M=...,L=...")
    wrong = {"text": "2:pick=M", "stood": True}
    assert enter(api, match, match.host, wrong).json()["clause"] == "sealed"
    secret = {"text": "2:S=...,M=...,L=...", "stood": True}
    assert enter(api, match, match.host, secret).json()["clause"] == "sealed"


@pytest.mark.parametrize("given", [None, "2s2/2s2/5/2L2/5/2M2 5S3M4L 3s5m5l 1 5"])
def test_answer_names_the_ply_that_sets_the_board(api, given):
    match = api.open()
    api.play(match.id, match.host, "M@c1", "S@c6", "c1>L@c3")
    entry = {"text": "c6>S@c5", "seat": 2, "stood": True}
    entry |= {"position": given} if given else {}
    entered = send(api, match, "events", match.host, events=[entry])
    assert entered.status_code == 200, entered.text
    change = {"ply": 3, "how": "replaced", "texts": ["c1>L@c2"]}
    for query in ("?dry_run=true", ""):
        done = send(api, match, f"amendments{query}", match.host, **change)
        assert (done.status_code, done.json()["sets"]) == (200, 4 if given else None), done.text
    board = api.get(f"/matches/{match.id}/position").json()["position"]
    assert board.startswith("2s2/2s2/5/2L2/5" if given else "2s2/2s2/5/5/2L2")
