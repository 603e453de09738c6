"""Moves judged without a match, for bots and websites."""

from __future__ import annotations

import msgspec
import pytest

from domain.entry.move_text import write
from domain.games import BUILT_IN
from tests.contract.recorded_matches import whole_record


def judge(api, slug, *lines, **body):
    answer = api.post(f"/games/{slug}/judge", json={"lines": list(lines), **body})
    assert answer.status_code == 200, answer.text
    return answer.json()["lines"]


def test_tokens_are_judged_from_the_start(api):
    (line,) = judge(api, "poptrix", {"texts": ["M@c1", "S@c6"]})
    assert [event["text"] for event in line["events"]] == ["M@c1", "S@c6"]
    assert line["refused"] is None
    assert line["outcome"] is None
    assert [awaited["seat"] for awaited in line["awaiting"]] == [1]
    assert all(">" in token for token in line["legal"])


def test_first_illegal_token_is_refused_with_its_clause(api):
    refused, legal = judge(api, "poptrix", {"texts": ["M@c1", "S@c1", "L@a6"]}, {"texts": ["M@c1"]})
    assert [event["text"] for event in refused["events"]] == ["M@c1"]
    assert refused["refused"]["event"] == 1
    assert refused["refused"]["text"] == "S@c1"
    assert refused["refused"]["clause"] == "POP-2.1"
    assert refused["position"] == legal["position"]
    assert refused["legal"] == legal["legal"]


def test_line_continues_from_position_of_another(api):
    (begun,) = judge(api, "poptrix", {"texts": ["M@c1", "S@c6", "c1>L@c3"]})
    whole, rest = judge(
        api,
        "poptrix",
        {"texts": ["M@c1", "S@c6", "c1>L@c3", "c6>M@c5"]},
        {"position": begun["position"], "texts": ["c6>M@c5"]},
    )
    assert whole["refused"] is rest["refused"] is None
    assert rest["position"] == whole["position"]
    assert rest["legal"] == whole["legal"]


@pytest.mark.parametrize("slug", BUILT_IN)
def test_whole_game_ends_as_it_was_recorded(api, slug):
    match = whole_record(slug).match
    tokens = [write(match.game, ply.event) for ply in match.line]
    options = msgspec.to_builtins(match.options)
    (line,) = judge(api, slug, {"texts": tokens}, options=options, seats=match.seats)
    assert line["outcome"] == match.state.outcome.to_dict()
    assert line["position"] == match.game.write_position(match.state.position)
    assert line["awaiting"] == line["legal"] == []


def test_judging_stores_no_match(api):
    before = api.get("/stats").json(), api.get("/matches").json()
    judge(api, "blockade", {"texts": ["roll=12"]})
    assert (api.get("/stats").json(), api.get("/matches").json()) == before


@pytest.mark.parametrize(
    ("body", "said", "path"),
    [
        ({"lines": [{}, {"position": "nonsense"}]}, "column 9", "$.lines[1]"),
        ({"lines": [{}], "seats": 5}, "Poptrix is for 2 seats, not 5", "$.lines[0]"),
        ({"lines": [{}], "options": {"heat": "2"}}, "no option 'heat'", "$.lines[0]"),
        ({"lines": []}, "length 1 or more", "$.lines"),
        ({"lines": [{"texts": ["M@c1"] * 600}] * 2}, "at most 1000 moves", "$.lines"),
    ],
)
def test_unjudgeable_request_is_refused_with_its_path(api, body, said, path):
    answer = api.post("/games/poptrix/judge", json=body)
    assert answer.status_code == 400
    assert said in answer.json()["detail"]
    assert answer.json()["path"] == path
