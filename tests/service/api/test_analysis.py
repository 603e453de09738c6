"""The analysis of a ply over HTTP: who may ask, what it says, and what it must not know."""

from __future__ import annotations

import pytest

from tests.service.conftest import bearer

PROGRAM = "1:S=FFF,M=...,L=..."


def analysed(api, match, who, ply=0, seconds=0.1):
    body = {"ply": ply, "seconds": seconds}
    return api.post(f"/matches/{match.id}/analysis", json=body, headers=who)


def comments(api, match):
    there = api.get(f"/matches/{match.id}/annotations", headers=match.host).json()["annotations"]
    return [(each["ply"], each["author"], each["text"]) for each in there]


def test_analysis_replaces_its_own_comment(api):
    match = api.open()
    api.play(match.id, match.host, "M@c1", "1:resign")
    for who in (match.host, match.seats["2"]):
        body = analysed(api, match, who, 1).json()
        assert body["comment"].startswith(f"seat 1 {body['value']}%")
        assert body["playouts"] > 0
        assert comments(api, match) == [(1, "analysis", body["comment"])]
    assert analysed(api, match, match.host, 2).json()["comment"] is None


@pytest.mark.parametrize("who", ["1", "2"])
def test_seat_gets_no_advice_before_the_end(api, who):
    match = api.open()
    assert analysed(api, match, match.seats[who]).status_code == 403
    assert analysed(api, match, bearer("x" * 32)).status_code == 401
    assert comments(api, match) == []


def test_withheld_moves_are_not_searched(api):
    match = api.open(legal="withheld")
    assert analysed(api, match, match.host).json()["code"] == "hidden"
    api.play(match.id, match.host, "1:resign")
    assert analysed(api, match, match.host).status_code == 200


@pytest.mark.parametrize(("ply", "seconds"), [(3, 0.1), (0, 0), (0, 11), (-1, 1)])
def test_invalid_analyses_are_refused(api, ply, seconds):
    match = api.open()
    assert analysed(api, match, match.host, ply, seconds).status_code in (400, 404)


def test_search_is_charged_for_its_time(served):
    limited = served(requests_per_minute=30)
    match = limited.open()
    assert analysed(limited, match, match.host, seconds=2).status_code == 429
    assert comments(limited, match) == []
