"""The trash of a host and of an operator, and the limits of an operator."""

from __future__ import annotations

from contextlib import closing

import pytest

from replay.access import capability_tokens, operators
from replay.book import Book
from replay.store import open_store
from tests.service.conftest import Api, bearer, serve

VISIBILITIES = ("public", "unlisted", "private")


@pytest.fixture
def api(emptied):
    return emptied


@pytest.fixture
def operator(api: Api) -> dict[str, str]:
    return bearer(operators.issue(api.book))


def listed(api: Api, who: dict[str, str], **query: str) -> list[str]:
    answer = api.get("/matches", params=query, headers=who)
    assert answer.status_code == 200, answer.text
    return [each["match"] for each in answer.json()["matches"]]


def test_operator_lists_finds_and_reads_every_match(api, operator):
    matches = [api.open(visibility=each, players={"1": f"Zebulon {each}"}) for each in VISIBILITIES]
    ids = [match.id for match in reversed(matches)]
    assert listed(api, operator) == ids
    assert listed(api, operator, q="zebulon") == ids
    assert listed(api, {}) == [matches[0].id]
    found = api.get("/search", params={"q": "zebulon"}, headers=operator).json()["found"]
    assert [each["match"] for each in found] == ids
    private = api.get(f"/matches/{matches[2].id}", headers=operator)
    assert private.json()["you"] == {"role": "operator", "seat": None}
    assert private.headers["access-control-allow-origin"] == "*"
    both = api.get(f"/matches/{ids[1]}/compare", params={"with": ids[0]}, headers=operator)
    assert both.status_code == 200


@pytest.mark.parametrize("visibility", VISIBILITIES)
def test_operator_trashes_and_restores_a_match(api, operator, visibility):
    match = api.open(visibility=visibility)
    path = f"/matches/{match.id}"
    for _ in range(2):
        gone = api.client.delete(path, headers=operator)
        assert gone.json() == {
            "match": match.id,
            "trashed": True,
            "purged": [],
            "remaining": [],
            "erasure_due": None,
        }
    assert api.get(path, headers=match.host).status_code == 404
    assert (listed(api, operator), listed(api, operator, trashed="true")) == (
        [],
        [match.id],
    )
    assert api.post(f"{path}/restore", headers=operator).json()["trashed"] is False
    assert (listed(api, operator), listed(api, operator, trashed="true")) == (
        [match.id],
        [],
    )
    assert api.play(match.id, match.host, "M@c1").status_code == 200


def test_host_restores_only_what_a_host_put_away(api, operator):
    match = api.open()
    path = f"/matches/{match.id}"
    archive = api.get(f"{path}/record", params={"format": "archive"}, headers=match.host).content
    kind = {"Content-Type": "application/x-plybook-archive"}

    def restored(who):
        """Return the statuses of both ways out of the trash, and of the match then."""
        first = api.post(f"{path}/restore", headers=who)
        second = api.client.post("/records?merge=true", content=archive, headers=who | kind)
        return first.status_code, second.status_code, api.get(path).status_code

    api.client.delete(path, headers=match.host)
    assert restored(match.host)[::2] == (200, 200)
    api.client.delete(path, headers=match.host)
    api.client.delete(path, headers=operator)  # also of a match that the host put away before
    assert restored(match.host) == (403, 403, 404)
    refused = api.post(f"{path}/restore", headers=match.host).json()
    assert (refused["code"], "the operator put" in refused["detail"]) == ("forbidden", True)
    assert api.post(f"{path}/restore", headers=operator).status_code == 200
    api.client.delete(path, headers=match.host)
    assert restored(match.host)[::2] == (200, 200)


def test_operator_purges_a_match_even_from_trash(api, operator):
    match, other = api.open(), api.open()
    path = f"/matches/{match.id}"
    api.client.delete(path, headers=match.host)
    gone = api.client.delete(path, params={"purge": "true"}, headers=operator)
    told = gone.json()
    assert isinstance(told.pop("erasure_due"), int | None)
    assert told == {"match": match.id, "trashed": False, "purged": [match.id], "remaining": []}
    assert api.post(f"{path}/restore", headers=operator).status_code == 404
    assert api.client.delete(path, headers=operator).status_code == 404
    assert (listed(api, operator), listed(api, operator, trashed="true")) == (
        [other.id],
        [],
    )


def test_match_is_purged_only_with_its_variations(api, operator):
    match = api.open()
    api.play(match.id, match.host, "M@c1")
    book = api.book
    forked = api.post(f"/matches/{match.id}/forks", json={"ply": 1}, headers=match.host).json()
    for key in book.store.keys(book.store.find(forked["match"]).id):
        book.store.drop_key(book.store.find(forked["match"]).id, key[0]).result()
    path, purge = f"/matches/{match.id}", {"purge": "true"}
    refused = api.client.delete(path, params=purge, headers=operator)
    assert (refused.status_code, forked["match"] in refused.json()["detail"]) == (409, True)
    assert listed(api, operator) == [match.id]
    gone = api.client.delete(path, params=purge | {"variations": "true"}, headers=operator)
    assert gone.json()["purged"] == [match.id, forked["match"]]


def test_host_can_neither_purge_nor_list_trash(api):
    match = api.open()
    path = f"/matches/{match.id}"
    for who, status in ((match.host, 403), (match.seats["1"], 403), ({}, 401)):
        answer = api.client.delete(path, params={"purge": "true"}, headers=who)
        assert answer.status_code == status
        trash = api.get("/matches", params={"trashed": "true"}, headers=who)
        assert trash.status_code == 403
    wrong = api.client.delete(path, params={"variations": "true"}, headers=match.host)
    assert (wrong.status_code, wrong.json()["path"]) == (400, "variations")
    assert api.get(path).status_code == 200


def test_operator_cannot_search_words_in_the_trash(api, operator):
    answer = api.get("/matches", params={"trashed": "true", "q": "x"}, headers=operator)
    assert (answer.status_code, answer.json()["path"]) == (400, "q")


def test_operator_cannot_enter_change_or_invite(api, operator):
    match = api.open(visibility="public")
    path = f"/matches/{match.id}"
    answers = [
        api.play(match.id, operator, "M@c1"),
        api.play(match.id, operator, "M@c1", expected=0),
        api.client.put(f"{path}/tags", json={"tags": {"Event": "x"}}, headers=operator),
        api.client.put(f"{path}/visibility", json={"visibility": "private"}, headers=operator),
        api.post(f"{path}/invitations", json={"role": "host"}, headers=operator),
        api.get(f"{path}/invitations", headers=operator),
        api.post(f"{path}/rulings", json={"winner": 1, "reason": "x"}, headers=operator),
    ]
    assert [answer.status_code for answer in answers] == [403] * len(answers)
    assert "operator" in answers[0].json()["detail"]
    assert api.get(path).json()["version"] == 0


def test_operator_token_is_neither_invitation_nor_cookie(api, operator):
    match = api.open(visibility="private")
    token = operator["Authorization"].removeprefix("Bearer ")
    assert api.get(f"/join/{match.id}/{token}").status_code == 404
    cookie = {"Cookie": f"plybook-{match.id}={token}"}
    assert api.get(f"/matches/{match.id}", headers=cookie).status_code == 401


def test_revocation_takes_effect_in_other_processes(tmp_path):
    here, there = (open_store(tmp_path / "book.db") for _ in range(2))
    token = operators.issue(Book(there))
    with closing(there), serve(book=Book(here)) as api:
        match = api.open(visibility="private")
        path, who = f"/matches/{match.id}", bearer(token)
        assert api.get(path, headers=who).status_code == 200
        operators.revoke(Book(there), capability_tokens.token_name(token))
        assert api.get(path, headers=who).status_code == 401
        assert api.client.delete(path, headers=who).status_code == 401
        assert api.client.delete(path, params={"purge": "true"}, headers=who).status_code == 401
        assert api.post(f"{path}/restore", headers=who).status_code == 401
        assert listed(api, who) == []
        assert api.get(path, headers=match.host).status_code == 200
