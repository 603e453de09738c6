"""The trash of a host and of an operator, and what an operator may not do."""

from __future__ import annotations

import pytest

from replay.access import capability_tokens, operators
from replay.book import Book
from replay.store import open_store
from service.app import create_app
from tests.service.conftest import Api, bearer

VISIBILITIES = ("public", "unlisted", "private")


@pytest.fixture
def operator(fresh: Api) -> dict[str, str]:
    return bearer(operators.issue(book_of(fresh)))


def book_of(api: Api) -> Book:
    book: Book = api.client.app.state.book
    return book


def listed(api: Api, who: dict[str, str], **query: str) -> list[str]:
    answer = api.get("/matches", params=query, headers=who)
    assert answer.status_code == 200, answer.text
    return [each["match"] for each in answer.json()["matches"]]


def test_operator_lists_finds_and_reads_every_match(fresh, operator):
    matches = [
        fresh.open(visibility=each, players={"1": f"Zebulon {each}"}) for each in VISIBILITIES
    ]
    ids = [match.id for match in reversed(matches)]
    assert listed(fresh, operator) == ids
    assert listed(fresh, operator, q="zebulon") == ids
    assert listed(fresh, {}) == [matches[0].id]
    found = fresh.get("/search", params={"q": "zebulon"}, headers=operator).json()["found"]
    assert [each["match"] for each in found] == ids
    private = fresh.get(f"/matches/{matches[2].id}", headers=operator)
    assert private.json()["you"] == {"role": "operator", "seat": None}
    assert private.headers["access-control-allow-origin"] == "*"
    both = fresh.get(f"/matches/{ids[1]}/compare", params={"with": ids[0]}, headers=operator)
    assert both.status_code == 200


@pytest.mark.parametrize("visibility", VISIBILITIES)
def test_operator_trashes_and_restores_a_match(fresh, operator, visibility):
    match = fresh.open(visibility=visibility)
    path = f"/matches/{match.id}"
    for _ in range(2):
        gone = fresh.client.delete(path, headers=operator)
        assert gone.json() == {"match": match.id, "trashed": True, "purged": [], "remaining": []}
    assert fresh.get(path, headers=match.host).status_code == 404
    assert (listed(fresh, operator), listed(fresh, operator, trashed="true")) == ([], [match.id])
    assert fresh.post(f"{path}/restore", headers=operator).json()["trashed"] is False
    assert (listed(fresh, operator), listed(fresh, operator, trashed="true")) == ([match.id], [])
    assert fresh.play(match.id, match.host, "M@c1").status_code == 200


def test_operator_purges_a_match_also_from_trash(fresh, operator):
    match, other = fresh.open(), fresh.open()
    path = f"/matches/{match.id}"
    fresh.client.delete(path, headers=match.host)
    gone = fresh.client.delete(path, params={"purge": "true"}, headers=operator)
    assert gone.json() == {
        "match": match.id, "trashed": False, "purged": [match.id], "remaining": [],
    }  # fmt: skip
    assert fresh.post(f"{path}/restore", headers=operator).status_code == 404
    assert fresh.client.delete(path, headers=operator).status_code == 404
    assert (listed(fresh, operator), listed(fresh, operator, trashed="true")) == ([other.id], [])


def test_match_is_purged_only_with_its_variations(fresh, operator):
    match = fresh.open()
    fresh.play(match.id, match.host, "M@c1")
    book = book_of(fresh)
    forked = fresh.post(f"/matches/{match.id}/forks", json={"ply": 1}, headers=match.host).json()
    for key in book.store.keys(book.store.find(forked["match"]).id):
        book.store.drop_key(book.store.find(forked["match"]).id, key[0]).result()
    path, purge = f"/matches/{match.id}", {"purge": "true"}
    refused = fresh.client.delete(path, params=purge, headers=operator)
    assert (refused.status_code, forked["match"] in refused.json()["detail"]) == (409, True)
    assert listed(fresh, operator) == [match.id]
    gone = fresh.client.delete(path, params=purge | {"variations": "true"}, headers=operator)
    assert gone.json()["purged"] == [match.id, forked["match"]]


def test_host_purges_nothing_and_lists_no_trash(fresh):
    match = fresh.open()
    path = f"/matches/{match.id}"
    for who, status in ((match.host, 403), (match.seats["1"], 403), ({}, 401)):
        answer = fresh.client.delete(path, params={"purge": "true"}, headers=who)
        assert answer.status_code == status
        trash = fresh.get("/matches", params={"trashed": "true"}, headers=who)
        assert trash.status_code == 403
    wrong = fresh.client.delete(path, params={"variations": "true"}, headers=match.host)
    assert (wrong.status_code, wrong.json()["path"]) == (400, "variations")
    assert fresh.get(path).status_code == 200


def test_operator_searches_no_words_in_the_trash(fresh, operator):
    answer = fresh.get("/matches", params={"trashed": "true", "q": "x"}, headers=operator)
    assert (answer.status_code, answer.json()["path"]) == (400, "q")


def test_operator_enters_changes_and_invites_never(fresh, operator):
    match = fresh.open(visibility="public")
    path = f"/matches/{match.id}"
    answers = [
        fresh.play(match.id, operator, "M@c1"),
        fresh.play(match.id, operator, "M@c1", expected=0),
        fresh.client.put(f"{path}/tags", json={"tags": {"Event": "x"}}, headers=operator),
        fresh.client.put(f"{path}/visibility", json={"visibility": "private"}, headers=operator),
        fresh.post(f"{path}/invitations", json={"role": "host"}, headers=operator),
        fresh.get(f"{path}/invitations", headers=operator),
        fresh.post(f"{path}/rulings", json={"winner": 1, "reason": "x"}, headers=operator),
    ]
    assert [answer.status_code for answer in answers] == [403] * len(answers)
    assert "operator" in answers[0].json()["detail"]
    assert fresh.get(path).json()["version"] == 0


def test_operator_token_is_neither_invitation_nor_cookie(fresh, operator):
    match = fresh.open(visibility="private")
    token = operator["Authorization"].removeprefix("Bearer ")
    assert fresh.get(f"/join/{match.id}/{token}").status_code == 404
    cookie = {"Cookie": f"plybook-{match.id}={token}"}
    assert fresh.get(f"/matches/{match.id}", headers=cookie).status_code == 401


def test_revocation_takes_effect_in_other_processes(tmp_path):
    from litestar.testing import TestClient

    here, there = (open_store(tmp_path / "book.db") for _ in range(2))
    token = operators.issue(Book(there))
    with TestClient(create_app(Book(here))) as client:
        api = Api(client)
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
    for store in (here, there):
        store.close()
