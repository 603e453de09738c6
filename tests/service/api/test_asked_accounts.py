"""An account that asks is in no match before it says yes; any account may leave any match."""

from __future__ import annotations

import pytest

from replay.access import accounts, operators
from tests.service.conftest import bearer
from tests.service.live_service import live_service

ROLES = [{"role": "seat", "seat": 2}, {"role": "viewer"}, {"role": "host"}]


@pytest.fixture
def bob(emptied):
    headers = bearer(accounts.add(emptied.book, "bob"))
    told = emptied.client.patch("/account", json={"accept": "ask"}, headers=headers)
    assert (told.status_code, told.json()) == (200, {"account": "bob", "accept": "ask"})
    yield headers
    emptied.client.delete("/accounts/bob", headers=bearer(operators.issue(emptied.book)))


def put(api, match, body, account="bob"):
    url = f"/matches/{match.id}/accounts/{account}"
    return api.client.put(url, json=body, headers=match.host)


def waiting(api, who):
    told = api.get("/account/invitations", headers=who).json()
    return [(each["match"], each["role"], each["seat"]) for each in told["invitations"]]


def seen(api, who, match):
    """Return where an account finds a match."""
    lists = {
        path: api.get(path, headers=who).text
        for path in ("/account/matches", "/matches", "/archive", "/changes")
    }
    return {path for path, text in lists.items() if match.id in text}


@pytest.mark.parametrize("body", ROLES, ids=lambda body: body["role"])
def test_nothing_of_a_match_is_an_accounts_before_its_yes(emptied, bob, body):
    api, match = emptied, emptied.open(visibility="private")
    for _ in range(2):
        asked = put(api, match, body)
        assert (asked.status_code, asked.json()["pending"]) == (202, True)
    assert seen(api, bob, match) == set()
    assert api.get(f"/matches/{match.id}", headers=bob).status_code == 401
    assert api.play(match.id, bob, "M@c1").status_code in (401, 403)
    assert api.get(f"/matches/{match.id}", headers=match.host).json()["players"] == {}
    assert waiting(api, bob) == [(match.id, body["role"], body.get("seat"))]
    yes = api.post(f"/account/invitations/{match.id}", headers=bob)
    assert (yes.status_code, yes.json()["role"]) == (200, body["role"])
    assert waiting(api, bob) == []
    assert {"/account/matches", "/archive"} <= seen(api, bob, match)
    named = api.get(f"/matches/{match.id}", headers=bob).json()["players"]
    assert named == ({"2": "bob"} if body["role"] == "seat" else {})
    assert put(api, match, body).status_code == 200
    assert api.client.delete(f"/account/matches/{match.id}", headers=bob).status_code == 200
    assert seen(api, bob, match) == set()


def test_account_says_no_and_the_host_takes_back(emptied, bob):
    api, match = emptied, emptied.open()
    asked = put(api, match, ROLES[0]).json()
    keys = api.get(f"/matches/{match.id}/invitations", headers=match.host).json()["keys"]
    assert asked in keys
    url = f"/account/invitations/{match.id}"
    assert api.client.delete(url, headers=bob).json()["seat"] == 2
    late = [api.client.request(how, url, headers=bob).status_code for how in ("POST", "DELETE")]
    assert late == [404, 404]
    again = put(api, match, ROLES[0]).json()
    revoke = f"/matches/{match.id}/invitations/{again['id']}"
    assert api.client.delete(revoke, headers=match.host).json()["pending"] is True
    assert waiting(api, bob) == []


def test_another_role_is_a_conflict_while_the_account_is_asked(emptied, bob):
    match = emptied.open()
    assert put(emptied, match, ROLES[0]).status_code == 202
    assert put(emptied, match, ROLES[1]).status_code == 409


def test_host_that_is_only_asked_is_no_host(emptied, bob):
    api, match = emptied, emptied.open()
    put(api, match, {"role": "host"})
    keys = api.get(f"/matches/{match.id}/invitations", headers=match.host).json()["keys"]
    own = next(each["id"] for each in keys if each["role"] == "host" and "pending" not in each)
    gone = api.client.delete(f"/matches/{match.id}/invitations/{own}", headers=match.host)
    assert (gone.status_code, "last token" in gone.json()["detail"]) == (400, True)


def test_who_accepts_all_is_not_asked_any_more(emptied, bob):
    api, match, other = emptied, emptied.open(), emptied.open()
    put(api, match, ROLES[0])
    api.client.patch("/account", json={"accept": "all"}, headers=bob)
    assert waiting(api, bob) == [(match.id, "seat", 2)]
    assert put(api, other, ROLES[0]).status_code == 200
    assert put(api, match, ROLES[0]).status_code == 200
    assert waiting(api, bob) == []


def test_rematch_counts_as_a_yes(emptied, bob):
    api, match = emptied, emptied.open()
    put(api, match, ROLES[0])
    api.post(f"/account/invitations/{match.id}", headers=bob)
    api.play(match.id, match.host, "M@c1", "2:resign")
    rematch = api.post(f"/matches/{match.id}/rematch", json={}, headers=match.host).json()["match"]
    held = {each["match"] for each in api.get("/account/matches", headers=bob).json()["matches"]}
    assert rematch in held


@pytest.mark.parametrize("body", [{}, {"accept": "none"}, {"accept": "ask", "x": 1}, {"accept": 1}])
def test_wrong_setting_is_refused(emptied, bob, body):
    assert emptied.client.patch("/account", json=body, headers=bob).status_code == 400


def test_only_a_token_that_plays_answers(emptied, bob):
    api, match = emptied, emptied.open()
    put(api, match, ROLES[0])
    reads = bearer(accounts.issue(api.book, "bob", ["read"]))
    path = f"/account/invitations/{match.id}"
    for method, where in (("PATCH", "/account"), ("POST", path), ("DELETE", path)):
        for who, status in ((reads, 403), (match.host, 403), ({}, 401)):
            answer = api.client.request(method, where, json={"accept": "all"}, headers=who)
            assert answer.status_code == status, (method, who)
    assert waiting(api, reads) == [(match.id, "seat", 2)]


def test_last_host_may_leave(emptied, bob):
    api, match = emptied, emptied.open()
    put(api, match, {"role": "host"})
    api.post(f"/account/invitations/{match.id}", headers=bob)
    for key in api.get(f"/matches/{match.id}/invitations", headers=bob).json()["keys"]:
        if "account" not in key:
            url = f"/matches/{match.id}/invitations/{key['id']}"
            assert api.client.delete(url, headers=bob).status_code == 200
    assert api.client.delete(f"/account/matches/{match.id}", headers=bob).status_code == 200
    assert seen(api, bob, match) == set()


def test_match_in_the_trash_may_be_left(emptied, bob):
    api, match = emptied, emptied.open()
    put(api, match, ROLES[1])
    api.post(f"/account/invitations/{match.id}", headers=bob)
    api.client.delete(f"/matches/{match.id}", headers=match.host)
    assert api.client.delete(f"/account/matches/{match.id}", headers=bob).status_code == 200


async def test_stream_says_that_the_account_is_asked():
    async with live_service() as at:
        bob = bearer(accounts.add(at.book, "bob"))
        accounts.set_accept(at.book.store, accounts.find(at.book, "bob"), "ask")
        match, early = await at.open(visibility="private"), await at.open()
        body = {"role": "seat", "seat": 1}
        ask = lambda one: at.client.put(  # noqa: E731
            f"/matches/{one.id}/accounts/bob", json=body, headers=one.host
        )
        assert (await ask(early)).status_code == 202
        stream = await at.listen("/account/stream", bob)
        told = await stream.next()
        assert (told.event, told.data) == ("asked", {"match": early.id, "role": "seat", "seat": 1})
        await ask(match)
        assert (await stream.next()).data["match"] == match.id
        await at.play(match.id, match.host, "M@c1")  # no news before a yes
        await at.client.post(f"/account/invitations/{match.id}", headers=bob)
        assert ((await stream.next()).event, at.book.open(match.id).match.version) == ("invited", 1)


def test_page_asks_a_person(emptied, bob):
    api, match, other = emptied, emptied.open(), emptied.open()
    put(api, match, ROLES[0])
    put(api, other, ROLES[1])
    token = bob["Authorization"].removeprefix("Bearer ")
    api.client.cookies.clear()
    api.client.get(f"/mine/{token}")
    own = {"Origin": str(api.client.base_url).rstrip("/")}
    try:
        page = api.client.get("/mine").text
        assert f"/mine/yes/{match.id}" in page
        assert "asked to play seat 2" in page
        assert "asked to be a viewer" in page
        api.client.post(f"/mine/yes/{match.id}", headers=own)
        api.client.post(f"/mine/no/{other.id}", headers=own)
        page = api.client.get("/mine").text
    finally:
        api.client.cookies.clear()
    assert ("are asked" in page, f"/m/{match.id}" in page) == (False, True)
