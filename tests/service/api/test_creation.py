"""Repeated requests to open, fork or import get the first answer, but only from their sender."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from replay.access import capability_tokens, operators
from replay.access.credentials import KEY_TIMEOUT, PRIVATE_VALUE
from replay.book import Book
from replay.store import open_store
from replay.store.sql import summaries
from replay.store.sql.store import Store
from service.api import imports
from service.api.creation import opening_body
from service.api.forks import ForkRequest
from service.models.requests import MatchOpening
from service.settings import Settings
from tests.service.conftest import OpenedMatch, bearer, serve
from tests.service.stores import empty_store

KEY = "3f6c1d0e-7a52-4b8f-9f57-1b1f7f0c9a11"
OTHER = "b0a9d8c7-0f1e-4d2c-8b3a-a1b2c3d4e5f6"
ARCHIVE = "application/x-plybook-archive"
JET = {"game": "poptrix", "players": {"1": "Jet"}}
PRIVATE = {"game": "blockade", "dice": "service", "clock": {"total": 600}, "visibility": "private"}


@pytest.fixture
def api(emptied):
    return emptied


def opening(api, key=KEY, body=None, who=None):
    headers = {"Idempotency-Key": key} | (who or {})
    return api.post("/matches", json=body or JET, headers=headers)


def forking(api, match, key=KEY, who=None, **body):
    headers = {"Idempotency-Key": key} | (who or {})
    return api.post(f"/matches/{match}/forks", json={"ply": 2} | body, headers=headers)


def matches(api):
    return sum(1 for _ in api.book.store.matches())


@pytest.mark.parametrize("body", [JET, PRIVATE], ids=["plain", "dice, clock and private"])
def test_repeated_opening_returns_same_match_and_tokens(api, body):
    first = opening(api, body=body)
    assert first.status_code == 201
    match, tokens = first.json()["match"], first.json()["tokens"]
    if body is JET:
        assert api.play(match, bearer(tokens["host"]), "M@c1", "S@c6").status_code == 200
    again = opening(api, body=body)
    assert (again.status_code, again.json()) == (201, first.json())
    assert again.headers["location"] == first.headers["location"] == f"/matches/{match}"
    assert again.headers["cache-control"] == "no-store"
    assert matches(api) == 1
    assert api.get(f"/matches/{match}", headers=bearer(tokens["seats"]["2"])).status_code == 200


@pytest.mark.parametrize("kind", ["variation", "match"])
def test_repeated_fork_returns_same_match_and_tokens(api, kind):
    match, host, _ = api.open()
    api.play(match, host, "M@c1", "S@c6", "c1>L@c3")
    first = forking(api, match, kind=kind)
    assert first.status_code == 201
    own = bearer(first.json()["tokens"]["host"])
    assert api.play(first.json()["match"], own, "c1>L@d1").status_code == 200
    api.post(f"/matches/{match}/takeback", json={"ply": 1}, headers=host)
    again = forking(api, match, kind=kind)
    assert (again.status_code, again.json()) == (201, first.json())
    assert matches(api) == 2


def test_each_key_and_match_has_its_own_forks(api):
    one, two = api.open(), api.open()
    for match in (one, two):
        api.play(match.id, match.host, "M@c1", "S@c6")
    made = [
        forking(api, one.id),
        forking(api, two.id),
        forking(api, one.id, OTHER),
        opening(api),
    ]
    assert len({answer.json()["match"] for answer in made}) == 4
    assert len({answer.json()["tokens"]["host"] for answer in made}) == 4


def test_requests_without_key_open_separate_matches(api):
    made = [api.post("/matches", json=JET).json() for _ in range(2)]
    assert made[0]["match"] != made[1]["match"]
    assert made[0]["tokens"] != made[1]["tokens"]


def test_reused_key_of_a_different_request_is_refused(api):
    opening(api)
    other = opening(api, body={"game": "poptrix", "players": {"1": "Red"}})
    assert other.status_code == 409
    assert "tokens" not in other.json()
    match, host, _ = api.open()
    api.play(match, host, "M@c1", "S@c6")
    forking(api, match)
    assert forking(api, match, ply=1).status_code == 409


def test_refused_request_may_be_repeated_with_its_key(api):
    wrong = {"game": "poptrix", "options": {"colour": "red"}}
    assert opening(api, body=wrong).status_code == 400
    assert opening(api).status_code == 201
    match, host, _ = api.open()
    assert forking(api, match).status_code == 404
    api.play(match, host, "M@c1", "S@c6")
    assert forking(api, match).status_code == 201


@pytest.mark.parametrize("key", ["1", "x" * 19, "x" * 201, "two words, and many letters"])
def test_short_key_opens_no_match_with_tokens(api, key):
    match = api.open().id
    for answer in (opening(api, key), forking(api, match, key, ply=0)):
        assert (answer.status_code, answer.json()["path"]) == (400, "Idempotency-Key")


def test_revoked_token_stays_revoked_after_repeated_opening(api):
    opened = opening(api).json()
    match, host = opened["match"], bearer(opened["tokens"]["host"])
    keys = api.get(f"/matches/{match}/invitations", headers=host).json()["keys"]
    seat = next(key["id"] for key in keys if key["seat"] == 1)
    api.client.delete(f"/matches/{match}/invitations/{seat}", headers=host)
    assert opening(api).json() == opened
    seats = bearer(opened["tokens"]["seats"]["1"])
    assert api.play(match, seats, "M@c1").status_code == 401


def test_repeated_key_does_not_show_deleted_match(api):
    opened = opening(api).json()
    host = bearer(opened["tokens"]["host"])
    api.client.delete(f"/matches/{opened['match']}", headers=host)
    again = opening(api)
    assert again.status_code == 409
    assert "tokens" not in again.json()
    assert matches(api) == 0


def test_key_older_than_a_day_returns_no_tokens():
    time = [1_000_000]
    with serve(book=Book(empty_store(), now=lambda: time[0])) as api:
        first = opening(api).json()
        time[0] += KEY_TIMEOUT
        assert opening(api).json() == first
        time[0] += 1
        late = opening(api)
        assert late.status_code == 409
        assert "tokens" not in late.json()


def test_concurrent_openings_with_one_key_open_once():
    with serve(Settings(matches_per_hour=0)) as api, ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: opening(api), range(16)))
        assert {answer.status_code for answer in answers} == {201}
        assert len({answer.text for answer in answers}) == 1
        assert matches(api) == 1


def test_repeated_opening_does_not_count_as_opened():
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


def test_store_holds_neither_key_nor_token(tmp_path):
    with serve(book=Book(open_store(tmp_path / "book.db"))) as api:
        opened = opening(api).json()
        stream = api.book.find(opened["match"])
        assert len(api.book.store.private_value(stream.id, PRIVATE_VALUE)) == 64
    stored = (tmp_path / "book.db").read_bytes()
    tokens = opened["tokens"]
    assert opened["match"].encode() in stored
    for secret in (KEY, tokens["host"], *tokens["seats"].values()):
        assert secret.encode() not in stored


def test_repeated_fork_of_private_match_needs_token(api):
    match, host, seats = api.open(visibility="private")
    api.play(match, host, "M@c1", "S@c6")
    first = forking(api, match, who=host)
    assert first.status_code == 201
    assert forking(api, match).status_code == 401
    assert forking(api, match, who=seats["1"]).json() == first.json()


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


def test_repeated_records_are_stored_once_with_same_tokens(api):
    first = importing(api, TWO)
    assert (first.status_code, len(first.json()["matches"])) == (201, 2)
    stored = matches(api)
    again = importing(api, TWO)
    assert (again.status_code, again.json()) == (201, first.json())
    assert opens(api, first.json())
    assert matches(api) == stored == 3
    assert importing(api, TWO.replace("S@d1", "L@d1")).status_code == 409
    assert importing(api, TWO, key=OTHER).status_code == 201
    assert matches(api) == 2 * stored


def test_records_repeated_after_crash_are_stored_completely(api, monkeypatch):
    whole = imports.imported

    def crashing(book, record, *more):
        if record.number == 2:
            raise OSError("the disk is gone")
        return whole(book, record, *more)

    monkeypatch.setattr(imports, "imported", crashing)
    assert importing(api, TWO).status_code == 500
    (first,) = [each for each in api.book.matches() if not each.header.fork]
    monkeypatch.setattr(imports, "imported", whole)
    done = importing(api, TWO).json()
    assert done["matches"][0]["match"] == first.id
    assert opens(api, done)
    assert importing(api, TWO).json() == done


def test_repeated_archive_gets_its_first_answer(api):
    archive = archive_of()
    first = importing(api, archive, ARCHIVE)
    assert (first.status_code, len(first.json()["matches"])) == (201, 2)
    assert opens(api, first.json())
    again = importing(api, archive, ARCHIVE)
    assert (again.status_code, again.json()) == (201, first.json())
    for key in ("", OTHER):
        headers = {"Content-Type": ARCHIVE} | ({"Idempotency-Key": key} if key else {})
        refused = api.post("/records", content=archive, headers=headers)
        assert refused.status_code == 409
        assert "tokens" not in refused.text


def test_concurrent_archives_are_stored_once():
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


def test_name_may_have_joiners_and_must_be_visible(api):
    made = api.post("/matches", json={"game": "poptrix", "players": {"1": "👩‍👧", "2": "نی‌لو"}})
    assert made.status_code == 201
    assert made.json()["players"] == {"1": "👩‍👧", "2": "نی‌لو"}
    for invisible in ("", " ", "\u3164", "\u200d", "J\u202et"):
        refused = api.post("/matches", json={"game": "poptrix", "players": {"1": invisible}})
        assert (refused.status_code, "seat 1" in refused.json()["detail"]) == (400, True)


CUP_ALONE = {"Event": "Cup", "Round": "1", "Site": ""}
CUP = CUP_ALONE | {"Seat2": "Red"}


@pytest.mark.parametrize("kind", ["opened", "variation", "match"])
def test_tags_are_stored_with_the_match(api, kind):
    if kind == "opened":
        made = api.post("/matches", json=JET | {"tags": CUP})
        plain = api.open(players={"1": "Jet"})
    else:
        match, host, _ = api.open(players={"1": "Jet"})
        api.play(match, host, "M@c1", "S@c6")
        made = forking(api, match, kind=kind, tags=CUP if kind == "match" else CUP_ALONE)
        other = forking(api, match, OTHER, kind=kind).json()
        plain = OpenedMatch(other["match"], bearer(other["tokens"]["host"]), {})
    assert made.status_code == 201
    path = f"/matches/{plain.id}/tags"
    if kind != "variation":  # a variation has the players of its match
        named = {"players": {"2": CUP["Seat2"]}}
        people = api.client.patch(f"/matches/{plain.id}/people", json=named, headers=plain.host)
        assert people.status_code == 200
    later = api.client.patch(path, json={"tags": CUP_ALONE}, headers=plain.host).json()
    told = api.get(f"/matches/{made.json()['match']}/tags").json()
    assert (told["tags"], told["players"]) == (later["tags"], later["players"])
    assert told["tags"]["Event"] == "Cup"
    assert "Site" not in told["tags"]


@pytest.mark.parametrize(
    ("tags", "path"),
    [
        ({"Event": "Cup", "Result": "1-0"}, "$.tags.Result"),
        ({"Event": "a\nb"}, "$.tags.Event"),
        ({"Event": "x" * 1001}, "$.tags.Event"),
        ({"Seat1": "J" * 101}, "$.tags.Seat1"),
        ({"Seat3": "Red"}, "$.tags.Seat3"),
        ({"access.visibility": "public"}, "$.tags"),
    ],
)
def test_invalid_tags_are_refused_with_their_path(api, tags, path):
    match, host, _ = api.open()
    refused = [
        api.post("/matches", json=JET | {"tags": tags}),
        api.post(f"/matches/{match}/forks", json={"ply": 0, "tags": tags}),
        api.client.patch(f"/matches/{match}/tags", json={"tags": tags}, headers=host),
    ]
    for answer in refused:
        assert (answer.status_code, answer.json()["path"]) == (400, path), answer.text
    assert matches(api) == 1


def invitations(answer):
    assert answer.status_code == 201, answer.text
    return answer.json()["invitations"]


@pytest.mark.parametrize("visibility", ["unlisted", "private"])
def test_match_is_opened_with_its_invitations(api, visibility):
    body = JET | {"invite": True, "visibility": visibility}
    first = opening(api, body=body)
    roles = [(each["role"], each["seat"]) for each in invitations(first)]
    viewers = [("viewer", None)] if visibility == "private" else []
    assert roles == [("seat", 1), ("seat", 2), *viewers]
    match = first.json()["match"]
    for each in invitations(first):
        assert each["link"] == f"http://testserver.local/join/{match}/{each['token']}"
        you = api.get(f"/matches/{match}", headers=bearer(each["token"])).json()["you"]
        assert you == {"role": each["role"], "seat": each["seat"]}
    host = bearer(first.json()["tokens"]["host"])
    listed = api.get(f"/matches/{match}/invitations", headers=host).json()["keys"]
    assert {each["id"] for each in listed} > {each["id"] for each in invitations(first)}
    assert opening(api, body=body).json() == first.json()
    assert opening(api, body=body | {"invite": False}).status_code == 409


def test_match_is_opened_without_invitations_by_default(api):
    assert invitations(opening(api, body=PRIVATE)) == []


def test_fork_is_made_with_its_invitations(api):
    match, host, _ = api.open(visibility="private")
    made = forking(api, match, who=host, ply=0, kind="match", invite=True)
    assert [each["role"] for each in invitations(made)] == ["seat", "seat", "viewer"]
    viewer = bearer(invitations(made)[-1]["token"])
    assert api.get(f"/matches/{made.json()['match']}", headers=viewer).status_code == 200
    again = forking(api, match, who=host, ply=0, kind="match", invite=True)
    assert again.json() == made.json()


def test_unset_new_fields_do_not_change_stored_body():
    assert opening_body(MatchOpening("poptrix")) == (
        b'{"game":"poptrix","options":{},"seats":null,"players":{},"visibility":"unlisted",'
        b'"dice":"table","clock":null,"quiet":false}'
    )
    assert opening_body(ForkRequest(2)) == (
        b'{"ply":2,"version":null,"kind":"variation","name":null,"players":{}}'
    )


OWN_TOKEN = "uN6xkVf0cGqk3H1hYb7mWd2s"
OWN = bearer(OWN_TOKEN)


def mine(api, query="", who=OWN):
    answer = api.get(f"/matches?mine=true{query}", headers=who)
    assert answer.status_code == 200, answer.text
    return [each["match"] for each in answer.json()["matches"]]


def opened_with(api, who=OWN, **body):
    answer = api.post("/matches", json=JET | body, headers=who)
    assert answer.status_code == 201, answer.text
    return answer.json()["match"]


def test_key_lists_exactly_the_matches_it_opened(api):
    first, second, third = (
        opened_with(api, visibility=each) for each in ("private", "unlisted", "public")
    )
    other = opened_with(api, bearer("another key of 20 char".replace(" ", "-")))
    public = api.open(visibility="public").id
    assert mine(api) == [third, second, first]
    assert mine(api, who={}) == mine(api, who=bearer("nobody-has-this-token")) == []
    everything = api.get("/matches", headers=OWN).json()["matches"]
    assert [each["match"] for each in everything] == [public, third, second, first]
    assert mine(api, "&status=ended") == []
    page = api.get("/matches?mine=true&limit=2", headers=OWN).json()
    assert mine(api, f"&cursor={page['next']}") == [first]
    assert api.get(f"/matches/{first}", headers=OWN).json()["you"]["role"] == "host"
    assert api.play(second, OWN, "M@c1").status_code == 200
    assert api.play(other, OWN, "M@c1").status_code == 401


def test_matches_of_a_key_are_read_in_pages(api, monkeypatch):
    opened = [opened_with(api) for _ in range(8)]
    monkeypatch.setattr(summaries, "PAGE_SIZES", (2,))
    read = []
    page = Store._listed_page
    monkeypatch.setattr(Store, "_listed_page", lambda *args: read.append(page(*args)) or read[-1])
    assert mine(api, "&limit=1") == opened[:-2:-1]
    assert sum(map(len, read)) == 2


def test_revoked_key_no_longer_opens_its_match(api):
    first, second = opened_with(api), opened_with(api)
    path = f"/matches/{first}/invitations/{capability_tokens.token_name(OWN_TOKEN)}"
    assert api.client.delete(path, headers=OWN).status_code == 200
    assert mine(api) == [second]
    assert api.get(f"/matches/{first}", headers=OWN).status_code == 401


def test_imported_matches_belong_to_the_key(api):
    made = api.post("/records", content=TWO, headers=OWN | {"Content-Type": "text/plain"})
    assert made.status_code == 201, made.text
    archive = archive_of()
    stored = api.post("/records", content=archive, headers=OWN | {"Content-Type": ARCHIVE})
    assert stored.status_code == 201, stored.text
    expected = [each["match"] for told in (made, stored) for each in told.json()["matches"]]
    listed = mine(api)
    assert set(listed) < set(expected) < {*listed, *mine(api, "&kind=variation")}


def test_rematch_belongs_to_the_key_of_its_match(api):
    first = opened_with(api)
    assert api.play(first, OWN, "1:resign").status_code == 200
    after = api.post(f"/matches/{first}/rematch", json={}, headers=OWN).json()["match"]
    assert mine(api) == [after, first]


def test_repetition_needs_the_same_bearer_key(api):
    first = opening(api, who=OWN)
    assert opening(api, who=OWN).json() == first.json()
    for other in ({}, bearer("another-key-of-20-characters")):
        assert opening(api, who=other).status_code == 409
    assert mine(api) == [first.json()["match"]]


def test_guessable_key_is_refused(api):
    for token in ("", "a" * 19, "a" * 201, "twenty characters and blanks"):
        refused = api.post("/matches", json=JET, headers=bearer(token))
        assert (refused.status_code, refused.json()["path"]) == (400, "Authorization")
        assert "20 to 200" in refused.json()["detail"]
    assert matches(api) == 0
    password = {"Authorization": "Basic YTpi"}  # for a proxy in front
    assert api.post("/matches", json=JET, headers=password).status_code == 201


def test_shared_tokens_do_not_become_host_keys(api):
    private = api.open(visibility="private")
    path = f"/matches/{private.id}/invitations"
    viewer = api.post(path, json={"role": "viewer"}, headers=private.host).json()["token"]
    operator = operators.issue(api.book)
    for who in (private.seats["1"], bearer(viewer), bearer(operator)):
        made = api.post("/matches", json=PRIVATE, headers=who)
        assert made.status_code == 201
        host = bearer(made.json()["tokens"]["host"])
        told = api.get(f"/matches/{made.json()['match']}/invitations", headers=host).json()
        assert [each["role"] for each in told["keys"]] == ["host", "seat", "seat"]
    assert mine(api, who=bearer(operator)) == []


def test_key_is_not_stored(tmp_path):
    with serve(book=Book(open_store(tmp_path / "book.db"))) as api:
        api.post("/matches", json=JET, headers=OWN | {"Idempotency-Key": KEY})
    stored = b"".join(each.read_bytes() for each in tmp_path.iterdir())
    assert OWN_TOKEN.encode() not in stored
    assert KEY.encode() not in stored
