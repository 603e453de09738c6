"""Legal moves, and hints for a move entered step by step."""

from __future__ import annotations

import re

import pytest


@pytest.fixture
def launching(api):
    match = api.open()
    api.play(match.id, match.host, "M@c1", "S@c6")
    return match


def test_legal_moves_are_grouped_by_first_piece(api, launching):
    body = api.get(f"/matches/{launching.id}/legal").json()
    assert body["pieces"]["1"] == {"c1": body["legal"]["1"]}
    assert api.get(f"/matches/{launching.id}/legal?seat=2").json()["legal"] == {}


@pytest.mark.parametrize(
    ("query", "verdict", "clause"),
    [
        ("prefix=", "incomplete", None),
        ("prefix=c1", "incomplete", None),
        ("prefix=c1>L", "incomplete", None),
        ("prefix=c1>L@c3", "complete", None),
        ("prefix=c1>M@c3", "illegal", "POP-3.2"),
        ("prefix=d4", "illegal", "POP-3.1"),
        ("prefix=zz", "illegal", "form"),
        ("picks=c1,L", "incomplete", None),
        ("picks=L,c1,c3", "complete", None),
        ("picks=c1,e6", "illegal", "POP-3.3"),
        ("prefix=c6>L@c5&seat=2", "illegal", "turn"),
    ],
)
def test_beginning_of_a_move_is_judged(api, launching, query, verdict, clause):
    hint = api.get(f"/matches/{launching.id}/hints?{query}").json()
    assert (hint["verdict"], hint["clause"]) == (verdict, clause)
    assert (hint["text"] == "c1>L@c3") == (verdict == "complete")
    assert bool(hint["continuations"]) == (verdict == "incomplete")
    assert (hint["message"] is None) == (verdict != "illegal")


def test_continuations_lead_to_all_legal_moves(api, launching):
    path = f"/matches/{launching.id}/hints"
    waiting, complete = [""], set()
    while waiting:
        hint = api.get(path, params={"prefix": waiting.pop()}).json()
        assert hint["verdict"] != "illegal"
        complete |= {hint["text"]} - {None}
        waiting += hint["continuations"]
    legal = api.get(f"/matches/{launching.id}/legal").json()["legal"]["1"]
    assert complete == set(legal)


def test_hints_offer_only_roll_where_the_service_rolls(api):
    match = api.open("blockade", dice="service")
    path = f"/matches/{match.id}"
    assert api.get(f"{path}/legal").json()["legal"] == {"1": ["roll"]}
    assert api.get(f"{path}/hints?prefix=ro").json()["continuations"] == ["roll"]
    assert api.get(f"{path}/hints?prefix=roll").json()["verdict"] == "complete"
    assert api.get(f"{path}/hints?prefix=roll=4,5").json()["clause"] == "dice"
    assert api.get(f"{path}/hints?prefix=1:res").json()["continuations"] == ["1:resign"]
    assert api.get(f"{path}/hints?picks=4").json()["clause"] == "dice"
    assert api.get(f"{path}/hints?picks=roll").json()["verdict"] == "complete"


def test_revealed_seed_allows_no_roll(api):
    match = api.open("blockade", dice="service")
    path = f"/matches/{match.id}"
    api.play(match.id, match.host, "1:resign")
    assert api.post(f"{path}/takeback", headers=match.host, json={"ply": 0}).is_success
    assert api.get(f"{path}/legal").json()["legal"] == {"1": []}
    hint = api.get(f"{path}/hints?prefix=roll").json()
    assert (hint["verdict"], hint["clause"]) == ("illegal", "dice")


def test_secret_moves_have_pattern_and_legal_samples(api):
    match = api.open("pyramid-ball")
    address = f"/matches/{match.id}/legal"
    assert "secret" not in api.get(address).json()
    told = api.get(f"{address}?all=true").json()["secret"]
    assert set(told) == {"1", "2"}
    (programs,) = told["1"]
    assert programs["type"] == "program"
    assert len(set(programs["sample"])) > 50
    for token in programs["sample"]:
        assert re.fullmatch(programs["notation"], token.removeprefix("1:"))
    api.play(match.id, match.host, programs["sample"][-1])
    assert "program" not in str(api.get(f"{address}?all=true&seat=1").json()["secret"])
