"""Repeated requests to open, fork or import get the first answer, but only from their sender."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from litestar.testing import TestClient

from replay.access.credentials import GOOD_FOR, PRIVATE_VALUE
from replay.book import Book
from replay.store import open_store
from service.api import import_storage
from service.app import create_app
from service.settings import Settings
from tests.service.conftest import Api, bearer, serve
from tests.service.stores import empty_store

KEY = "3f6c1d0e-7a52-4b8f-9f57-1b1f7f0c9a11"
OTHER = "b0a9d8c7-0f1e-4d2c-8b3a-a1b2c3d4e5f6"
ARCHIVE = "application/x-plybook-archive"
JET = {"game": "poptrix", "players": {"1": "Jet"}}
PRIVATE = {
    "game": "blockade",
    "dice": "service",
    "clock": {"total": 600},
    "visibility": "private",
}


def opening(api, key=KEY, body=None, who=None):
    headers = {"Idempotency-Key": key} | (who or {})
    return api.post("/matches", json=body or JET, headers=headers)


def forking(api, match, key=KEY, who=None, **body):
    headers = {"Idempotency-Key": key} | (who or {})
    return api.post(f"/matches/{match}/forks", json={"ply": 2} | body, headers=headers)


def matches(api):
    return sum(1 for _ in api.client.app.state.book.store.matches())


@pytest.mark.parametrize("body", [JET, PRIVATE], ids=["plain", "dice, clock and private"])
def test_a_match_that_is_asked_for_again_is_the_same_with_the_same_tokens(fresh, body):
    first = opening(fresh, body=body)
    assert first.status_code == 201
    match, tokens = first.json()["match"], first.json()["tokens"]
    if body is JET:
        assert fresh.play(match, bearer(tokens["host"]), "M@c1", "S@c6").status_code == 200
    again = opening(fresh, body=body)
    assert (again.status_code, again.json()) == (201, first.json())
    assert again.headers["location"] == first.headers["location"] == f"/matches/{match}"
    assert again.headers["cache-control"] == "no-store"
    assert matches(fresh) == 1
    assert fresh.get(f"/matches/{match}", headers=bearer(tokens["seats"]["2"])).status_code == 200


@pytest.mark.parametrize("kind", ["variation", "match"])
def test_a_fork_that_is_asked_for_again_is_the_same_with_the_same_tokens(fresh, kind):
    match, host, _ = fresh.open()
    fresh.play(match, host, "M@c1", "S@c6", "c1>L@c3")
    first = forking(fresh, match, kind=kind)
    assert first.status_code == 201
    own = bearer(first.json()["tokens"]["host"])
    assert fresh.play(first.json()["match"], own, "c1>L@d1").status_code == 200
    fresh.post(f"/matches/{match}/takeback", json={"ply": 1}, headers=host)
    again = forking(fresh, match, kind=kind)
    assert (again.status_code, again.json()) == (201, first.json())
    assert matches(fresh) == 2


def test_each_key_and_each_match_has_forks_of_its_own(fresh):
    one, two = fresh.open(), fresh.open()
    for match in (one, two):
        fresh.play(match.id, match.host, "M@c1", "S@c6")
    made = [
        forking(fresh, one.id),
        forking(fresh, two.id),
        forking(fresh, one.id, OTHER),
        opening(fresh),
    ]
    assert len({answer.json()["match"] for answer in made}) == 4
    assert len({answer.json()["tokens"]["host"] for answer in made}) == 4


def test_without_a_key_each_request_opens_another(fresh):
    made = [fresh.post("/matches", json=JET).json() for _ in range(2)]
    assert made[0]["match"] != made[1]["match"]
    assert made[0]["tokens"] != made[1]["tokens"]


def test_a_key_that_was_used_for_something_else_is_refused(fresh):
    opening(fresh)
    other = opening(fresh, body={"game": "poptrix", "players": {"1": "Red"}})
    assert other.status_code == 409
    assert "tokens" not in other.json()
    match, host, _ = fresh.open()
    fresh.play(match, host, "M@c1", "S@c6")
    forking(fresh, match)
    assert forking(fresh, match, ply=1).status_code == 409


def test_a_refused_request_may_be_repeated_under_its_key(fresh):
    wrong = {"game": "poptrix", "options": {"colour": "red"}}
    assert opening(fresh, body=wrong).status_code == 400
    assert opening(fresh).status_code == 201
    match, host, _ = fresh.open()
    assert forking(fresh, match).status_code == 404
    fresh.play(match, host, "M@c1", "S@c6")
    assert forking(fresh, match).status_code == 201


@pytest.mark.parametrize("key", ["1", "x" * 19, "x" * 201, "two words, and many letters"])
def test_a_key_that_tokens_are_told_to_is_no_short_one(fresh, key):
    match = fresh.open().id
    for answer in (opening(fresh, key), forking(fresh, match, key, ply=0)):
        assert (answer.status_code, answer.json()["path"]) == (400, "Idempotency-Key")


def test_a_revoked_token_stays_revoked_when_its_match_is_asked_for_again(fresh):
    opened = opening(fresh).json()
    match, host = opened["match"], bearer(opened["tokens"]["host"])
    keys = fresh.get(f"/matches/{match}/invitations", headers=host).json()["keys"]
    seat = next(key["id"] for key in keys if key["seat"] == 1)
    fresh.client.delete(f"/matches/{match}/invitations/{seat}", headers=host)
    assert opening(fresh).json() == opened
    seats = bearer(opened["tokens"]["seats"]["1"])
    assert fresh.play(match, seats, "M@c1").status_code == 401


def test_a_repeated_key_does_not_show_a_deleted_match(fresh):
    opened = opening(fresh).json()
    host = bearer(opened["tokens"]["host"])
    fresh.client.delete(f"/matches/{opened['match']}", headers=host)
    again = opening(fresh)
    assert again.status_code == 409
    assert "tokens" not in again.json()
    assert matches(fresh) == 0


def test_a_key_older_than_a_day_returns_no_tokens():
    time = [1_000_000]
    store = empty_store()
    app = create_app(Book(store, now=lambda: time[0]))
    with TestClient(app, raise_server_exceptions=False) as client:
        api = Api(client)
        first = opening(api).json()
        time[0] += GOOD_FOR
        assert opening(api).json() == first
        time[0] += 1
        late = opening(api)
        assert late.status_code == 409
        assert "tokens" not in late.json()
    store.close()


def test_asked_for_many_times_at_once_it_is_opened_once():
    with serve(Settings(matches_per_hour=0)) as api, ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: opening(api), range(16)))
        assert {answer.status_code for answer in answers} == {201}
        assert len({answer.text for answer in answers}) == 1
        assert matches(api) == 1


def test_a_match_that_is_asked_for_again_does_not_count_as_opened():
    with serve(Settings(matches_per_hour=3)) as api:
        for _ in range(5):
            assert opening(api).status_code == 201
        assert [opening(api, OTHER + end).status_code for end in "abcab"] == [
            201,
            201,
            429,
            201,
            201,
        ]


def test_the_store_holds_neither_the_key_nor_a_token(tmp_path):
    store = open_store(tmp_path / "book.db")
    with TestClient(create_app(Book(store))) as client:
        opened = opening(Api(client)).json()
        stream = store.find(opened["match"])
        assert len(store.private_value(stream.id, PRIVATE_VALUE)) == 64
    store.close()
    stored = (tmp_path / "book.db").read_bytes()
    tokens = opened["tokens"]
    assert opened["match"].encode() in stored
    for secret in (KEY, tokens["host"], *tokens["seats"].values()):
        assert secret.encode() not in stored


def test_a_private_match_is_forked_again_only_by_who_may_read_it(fresh):
    match, host, seats = fresh.open(visibility="private")
    fresh.play(match, host, "M@c1", "S@c6")
    first = forking(fresh, match, who=host)
    assert first.status_code == 201
    assert forking(fresh, match).status_code == 401
    assert forking(fresh, match, who=seats["1"]).json() == first.json()


# Imports


TWO = '[Game "poptrix"]\n\nM@c1 (S@c1) *\n\n[Game "poptrix"]\n\nS@d1 *\n'


def importing(api, content, kind="text/plain", key=KEY):
    return api.post(
        "/records", content=content, headers={"Content-Type": kind, "Idempotency-Key": key}
    )


def archive_of(forks=1):
    with serve() as api:
        match, host, _ = api.open()
        api.play(match, host, "M@c1", "S@c6")
        for _ in range(forks):
            api.post(f"/matches/{match}/forks", json={"ply": 1})
        return api.get(f"/matches/{match}/record?format=archive").content


def opens(api, imported):
    """Return whether the returned tokens open the imported matches."""
    return all(
        api.get(
            f"/matches/{each['match']}/invitations", headers=bearer(each["tokens"]["host"])
        ).is_success
        for each in imported["matches"]
    )


def test_records_that_are_sent_again_are_stored_once_with_the_same_tokens(fresh):
    first = importing(fresh, TWO)
    assert (first.status_code, len(first.json()["matches"])) == (201, 2)
    stored = matches(fresh)
    again = importing(fresh, TWO)
    assert (again.status_code, again.json()) == (201, first.json())
    assert opens(fresh, first.json())
    assert matches(fresh) == stored == 3
    assert importing(fresh, TWO.replace("S@d1", "L@d1")).status_code == 409
    assert importing(fresh, TWO, key=OTHER).status_code == 201
    assert matches(fresh) == 2 * stored


def test_records_sent_again_after_a_crash_are_stored_completely(fresh, monkeypatch):
    whole = import_storage.imported

    def crashing(book, record, founding):
        if record.number == 2:
            raise OSError("the disk is gone")
        return whole(book, record, founding)

    monkeypatch.setattr(import_storage, "imported", crashing)
    assert importing(fresh, TWO).status_code == 500
    (first,) = [each for each in fresh.client.app.state.book.matches() if not each.header.fork]
    monkeypatch.setattr(import_storage, "imported", whole)
    done = importing(fresh, TWO).json()
    assert done["matches"][0]["match"] == first.id
    assert opens(fresh, done)
    assert importing(fresh, TWO).json() == done


def test_an_archive_that_is_sent_again_is_answered_as_the_first_time(fresh):
    archive = archive_of()
    first = importing(fresh, archive, ARCHIVE)
    assert (first.status_code, len(first.json()["matches"])) == (201, 2)
    assert opens(fresh, first.json())
    again = importing(fresh, archive, ARCHIVE)
    assert (again.status_code, again.json()) == (201, first.json())
    for key in ("", OTHER):
        headers = {"Content-Type": ARCHIVE} | ({"Idempotency-Key": key} if key else {})
        refused = fresh.post("/records", content=archive, headers=headers)
        assert refused.status_code == 409
        assert "tokens" not in refused.text


def test_archives_sent_many_times_at_once_are_stored_once():
    archive = archive_of()
    with serve(Settings(matches_per_hour=0)) as api, ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: importing(api, archive, ARCHIVE), range(8)))
        assert {answer.status_code for answer in answers} == {201}
        assert len({answer.text for answer in answers}) == 1
        assert opens(api, answers[0].json())


def test_repeated_imports_do_not_count_as_opened_matches():
    with serve(Settings(matches_per_hour=2)) as api:
        assert [importing(api, TWO).status_code for _ in range(3)] == [201, 201, 201]
        assert importing(api, TWO, key=OTHER).status_code == 429


def test_a_name_may_have_joiners_and_must_be_visible(fresh):
    made = fresh.post("/matches", json={"game": "poptrix", "players": {"1": "👩‍👧", "2": "نی‌لو"}})
    assert made.status_code == 201
    assert made.json()["players"] == {"1": "👩‍👧", "2": "نی‌لو"}
    for invisible in ("", " ", "\u3164", "\u200d", "J\u202et"):
        refused = fresh.post("/matches", json={"game": "poptrix", "players": {"1": invisible}})
        assert (refused.status_code, "seat 1" in refused.json()["detail"]) == (400, True)
