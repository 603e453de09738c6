"""Who played: who names players before, during and after a match, and what is told of it."""

from __future__ import annotations

from contextlib import closing

import pytest

from replay.access import accounts, operators
from replay.book import Book
from replay.branches.forks import fork
from replay.referee import account_seats
from replay.referee.account_seats import invite_account
from replay.referee.verification import verify_match
from replay.store import temporary_store
from replay.store.people_chain import names_among
from replay.store.types import Author
from replay.tags import people
from tests.replay.formats.archive.families import archived, imported
from tests.service.conftest import bearer

PLAYERS = {"1": "Jet", "2": "Red"}
RULED = {"result": "won", "winner": 2}


def change(api, match, body, who):
    return api.client.patch(f"/matches/{match.id}/people", json=body, headers=who)


def told(api, match, who=None):
    return api.get(f"/matches/{match.id}/people", headers=who or {}).json()


def standing(api, match):
    return api.get(f"/matches/{match.id}").json()["players"]


def end(api, match):
    ruled = api.post(f"/matches/{match.id}/rulings", json=RULED, headers=match.host)
    assert ruled.status_code == 200, ruled.text


@pytest.fixture
def match(api):
    return api.open(players=PLAYERS)


CALLERS = ("host", "seat", "account", "operator", "stranger")


def callers(api, match):
    """Return the headers of each caller; seat 2 and the account have the same seat."""
    name = f"bob-{match.id}"
    token = accounts.add(api.book, name)
    invite_account(api.book, api.book.open(match.id), name, "seat", 2)
    operator = bearer(operators.issue(api.book))
    headers = (match.host, match.seats["2"], bearer(token), operator, {})
    return dict(zip(CALLERS, headers, strict=True))


CHANGES = {
    "rename": {"players": {"2": "Ann"}},
    "rename with a reason": {"players": {"2": "Ann"}, "reason": "a slip"},
    "rename another": {"players": {"1": "Ann"}, "reason": "a slip"},
    "swap": {"swap": [1, 2]},
    "swap with a reason": {"swap": [1, 2], "reason": "they sat the other way"},
    "erase": {"players": {"2": ""}},
    "erase by a sign": {"players": {"2": "?"}},
}
BEFORE = {
    "rename": (200, 200, 200, 403, 401),
    "rename with a reason": (200, 200, 200, 403, 401),
    "rename another": (200, 403, 403, 403, 401),
    "swap": (200, 403, 403, 403, 401),
    "swap with a reason": (200, 403, 403, 403, 401),
    "erase": (200, 200, 200, 200, 401),
    "erase by a sign": (200, 200, 200, 200, 401),
}
AFTER = BEFORE | {
    "rename": (400, 403, 403, 403, 401),
    "rename with a reason": (200, 403, 403, 403, 401),
    "swap": (400, 403, 403, 403, 401),
}
TIMES = {"before": BEFORE, "during": BEFORE, "after": AFTER}
STAND = {"rename": {"1": "Jet", "2": "Ann"}, "rename another": {"1": "Ann", "2": "Red"}}
STAND |= {"rename with a reason": STAND["rename"], "swap": {"1": "Red", "2": "Jet"}}
STAND |= {
    "swap with a reason": STAND["swap"],
    "erase": {"1": "Jet"},
    "erase by a sign": {"1": "Jet"},
}


@pytest.mark.parametrize("what", CHANGES)
@pytest.mark.parametrize("when", TIMES)
def test_who_changes_names_when(api, when, what):
    for who, status in zip(CALLERS, TIMES[when][what], strict=True):
        match = api.open(players=PLAYERS)
        headers = callers(api, match)[who]
        if when != "before":
            api.play(match.id, match.host, "M@c1")
        if when == "after":
            end(api, match)
        answer = change(api, match, CHANGES[what], headers)
        assert answer.status_code == status, (who, answer.text)
        assert standing(api, match) == (STAND[what] if status == 200 else PLAYERS), who
        assert verify_match(api.book, api.book.open(match.id).stream).ok


def by_tags(api, match, headers):
    return api.client.patch(f"/matches/{match.id}/tags", json=OTHER_TAGS, headers=headers)


def by_former_way(api, match, headers):
    return api.client.put(f"/matches/{match.id}/players", json={}, headers=headers)


def by_archive(api, match, headers):
    """Send an archive of a copy in which seat 2 was named otherwise, without a reason."""
    content = archived(api.book, api.book.open(match.id))
    with closing(temporary_store()) as store:
        imported(copy := Book(store), content)
        by = Author("scorekeeper", copy.now())
        stream = copy.open(match.id).stream.id
        store.change_metadata(stream, lambda _: OTHER_TAGS["tags"], None, by).result()
        content = archived(copy, copy.open(match.id))
    sent = headers | {"Content-Type": "application/x-plybook-archive"}
    return api.client.post("/records?merge=true", content=content, headers=sent)


OTHER_TAGS = {"tags": {"Seat2": "Ann"}}
DOORS = {
    by_tags: ({}, (400, 403, 403, 403, 401)),
    by_former_way: ({}, (400, 400, 400, 400, 400)),
    by_archive: ({"after": (409, *[409] * 4)}, (201, *[409] * 4)),
}


@pytest.mark.parametrize("when", TIMES)
@pytest.mark.parametrize("door", DOORS)
def test_who_names_through_another_door(api, when, door):
    special, usual = DOORS[door]
    for who, status in zip(CALLERS, special.get(when, usual), strict=True):
        match = api.open(players=PLAYERS)
        headers = callers(api, match)[who]
        if when != "before":
            api.play(match.id, match.host, "M@c1")
        if when == "after":
            end(api, match)
        answer = door(api, match, headers)
        assert answer.status_code == status, (who, answer.text)
        assert standing(api, match) == (PLAYERS | {"2": "Ann"} if status == 201 else PLAYERS), who


@pytest.mark.parametrize("when", TIMES)
def test_match_made_or_joined_notes_its_people(api, when):
    match = api.open(players={"1": "Jet"})
    if when != "before":
        api.play(match.id, match.host, "M@c1")
    if when == "after":
        end(api, match)
    callers(api, match)  # an account takes seat 2
    assert standing(api, match)["2"].startswith("bob-")
    record = api.book.open(match.id)
    forked = fork(api.book, record, 0, "match", players={2: "Eve"})
    for each, seats in ((record, {1, 2}), (forked, {0, 1, 2})):
        people = api.book.store.people(api.book.open(each.id).stream.id)
        assert {event.seat for event in people.events} == seats
        assert verify_match(api.book, api.book.open(each.id).stream).ok


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({}, "$"),
        ({"players": {"1": "Ann"}, "swap": [1, 2]}, "$"),
        ({"players": {"3": "Ann"}}, "$.players.3"),
        ({"players": {"0": "Ann"}}, "$.players"),
        ({"players": {"1": "A\nB"}}, "$.players.1"),
        ({"players": {"1": "x" * 101}}, "$.players.1"),
        ({"players": {"1": 7}}, "$.players[...]"),
        ({"players": ["Jet"]}, "$.players"),
        ({"swap": [1]}, "$.swap"),
        ({"swap": [1, 3]}, "$.swap"),
        ({"swap": [2, 2]}, "$.swap"),
    ],
)
def test_invalid_change_is_refused(api, match, body, path):
    answer = change(api, match, body, match.host)
    assert (answer.status_code, answer.json().get("path")) == (400, path), answer.text
    assert standing(api, match) == PLAYERS


def test_changes_are_told_with_author_version_and_reason(api, match):
    change(api, match, {"players": {"2": "Ben"}}, match.seats["2"])
    end(api, match)
    answer = change(api, match, {"swap": [1, 2], "reason": "they sat the other way"}, match.host)
    assert answer.status_code == 200
    lines = [
        (each["event"], each["seat"], each["other"], each["name"], each["author"], each["reason"])
        for each in answer.json()["people"]
    ]
    assert lines == [
        ("seated", 1, None, "Jet", None, None),
        ("seated", 2, None, "Red", None, None),
        ("renamed", 2, None, "Ben", "seat 2", None),
        ("swapped", 1, 2, None, "scorekeeper", "they sat the other way"),
    ]
    assert [each["after_version"] for each in answer.json()["people"]] == [0, 0, 0, 1]
    assert answer.json() == told(api, match, match.host)
    assert all(each["at"] > 0 for each in answer.json()["people"])


def test_former_name_is_for_its_seat_and_the_host(api, match):
    slip = {"players": {"2": "Ben"}, "reason": "Red is what her sister is called"}
    change(api, match, slip, match.host)
    seen = {
        who: [(each["name"], each["reason"]) for each in told(api, match, headers)["people"]]
        for who, headers in (callers(api, match) | {"other": match.seats["1"]}).items()
    }
    known = [("Jet", None), ("Red", None), ("Ben", slip["reason"])]
    hidden = [("Jet", None), (None, None), ("Ben", None)]
    assert seen == {
        "host": known,
        "seat": known,
        "account": known,
        "other": hidden,
        "operator": hidden,
        "stranger": hidden,
    }


def test_erasure_takes_former_names_and_reasons(api, match):
    change(api, match, {"players": {"2": "Ben"}, "reason": "a slip"}, match.host)
    head = told(api, match)["head"]
    erased = change(api, match, {"players": {"2": ""}}, match.seats["2"]).json()
    assert erased["head"] != head
    assert [each["name"] for each in told(api, match, match.host)["people"]] == ["Jet"] + 3 * [None]
    assert "slip" not in api.get(f"/matches/{match.id}/people", headers=match.host).text
    assert verify_match(api.book, api.book.open(match.id).stream).ok


def test_erasure_reaches_forks_and_forks_of_forks(api, match):
    change(api, match, {"players": {"2": "Ben"}, "reason": "a slip"}, match.host)
    api.play(match.id, match.host, "M@c1")
    body = {"kind": "match", "ply": 1}
    forked = api.post(f"/matches/{match.id}/forks", json=body, headers=match.host).json()["match"]
    record = api.book.open(forked)
    below = fork(api.book, record, 1, "match", players={1: "Ben"}).id
    other = fork(api.book, record, 1, "match", players={2: "Eve"}).id
    assert change(api, match, {"players": {"2": ""}}, match.seats["2"]).status_code == 200
    kept = {each: api.book.facts(api.book.open(each)) for each in (match.id, forked, below, other)}
    names = {each: names_among(facts) for each, facts in kept.items()}
    assert names == {
        match.id: {1: "Jet"},
        forked: {1: "Jet"},
        below: {},
        other: {1: "Jet", 2: "Eve"},
    }
    for each in kept:
        stream = api.book.open(each).stream
        assert verify_match(api.book, stream).ok
        said = {text.text for text in api.book.store.people(stream.id).texts}
        assert said <= {"Jet", "Eve"}


def test_erasure_tells_its_author(api, match):
    operator = callers(api, match)["operator"]
    change(api, match, {"players": {"1": ""}}, operator)
    change(api, match, {"players": {"2": "?"}}, match.seats["2"])
    erased = [(each["author"], each["seat"]) for each in told(api, match)["people"][2:]]
    assert erased == [("operator", 1), ("seat 2", 2)]


def test_erased_account_cannot_name(api, match):
    account = callers(api, match)["account"]
    account_seats.remove_account(api.book, f"bob-{match.id}")
    answer = change(api, match, {"players": {"2": ""}}, account)
    assert (answer.status_code, answer.json()["code"]) == (401, "unknown-token")
    assert standing(api, match) == PLAYERS


def test_removed_account_is_erased_in_forks(api):
    match = api.open(players={"1": "Jet"})
    callers(api, match)
    name = standing(api, match)["2"]
    forked = fork(api.book, api.book.open(match.id), 0, "match").id
    account_seats.remove_account(api.book, name)
    for each in (match.id, forked):
        stream = api.book.open(each).stream
        assert verify_match(api.book, stream).ok
        assert name not in {text.text for text in api.book.store.people(stream.id).texts}


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("PUT", "players", {"players": {"1": "Ann"}}),
        ("PUT", "player", {"name": "Ann", "seat": 1}),
        ("PATCH", "tags", {"tags": {"Seat1": "Ann"}}),
        ("PUT", "tags", {"tags": {"Seat1": ""}}),
        ("DELETE", "tags/Seat1", None),
    ],
)
def test_former_ways_name_the_new_one(api, match, method, path, body):
    end(api, match)
    url = f"/matches/{match.id}/{path}"
    answer = api.client.request(method, url, json=body, headers=match.host)
    assert answer.status_code == 400
    assert f"PATCH /matches/{match.id}/people" in answer.json()["detail"]
    assert standing(api, match) == PLAYERS


@pytest.fixture
def first(monkeypatch):
    """Let something happen between the judgement of a change and its write."""

    def let(happen):
        write = people._facts

        def late(naming):
            monkeypatch.setattr(people, "_facts", write)
            happen()
            return write(naming)

        monkeypatch.setattr(people, "_facts", late)

    return let


def test_match_that_ends_meanwhile_is_over_for_its_player(api, match, first):
    first(lambda: end(api, match))
    assert change(api, match, {"players": {"1": "Ann"}}, match.seats["1"]).status_code == 403
    assert standing(api, match) == PLAYERS


def test_match_that_ends_meanwhile_asks_its_host_for_a_reason(api, match, first):
    first(lambda: end(api, match))
    assert change(api, match, {"swap": [1, 2]}, match.host).status_code == 400
    assert standing(api, match) == PLAYERS


def test_player_who_names_while_others_move_is_named(api, match, first):
    first(lambda: api.play(match.id, match.host, "M@c1"))
    assert change(api, match, {"players": {"1": "Ann"}}, match.seats["1"]).status_code == 200
    assert standing(api, match)["1"] == "Ann"
