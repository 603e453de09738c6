"""The host names any player, and players name themselves."""

from __future__ import annotations

import pytest

from replay.access import accounts, operators
from replay.referee.account_seats import invite_account
from replay.tags import people
from tests.service.conftest import bearer


def named(api, match, body, who):
    return api.client.put(f"/matches/{match.id}/player", json=body, headers=who)


def test_writing_a_name_keeps_the_others(api):
    match = api.open(players={"1": "Jet", "2": "Red"})
    assert named(api, match, {"name": "Ann", "seat": 1}, match.host).json()["players"] == {
        "1": "Ann",
        "2": "Red",
    }
    told = named(api, match, {"name": "Ben"}, match.seats["2"]).json()
    assert told["players"] == {"1": "Ann", "2": "Ben"}
    assert named(api, match, {"name": "", "seat": 1}, match.host).json()["players"] == {"2": "Ben"}


@pytest.mark.parametrize(
    ("who", "body", "status"),
    [
        ("host", {"name": "Ann"}, 400),
        ("host", {"name": "Ann", "seat": 3}, 400),
        ("seat", {"name": "Ann", "seat": 1}, 400),
        ("nobody", {"name": "Ann", "seat": 1}, 401),
        ("seat", {"name": "A\nB"}, 400),
    ],
)
def test_invalid_naming_is_refused(api, who, body, status):
    match = api.open(players={"1": "Jet", "2": "Red"})
    headers = {"host": match.host, "seat": match.seats["2"], "nobody": {}}[who]
    assert named(api, match, body, headers).status_code == status
    assert api.get(f"/matches/{match.id}/tags").json()["players"] == {"1": "Jet", "2": "Red"}


RULED = {"result": "won", "winner": 2}


@pytest.fixture
def over(api):
    match = api.open(players={"1": "Jet", "2": "Red"})
    ruled = api.post(f"/matches/{match.id}/rulings", json=RULED, headers=match.host)
    assert ruled.status_code == 200, ruled.text
    return match


@pytest.mark.parametrize(
    ("who", "name", "status", "after"),
    [
        ("host", "Ann", 200, {"1": "Jet", "2": "Ann"}),
        ("seat", "Ann", 403, {"1": "Jet", "2": "Red"}),
        ("account", "Ann", 403, {"1": "Jet", "2": "Red"}),
        ("operator", "Ann", 403, {"1": "Jet", "2": "Red"}),
        ("stranger", "Ann", 401, {"1": "Jet", "2": "Red"}),
        ("seat", "", 200, {"1": "Jet"}),
        ("account", "", 200, {"1": "Jet"}),
    ],
)
def test_after_the_end_players_only_erase_their_names(api, over, who, name, status, after):
    account = f"bob-{who}-{status}"
    token = accounts.add(api.book, account)
    if who == "account":
        invite_account(api.book, api.book.open(over.id), account, "seat", 2)
    headers = {
        "host": over.host,
        "seat": over.seats["2"],
        "account": bearer(token),
        "operator": bearer(operators.issue(api.book)),
        "stranger": {},
    }[who]
    assert named(api, over, {"name": name, "seat": 2}, headers).status_code == status
    assert api.get(f"/matches/{over.id}/tags").json()["players"] == after


def test_player_who_names_while_the_match_ends_is_late(api, monkeypatch):
    match = api.open(players={"1": "Jet", "2": "Red"})
    write = people.tag

    def end_first(*args, **names):
        monkeypatch.setattr(people, "tag", write)
        api.post(f"/matches/{match.id}/rulings", json=RULED, headers=match.host)
        write(*args, **names)

    monkeypatch.setattr(people, "tag", end_first)
    assert named(api, match, {"name": "Ann"}, match.seats["1"]).status_code == 403
    assert api.get(f"/matches/{match.id}/tags").json()["players"] == {"1": "Jet", "2": "Red"}


def test_player_who_names_while_others_move_is_named(api, monkeypatch):
    match = api.open(players={"1": "Jet", "2": "Red"})
    write = people.tag

    def move_first(*args, **names):
        monkeypatch.setattr(people, "tag", write)
        api.play(match.id, match.host, "M@c1")
        write(*args, **names)

    monkeypatch.setattr(people, "tag", move_first)
    assert named(api, match, {"name": "Ann"}, match.seats["1"]).json()["players"]["1"] == "Ann"
