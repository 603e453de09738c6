"""Challenges over HTTP: offered, listed, accepted, declined."""

from __future__ import annotations

import pytest

from replay.access import accounts
from replay.referee.account_seats import remove_account
from tests.service.conftest import bearer

OFFER = {"game": "poptrix", "seat": 1, "clock": {"total": 600}}


@pytest.fixture
def people(emptied):
    yield [bearer(accounts.add(emptied.book, name)) for name in ("ann", "bob")]
    for name in ("ann", "bob"):
        remove_account(emptied.book, name)


def test_accepted_challenge_is_played_by_both(api, people):
    ann, bob = people
    offered = api.post("/challenges", json=OFFER | {"to": "bob"}, headers=ann)
    assert offered.status_code == 201
    listed = api.get("/challenges", headers=bob).json()["challenges"]
    assert listed == [offered.json()]
    assert (listed[0]["account"], listed[0]["game"]) == ("ann", "poptrix")
    url = f"/challenges/{listed[0]['challenge']}"
    reading = bearer(accounts.issue(api.book, "bob", ["read"]))
    assert api.post(f"{url}/accept", headers=reading).status_code == 403
    accepted = api.post(f"{url}/accept", headers=bob).json()
    assert accepted["seat"] == 2
    assert api.play(accepted["match"], ann, "M@c1").status_code == 200
    assert api.play(accepted["match"], bob, "S@c6").status_code == 200
    assert api.post(f"{url}/accept", headers=bob).status_code == 404
    assert api.get("/challenges", headers=ann).json() == {"challenges": []}


def test_challenge_is_declined_or_withdrawn(api, people):
    for body, statuses in ((OFFER | {"to": "bob"}, [200, 404]), (OFFER, [409, 200])):
        made = api.post("/challenges", json=body, headers=people[0]).json()
        url = f"/challenges/{made['challenge']}"
        gone = [api.client.delete(url, headers=who).status_code for who in people[::-1]]
        assert gone == statuses


@pytest.mark.parametrize(
    ("body", "status", "path"),
    [
        ({}, 400, "$.game"),
        ({"game": "nothing"}, 400, "$"),
        (OFFER | {"seat": 3}, 400, "$.seat"),
        (OFFER | {"to": "Bob!"}, 400, "$.to"),
        (OFFER | {"to": "eve"}, 404, None),
        (OFFER | {"to": "ann"}, 409, None),
    ],
)
def test_wrong_challenge_stores_nothing(api, people, body, status, path):
    answer = api.post("/challenges", json=body, headers=people[0])
    assert (answer.status_code, answer.json().get("path")) == (status, path)
    assert api.get("/challenges", headers=people[0]).json() == {"challenges": []}


def test_account_leaves_a_match(api, people):
    ann, bob = people
    match = api.open()
    api.client.put(
        f"/matches/{match.id}/accounts/ann", json={"role": "seat", "seat": 1}, headers=match.host
    )
    url = f"/account/matches/{match.id}"
    assert api.client.delete(url, headers=bob).status_code == 404
    reading = bearer(accounts.issue(api.book, "ann", ["read"]))
    assert api.client.delete(url, headers=reading).status_code == 403
    assert api.client.delete(url, headers=ann).json()["seat"] == 1
    assert api.play(match.id, ann, "M@c1").status_code == 403
    assert api.get("/account/matches", headers=ann).json()["matches"] == []
    assert api.client.delete(url, headers=ann).status_code == 404


def test_player_without_a_host_resigns_first(api, people):
    ann, bob = people
    made = api.post("/challenges", json=OFFER, headers=ann).json()
    match = api.post(f"/challenges/{made['challenge']}/accept", headers=bob).json()["match"]
    url = f"/account/matches/{match}"
    assert "resign it first" in api.client.delete(url, headers=bob).json()["detail"]
    api.play(match, bob, "2:resign")
    assert api.client.delete(url, headers=bob).status_code == 200
