"""Entering events: dry runs, repetitions, rolls, and clocks."""

from __future__ import annotations

import pytest

PROGRAM = "S=FR.,M=..F,L=LLF"
LONG = "9" * 5000


def tried(api, match, who, *tokens):
    body = {"events": [{"text": token} for token in tokens]}
    return api.post(f"/matches/{match.id}/events?dry_run=true", json=body, headers=who)


def test_dry_run_shows_consequences_and_stores_nothing(api):
    match = api.open()
    body = tried(api, match, match.host, "M@c1", "S@c6").json()
    assert (body["stored"], body["version"]) == (False, 0)
    assert [each["text"] for each in body["events"]] == ["M@c1", "S@c6"]
    assert body["events"][0]["effects"]
    assert body["awaiting"][0]["what"] == "launch"
    assert tried(api, match, match.host, "M@c6").json()["clause"] == "POP-2.1"
    assert api.get(f"/matches/{match.id}").json()["version"] == 0


def test_dry_run_keeps_sealed_moves_of_others_secret(api):
    match = api.open("pyramid-ball")
    api.play(match.id, match.seats["1"], f"1:{PROGRAM}")
    answer = tried(api, match, match.seats["2"], "2:S=...,M=...,L=...")
    body = answer.json()
    assert answer.status_code == 200
    assert (body["events"][0]["effects"], body["awaiting"], body["outcome"]) == (None, None, None)
    assert "FR." not in answer.text
    both = tried(api, match, match.seats["2"], "2:S=...,M=...,L=...", "2:take=S")
    assert both.status_code in (400, 409)
    assert "FR." not in both.text


def test_event_ids_make_retries_harmless(api):
    match = api.open()
    path = f"/matches/{match.id}/events"
    body = {"events": [{"text": "M@c1", "id": "a"}, {"text": "S@c6", "id": "b"}], "expected": 0}
    first = api.post(path, json=body, headers=match.host)
    api.play(match.id, match.host, "c1>L@c3")
    again = api.post(path, json=body, headers=match.host)
    assert (again.status_code, again.json()) == (200, first.json())
    others = {"events": [{"text": "L@a1", "id": "a"}, {"text": "S@c6", "id": "b"}]}
    assert api.post(path, json=others, headers=match.host).status_code == 409
    half = {"events": [{"text": "M@c1", "id": "x"}, {"text": "S@c6"}]}
    assert api.post(path, json=half, headers=match.host).json()["path"] == "$.events"
    assert api.get(f"/matches/{match.id}").json()["version"] == 3


PLACING = {"move": {"type": "place", "size": "M", "at": "c1"}}


def go_on(api, match, count):
    """Enter `count` events, the first legal ones, or a roll."""
    for _ in range(count):
        seats = api.get(f"/matches/{match.id}/legal").json()["legal"].values()
        tokens = [token for seat in seats for token in seat]
        token = "end" if "end" in tokens else next(iter(tokens), "roll")
        assert api.play(match.id, match.host, token).status_code == 200


def entered_once(api, match, event):
    headers = match.host | {"Idempotency-Key": "once"}
    return api.post(f"/matches/{match.id}/events", json={"events": [event]}, headers=headers)


@pytest.mark.parametrize("then", [(), ("S@c6",), ("2:resign",)])
def test_retry_without_seat_returns_the_first_answer(api, then):
    match = api.open()
    first = entered_once(api, match, PLACING)
    if then:
        api.play(match.id, match.host, *then)
    again = entered_once(api, match, PLACING)
    assert (again.status_code, again.json()) == (200, first.json())
    assert entered_once(api, match, {"text": "L@c1"}).status_code == 409


def test_dry_run_judges_under_a_used_key(api):
    match = api.open()
    first = entered_once(api, match, PLACING)
    path = f"/matches/{match.id}/events?dry_run=true"
    headers = match.host | {"Idempotency-Key": "once"}
    tried = api.post(path, json={"events": [PLACING]}, headers=headers)
    assert (first.status_code, tried.status_code) == (200, 409)
    assert tried.json()["seat"] == 2


@pytest.mark.parametrize("event", [{"roll": True}, {"text": "roll"}, {"text": "1:roll"}])
@pytest.mark.parametrize("count", [0, 1, 2, 3, 4, 5, 6, 7, 8])
def test_repeated_roll_has_same_result_at_any_ply(api, event, count):
    match = api.open("blockade", dice="service")
    first = entered_once(api, match, event)
    go_on(api, match, count)
    again = entered_once(api, match, event)
    assert (again.status_code, again.json()) == (200, first.json())
    assert entered_once(api, match, {"text": "end"}).status_code == 409
    api.play(match.id, match.host, "2:resign")
    assert entered_once(api, match, event).json() == first.json()


def test_service_rolls_by_committed_seed_and_reveals_it(api):
    match = api.open("blockade", dice="service")
    path = f"/matches/{match.id}"
    dice = api.get(path).json()["dice"]
    assert dice["by"] == "service"
    assert dice["seed"] is None
    by_hand = api.play(match.id, match.seats["1"], "roll=4,5")
    assert (by_hand.status_code, by_hand.json()["clause"]) == (409, "dice")
    rolled = api.post(f"{path}/events", json={"events": [{"roll": True}]}, headers=match.seats["1"])
    token = rolled.json()["events"][0]["text"]
    assert token.startswith("roll=")
    api.post(f"{path}/takeback", json={"ply": 0}, headers=match.host)
    again = api.play(match.id, match.seats["1"], "roll")
    assert again.json()["events"][0]["text"] == token
    assert tried(api, match, match.seats["2"], "roll").status_code == 409
    api.play(match.id, match.seats["2"], "2:resign")
    told = api.get(path).json()["dice"]
    assert (told["commitment"], len(told["seed"])) == (dice["commitment"], 64)
    verified = api.get(f"{path}/verify").json()
    assert (verified["ok"], verified["note"]) == (True, None)


def test_flag_is_judged_by_the_clock(api):
    match = api.open(clock={"total": 600, "increment": 5})
    api.play(match.id, match.host, "M@c1", "S@c6")
    clock = api.get(f"/matches/{match.id}").json()["clock"]
    assert [(seat["seat"], seat["running"]) for seat in clock["seats"]] == [(1, True), (2, False)]
    early = api.play(match.id, match.seats["2"], "2:flag")
    assert (early.status_code, early.json()["clause"]) == (409, "clock")
    assert "left" in early.json()["detail"]


@pytest.mark.parametrize(
    "clock", [{"increment": 5}, {"total": 0}, {"total": 1.5}, {"move": 10**9}, {"minutes": 5}, {}]
)
def test_invalid_clock_is_400(api, clock):
    answer = api.post("/matches", json={"game": "poptrix", "clock": clock})
    assert answer.status_code == 400, answer.text
    assert answer.json()["detail"]


def test_ndjson_has_an_event_a_line(api):
    match = api.open()
    api.play(match.id, match.host, "M@c1", "S@c6")
    headers = {"Accept": "application/x-ndjson"}
    answer = api.get(f"/matches/{match.id}/events?after=1", headers=headers)
    assert answer.headers["content-type"].startswith("application/x-ndjson")
    assert answer.text.count("\n") == 1
    assert '"S@c6"' in answer.text


def test_refused_batch_keeps_a_pick_secret(api):
    answers = set()
    for pick in "SML":
        match = api.open("pyramid-ball", options={"opening": "selection"})
        api.play(match.id, match.seats["1"], f"1:pick={pick}")
        for who in (match.seats["2"], match.host):
            tokens = [{"text": "2:pick=S"}, {"text": "nonsense"}]
            for path in ("events", "events?dry_run=true"):
                url = f"/matches/{match.id}/{path}"
                answer = api.post(url, json={"events": tokens}, headers=who)
                answers.add((answer.status_code, answer.text))
        assert api.get(f"/matches/{match.id}").json()["version"] == 1
    ((status, text),) = answers
    assert status == 409
    assert "opens sealed moves" in text


@pytest.mark.parametrize(
    "event",
    [
        f'{{"move": {LONG}, "seat": 1}}',
        f'{{"move": {{"type": "place", "size": {LONG}, "at": "c1"}}, "seat": 1}}',
        f'{{"text": "M@c1", "seat": {LONG}}}',
        f'{{"text": {LONG}}}',
    ],
)
def test_number_of_5000_digits_is_a_400(api, event):
    match, host, _ = api.open()
    headers = {**host, "Content-Type": "application/json"}
    body = f'{{"events": [{event}]}}'
    answer = api.post(f"/matches/{match}/events", content=body, headers=headers)
    assert answer.status_code == 400, answer.text
    assert api.get(f"/matches/{match}").json()["version"] == 0


def test_token_with_5000_digits_is_refused(api):
    match, host, _ = api.open()
    for token in (LONG, f"{LONG}:M@c1", f"M@c{LONG}", f"1:ruled=+{LONG}"):
        answer = api.play(match, host, token)
        assert 400 <= answer.status_code < 500, answer.text


def test_refusal_calls_players_by_their_names(api):
    match = api.open(players={"1": "Jet"})
    path, body = f"/matches/{match.id}", {"events": [{"text": "S@c6"}]}
    refused = api.client.post(f"{path}/events", json=body, headers=match.host).json()
    assert refused["detail"] == "c6 is not on the home row of Jet, row 1"
    assert refused["seat"] == 1
    hint = api.get(f"{path}/hints?prefix=S@c6").json()
    assert hint["message"] == refused["detail"]
    body = {"events": [{"text": "1:M@c1"}, {"text": "1:M@c1"}]}
    late = api.client.post(f"{path}/events", json=body, headers=match.host).json()
    assert late["detail"].startswith("it is not for Jet to move: seat 2 is to place")


@pytest.mark.parametrize("game", ["poptrix", "blockade", "pyramid-ball"])
def test_answer_has_legal_moves_on_request(api, game):
    match = api.open(game)
    path = f"/matches/{match.id}"
    first = api.get(f"{path}/legal").json()["legal"]
    token = next((tokens[0] for tokens in first.values() if tokens), "1:S=FR.,M=..F,L=LLF")
    body = {"events": [{"text": token}]}
    answer = api.post(f"{path}/events?legal=true", json=body, headers=match.host)
    assert answer.status_code == 200, answer.text
    assert answer.json()["legal"] == api.get(f"{path}/legal").json()["legal"]


def test_answer_has_no_legal_moves_unrequested(api):
    match = api.open()
    assert "legal" not in api.play(match.id, match.host, "M@c1").json()


def test_dry_run_refuses_legal_moves(api):
    match = api.open()
    path = f"/matches/{match.id}/events?legal=true&dry_run=true"
    answer = api.post(path, json={"events": [{"text": "M@c1"}]}, headers=match.host)
    assert (answer.status_code, answer.json()["path"]) == (400, "legal")


def test_refused_tries_are_counted_and_forfeit(api):
    match = api.open(tries=2, legal="withheld")
    path = f"/matches/{match.id}/events"
    body = {"events": [{"text": "M@c3"}]}
    retried = match.seats["1"] | {"Idempotency-Key": "once"}
    first, again = (api.post(path, json=body, headers=retried).json() for _ in "12")
    assert (first["clause"], first["tries_left"], first["version"]) == ("POP-2.1", 1, 1)
    assert again["tries_left"] == 1
    assert api.post(path, json=body, headers=match.seats["1"]).json()["tries_left"] == 0
    shown = api.get(f"/matches/{match.id}").json()
    assert (shown["outcome"], shown["version"]) == ({"winner": 2, "clause": "forfeited"}, 3)
    what = [each["what"] for each in api.get(path).json()["events"]]
    assert what == ["seat 1 tries M@c3, against POP-2.1"] * 2 + ["seat 1 forfeits"]


def test_withheld_moves_appear_in_no_answer(api):
    match = api.open(legal="withheld")
    path, who = f"/matches/{match.id}", match.seats["1"]
    assert tried(api, match, who, "M@c1").json()["code"] == "hidden"
    assert api.get(f"{path}/legal?all=true", headers=who).json()["legal"] == {"1": []}
    assert api.get(f"{path}/hints?picks=M,c1", headers=who).json()["verdict"] == "illegal"
    assert api.get(f"{path}/hints?prefix=M@c", headers=who).json()["verdict"] == "incomplete"
    assert api.get(f"{path}/gap?to=x", headers=who).status_code == 409
    refused = api.post(f"{path}/events", json={"events": [{"text": "M@c3"}]}, headers=who)
    assert refused.json()["legal"] == []
    page = api.get(f"/m/{match.id}", headers=who | {"Accept": "text/html"}).text
    assert "L@a1" not in page


def test_refused_corrections_do_not_count_as_tries(api):
    match = api.open(tries=2)
    api.play(match.id, match.host, "M@c1")
    body = {"ply": 1, "how": "replaced", "texts": ["M@c3"]}
    answer = api.post(f"/matches/{match.id}/amendments", json=body, headers=match.host)
    assert (answer.status_code, answer.json()["clause"]) == (409, "POP-2.1")
    assert api.get(f"/matches/{match.id}").json()["version"] == 1


def test_seat_may_stand_beside_the_token(api):
    match = api.open()
    body, path = {"events": [{"text": "resign", "seat": 1}]}, f"/matches/{match.id}/events"
    assert api.post(path, json=body, headers=match.seats["2"]).status_code == 403
    done = api.post(path, json=body, headers=match.host)
    assert (done.status_code, done.json()["events"][0]["seat"]) == (200, 1), done.text
