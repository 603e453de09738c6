"""Authors: the account behind a host's events, for those at the table."""

from __future__ import annotations

import hashlib
import json
import re

import pytest

from replay.access import accounts
from replay.access.capability_tokens import HOST
from replay.formats.archive.writer import write_archive
from replay.referee.account_seats import invite_account, remove_account
from replay.referee.entering import append, judge
from replay.referee.verification import verify_match
from tests.service.conftest import bearer

PSEUDONYM = re.compile('"author":"([^"]*)"')


@pytest.fixture
def hosts(api):
    """Return a match with two accounts as hosts, and their headers."""
    match, headers = api.open(players={"1": "Jet", "2": "Red"}), {}
    for name in ("bob", "eve"):
        name = f"{name}-{match.id}"
        headers[name] = bearer(accounts.add(api.book, name))
        invite_account(api.book, api.book.open(match.id), name, HOST, None)
    return match, headers


def log(api, match, who=None):
    return api.get(f"/matches/{match.id}/events", headers=who or {}).json()["events"]


def people(api, match, who=None):
    answer = api.get(f"/matches/{match.id}/people", headers=who or {}).json()
    return [each["author"] for each in answer["people"][2:]]


def stored(api, match):
    return [each.data.decode() for each in api.book.open(match.id).log]


def test_host_is_named_with_its_account_to_those_at_the_table(api, hosts):
    match, headers = hosts
    (bob, one), (eve, other) = headers.items()
    api.play(match.id, one, "M@c1")
    api.play(match.id, match.host, "S@c6")
    api.play(match.id, match.seats["1"], "c1>L@c3")
    amended = {"ply": 2, "how": "replaced", "texts": ["M@c6"]}
    done = api.post(f"/matches/{match.id}/amendments", json=amended, headers=other)
    assert done.status_code == 200, done.text
    assert [each.get("author") for each in log(api, match, match.seats["2"])] == [
        bob,
        None,
        None,
        eve,
    ]
    assert [each["actor"] for each in log(api, match)] == [
        "scorekeeper",
        "scorekeeper",
        "seat 1",
        "scorekeeper",
    ]
    assert all("author" not in each for each in log(api, match))
    page = api.get(f"/m/{match.id}/replay?all=true", headers=match.host).text
    assert f"scorekeeper, {eve}" in page
    assert eve not in api.get(f"/m/{match.id}/replay?all=true").text
    assert verify_match(api.book, api.book.open(match.id).stream).ok


def test_change_of_a_name_has_its_author(api, hosts):
    match, headers = hosts
    for number, who in enumerate((*headers.values(), match.host)):
        body = {"players": {"1": f"Ann {number}"}}
        api.client.patch(f"/matches/{match.id}/people", json=body, headers=who)
    named = [f"scorekeeper, {name}" for name in headers]
    assert people(api, match, match.seats["2"]) == [*named, "scorekeeper"]
    assert people(api, match) == ["scorekeeper"] * 3
    assert verify_match(api.book, api.book.open(match.id).stream).ok


def test_pseudonyms_do_not_show_that_two_events_are_of_one_account(api, hosts):
    match, headers = hosts
    (one, _) = headers.values()
    api.play(match.id, one, "M@c1", "S@c6")
    found = [PSEUDONYM.search(data)[1] for data in stored(api, match)]
    assert len({*found}) == 2
    archive = write_archive(api.book, api.book.open(match.id)).decode()
    account = api.book.store.account(next(iter(headers)))
    assert account.digest.hex() not in archive
    assert account.name not in archive


def test_name_goes_with_its_account(api, hosts):
    match, headers = hosts
    name, one = next(iter(headers.items()))
    api.play(match.id, one, "M@c1")
    body = {"players": {"1": "Ann"}}
    api.client.patch(f"/matches/{match.id}/people", json=body, headers=one)
    remove_account(api.book, name)
    assert "author" not in log(api, match, match.host)[0]
    assert people(api, match, match.host) == ["scorekeeper"]
    assert verify_match(api.book, api.book.open(match.id).stream).ok


def test_sealed_move_of_an_account_is_revealed_as_before(api):
    match = api.open("pyramid-ball")
    name = f"host-{match.id}"
    who = bearer(accounts.add(api.book, name))
    invite_account(api.book, api.book.open(match.id), name, HOST, None)
    answer = api.play(match.id, who, "1:S=F.L,M=RBR,L=BBR")
    assert answer.status_code == 200, answer.text
    assert all(json.loads(data)["author"] for data in stored(api, match))
    assert verify_match(api.book, api.book.open(match.id).stream).ok


@pytest.mark.parametrize("who", ["account", "token"])
def test_key_from_before_authors_stores_nothing_twice(api, hosts, who):
    match, headers = hosts
    book, record = api.book, api.book.open(match.id)
    key = hashlib.sha256(b"scorekeeper\x000:a-key").digest()[:16]  # as before there were authors
    append(book, record, judge(book, record, ["M@c1"]), ids=[key]).result()
    caller = next(iter(headers.values())) if who == "account" else match.host
    for body, status in (("M@c1", 200), ("S@c1", 409)):
        again = api.post(
            f"/matches/{match.id}/events",
            json={"events": [{"text": body}]},
            headers=caller | {"Idempotency-Key": "a-key"},
        )
        assert again.status_code == status, again.text
        (event,) = book.open(match.id).log
        assert (event.id, b"author" in event.data) == (key, False)
