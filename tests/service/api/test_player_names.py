"""The host names any player, and players name themselves."""

from __future__ import annotations

import pytest


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
