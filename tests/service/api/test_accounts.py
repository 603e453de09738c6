"""Accounts over HTTP: an operator keeps them, a host seats them, and they play."""

from __future__ import annotations

import time

import pytest

from replay.access import accounts, operators
from replay.access.capability_tokens import token_name
from tests.service.conftest import bearer


@pytest.fixture(scope="module")
def operator(shared):
    return bearer(operators.issue(shared.book))


@pytest.fixture
def bob(emptied):
    """The headers of an account's token that plays."""
    yield bearer(accounts.add(emptied.book, "bob"))
    emptied.client.delete("/accounts/bob", headers=bearer(operators.issue(emptied.book)))


def seat(api, match, account, number, who=None):
    url = f"/matches/{match.id}/accounts/{account}"
    body = {"role": "seat", "seat": number}
    return api.client.put(url, json=body, headers=who or match.host)


def test_operator_manages_accounts(emptied, operator):
    api = emptied
    added = api.post("/accounts", json={"name": "ann"}, headers=operator)
    assert (added.status_code, added.headers["cache-control"]) == (201, "no-store")
    first = added.json()
    assert first["id"] == token_name(first["token"])
    again = api.post("/accounts", json={"name": "ann"}, headers=operator)
    assert (again.status_code, again.json()["code"]) == (409, "conflict")
    later = time.time_ns() // 1_000_000 + 60_000
    body = {"scopes": ["read"], "expires": later}
    second = api.post("/accounts/ann/tokens", json=body, headers=operator).json()
    (listed,) = api.get("/accounts", headers=operator).json()["accounts"]
    found = {each["id"]: (each["scopes"], each["expires"]) for each in listed["tokens"]}
    assert found == {first["id"]: (["play", "read"], None), second["id"]: (["read"], later)}
    gone = api.client.delete(f"/accounts/ann/tokens/{first['id']}", headers=operator)
    assert gone.status_code == 200
    assert api.get("/account/matches", headers=bearer(first["token"])).status_code == 401
    assert api.get("/account/matches", headers=bearer(second["token"])).status_code == 200
    assert api.client.delete("/accounts/ann", headers=operator).json() == {"account": "ann"}
    assert api.get("/account/matches", headers=bearer(second["token"])).status_code == 401
    assert api.client.delete("/accounts/ann", headers=operator).status_code == 404


def test_accounts_are_listed_in_pages(emptied, operator):
    for name in ("c", "a", "b"):
        accounts.add(emptied.book, name)
    page = emptied.get("/accounts?limit=2", headers=operator).json()
    assert [each["account"] for each in page["accounts"]] == ["a", "b"]
    rest = emptied.get(f"/accounts?limit=2&after={page['next']}", headers=operator).json()
    assert ([each["account"] for each in rest["accounts"]], rest["next"]) == (["c"], None)
    for name in "abc":
        emptied.client.delete(f"/accounts/{name}", headers=operator)


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({}, "$.name"),
        ({"name": "Bob"}, "$.name"),
        ({"name": "eve", "scopes": []}, "$.scopes"),
        ({"name": "eve", "scopes": ["admin"]}, "$.scopes[0]"),
        ({"name": "eve", "expires": 5}, "$.expires"),
    ],
)
def test_wrong_account_is_refused(api, operator, body, path):
    answer = api.post("/accounts", json=body, headers=operator)
    assert (answer.status_code, answer.json()["path"]) == (400, path)


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/accounts"),
        ("GET", "/accounts"),
        ("DELETE", "/accounts/bob"),
        ("POST", "/accounts/bob/tokens"),
        ("DELETE", "/accounts/bob/tokens/x"),
    ],
)
def test_only_an_operator_manages_accounts(api, bob, method, path):
    for who, status in (({}, 401), (bearer("x" * 32), 401), (bob, 403), (api.open().host, 403)):
        answer = api.client.request(method, path, headers=who, json={"name": "bob"})
        assert answer.status_code == status
    assert accounts.find(api.book, "bob")


def test_seated_account_plays_with_its_token(api, bob):
    match = api.open(visibility="private")
    assert api.get(f"/matches/{match.id}", headers=bob).status_code == 401
    assert api.play(match.id, bob, "M@c1").status_code == 401
    invited = seat(api, match, "bob", 1)
    assert invited.json() == seat(api, match, "bob", 1).json()
    assert invited.json() | {"id": ""} == {"id": "", "role": "seat", "seat": 1, "account": "bob"}
    assert api.play(match.id, bob, "M@c1").status_code == 200
    assert api.play(match.id, bob, "2:S@c6").status_code == 403
    state = api.get(f"/matches/{match.id}", headers=bob).json()
    assert (state["you"], state["players"]) == ({"role": "seat", "seat": 1}, {"1": "bob"})
    keys = api.get(f"/matches/{match.id}/invitations", headers=match.host).json()["keys"]
    assert [key["seat"] for key in keys if key.get("account") == "bob"] == [1]
    assert [key["seat"] for key in keys if "account" not in key] == [None, 1, 2]
    assert api.play(match.id, match.seats["2"], "S@c6").status_code == 200
    url = f"/matches/{match.id}/invitations/{invited.json()['id']}"
    assert api.client.delete(url, headers=match.host).json()["account"] == "bob"
    assert api.play(match.id, bob, "c1>L@c3").status_code == 401


def test_account_without_a_seat_is_refused(api, bob):
    match = api.open()
    answer = api.play(match.id, bob, "M@c1")
    assert (answer.status_code, "no seat" in answer.json()["detail"]) == (403, True)


def test_reading_token_changes_nothing(api, bob):
    reading = bearer(accounts.issue(api.book, "bob", ["read"]))
    match = api.open(visibility="private")
    seat(api, match, "bob", 1)
    assert api.get(f"/matches/{match.id}", headers=reading).json()["you"]["role"] == "viewer"
    assert api.play(match.id, reading, "M@c1").status_code == 403
    opened = api.post("/matches", json={"game": "poptrix"}, headers=reading)
    assert (opened.status_code, opened.json()["code"]) == (403, "forbidden")


def test_expired_token_enters_nothing(api, bob, monkeypatch):
    now = api.book.now()
    short = bearer(accounts.issue(api.book, "bob", expires=now + 60_000))
    match = api.open()
    seat(api, match, "bob", 1)
    assert api.play(match.id, short, "M@c1").status_code == 200
    monkeypatch.setattr(api.book, "now", lambda: now + 60_000)
    assert api.play(match.id, match.seats["2"], "S@c6").status_code == 200
    assert api.play(match.id, short, "c1>L@c3").status_code == 401
    assert api.play(match.id, bob, "c1>L@c3").status_code == 200


def test_account_takes_only_one_seat_per_match(api, bob):
    match = api.open()
    assert seat(api, match, "bob", 1).status_code == 200
    for account, number, status in (("bob", 2, 409), ("eve", 2, 404), ("Bob!", 2, 404)):
        assert seat(api, match, account, number).status_code == status
    other = api.open()
    assert seat(api, other, "bob", 3).json()["path"] == "$.seat"
    assert seat(api, other, "bob", 1, other.seats["1"]).status_code == 403


def test_account_is_host_of_matches_it_opens(api, bob):
    opened = api.post("/matches", json={"game": "poptrix"}, headers=bob).json()["match"]
    mine = api.get("/matches?mine=true", headers=bob).json()["matches"]
    assert [each["match"] for each in mine] == [opened]
    other = bearer(accounts.issue(api.book, "bob"))
    assert api.play(opened, other, "M@c1").status_code == 200
    assert api.get(f"/matches/{opened}", headers=other).json()["you"]["role"] == "host"


def test_account_lists_its_matches(api, bob):
    first, second = api.open(), api.open(visibility="private")
    for match, number in ((first, 1), (second, 2)):
        seat(api, match, "bob", number)
    api.play(first.id, first.host, "1:resign")
    found = api.get("/account/matches", headers=bob).json()
    assert found["account"] == "bob"
    assert [(each["match"], each["seat"], each["awaited"]) for each in found["matches"]] == [
        (second.id, 2, False),
        (first.id, 1, False),
    ]
    ended = api.get("/account/matches?status=ended", headers=bob).json()["matches"]
    assert [each["match"] for each in ended] == [first.id]
    page = api.get("/account/matches?limit=1", headers=bob).json()
    rest = api.get(f"/account/matches?limit=1&cursor={page['next']}", headers=bob).json()
    assert [each["match"] for each in rest["matches"]] == [first.id]
    api.play(second.id, second.host, "M@c1")
    assert api.get("/account/matches?status=open", headers=bob).json()["matches"][0]["awaited"]


@pytest.mark.parametrize("path", ["/account/matches", "/account/stream"])
def test_account_routes_need_an_account(api, path):
    match = api.open()
    assert api.get(path).json()["code"] == "token-required"
    assert api.get(path, headers=bearer("x" * 32)).json()["code"] == "unknown-token"
    assert api.get(path, headers=match.host).json()["code"] == "forbidden"


def test_rematch_keeps_the_accounts(api, bob):
    match = api.open()
    seat(api, match, "bob", 1)
    api.play(match.id, match.host, "1:resign")
    rematch = api.post(f"/matches/{match.id}/rematch", json={"swap": True}, headers=bob).json()
    assert api.get(f"/matches/{rematch['match']}", headers=bob).json()["you"]["seat"] == 2


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/matches/{}/restore"),
        ("DELETE", "/account/matches/{}"),
        ("POST", "/account/invitations/{}"),
        ("DELETE", "/account/invitations/{}"),
    ],
)
def test_account_cannot_tell_a_match_in_the_trash_from_none(api, bob, method, path):
    match = api.open("poptrix", visibility="private")
    assert api.client.delete(f"/matches/{match.id}", headers=match.host).status_code == 200
    answers = [
        api.client.request(method, path.format(place), headers=bob)
        for place in (match.id, "zzzzzzzzzzzz")
    ]
    assert [answer.status_code for answer in answers] == [404, 404]
    assert answers[0].text == answers[1].text
