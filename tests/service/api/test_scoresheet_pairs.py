"""Each player keeps a scoresheet: two private matches, which open together."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from replay.access.visibility import BESIDE
from replay.referee.scoresheet_pairs import HOUR
from tests.service.api.test_reconstruction import MOVES
from tests.service.conftest import bearer

NAMES = {"1": "Jet", "2": "Red"}


class Sheet(NamedTuple):
    id: str
    host: dict[str, str]
    seat: dict[str, str]


def pair(api, **body) -> tuple[list[Sheet], Any]:
    """Open a match of which each player keeps a scoresheet."""
    asked = {"game": "poptrix", "scoresheets": "each", "players": NAMES, **body}
    opened = api.post("/matches", json=asked)
    assert opened.status_code == 201, opened.text
    made = opened.json()
    sheets = []
    for each in made["scoresheets"]:
        tokens = each["tokens"]
        assert list(tokens["seats"]) == [str(each["seat"])], "no token of the other seat"
        own = tokens["seats"][str(each["seat"])]
        sheets.append(Sheet(each["match"], bearer(tokens["host"]), bearer(own)))
    return sheets, made


def done(api, sheet, who=None, **body):
    return api.post(f"/matches/{sheet.id}/done", json=body, headers=who or sheet.seat)


def reads(api, sheet, who=None) -> bool:
    return api.get(f"/matches/{sheet.id}", headers=who).status_code == 200


def test_each_seat_has_a_scoresheet_of_its_own(api):
    (jet, red), made = pair(api, invite=True)
    assert made["match"] == jet.id
    assert [len(each["invitations"]) for each in made["scoresheets"]] == [1, 1]
    for number, (sheet, other) in enumerate(((jet, red), (red, jet)), 1):
        state = api.get(f"/matches/{sheet.id}", headers=sheet.seat).json()
        assert (state["unjudged"], state["visibility"]) == (True, "private")
        tags = api.get(f"/matches/{sheet.id}/tags", headers=sheet.seat).json()["tags"]
        assert tags["ScoresheetOf"] == str(number)
        assert reads(api, sheet, sheet.host)
        assert not reads(api, sheet)
        assert not reads(api, sheet, other.seat)
        page = api.get(f"/m/{sheet.id}", headers={**sheet.seat, "accept": "text/html"}).text
        assert other.id not in page
        listed = api.get("/matches", headers=sheet.seat).text
        assert other.id not in listed


def test_scoresheet_that_is_done_gets_no_more_moves(api):
    (jet, red), _ = pair(api)
    assert api.play(jet.id, jet.seat, *MOVES[:2]).status_code == 200
    state = done(api, jet).json()
    assert (state["done"], state["open"], state["other"]) == (True, False, None)
    for who in (jet.seat, jet.host):
        refused = api.play(jet.id, who, MOVES[2])
        assert (refused.status_code, "is done" in refused.text) == (409, True), refused.text
    back = api.post(f"/matches/{jet.id}/takeback", json={"ply": 1}, headers=jet.seat)
    assert back.status_code == 409, back.text
    assert api.play(red.id, red.seat, *MOVES[:3]).status_code == 200
    assert not reads(api, red, jet.seat)
    assert not reads(api, jet, red.seat)


def test_both_open_once_both_are_done(api):
    (jet, red), _ = pair(api)
    for sheet in (jet, red):
        assert api.play(sheet.id, sheet.seat, *MOVES).status_code == 200
    assert done(api, jet).json()["open"] is False
    assert done(api, red).json() == {
        "match": red.id,
        "done": True,
        "open": True,
        "other": jet.id,
        "opens": None,
    }
    assert done(api, jet).json()["other"] == red.id
    for sheet, other in ((jet, red), (red, jet)):
        assert reads(api, sheet)
        assert api.play(sheet.id, sheet.seat, "a1>M@b1").status_code == 409
        page = api.get(f"/m/{sheet.id}", headers={**sheet.seat, "accept": "text/html"}).text
        assert f"/m/{sheet.id}/scoresheets" in page
        compared = api.get(f"/m/{sheet.id}/scoresheets", headers=sheet.seat).text
        assert f">{other.id}</textarea>" in compared
    judged = api.post(f"/matches/{jet.id}/judgement", json={}, headers=jet.host)
    assert judged.status_code == 200, judged.text


def test_player_stores_the_match_that_is_linked_to_both(api):
    (jet, red), _ = pair(api)
    for sheet in (jet, red):
        api.play(sheet.id, sheet.seat, *MOVES)
        done(api, sheet)
    token = jet.seat["Authorization"][7:]
    sheets = [{"match": jet.id, "token": token}, {"match": red.id}]
    stored = api.post("/records/reconstruct", json={"scoresheets": sheets, "save": True})
    assert stored.status_code == 201, stored.text
    found = stored.json()["match"]
    for sheet in (jet, red):
        tags = api.get(f"/matches/{sheet.id}/tags").json()["tags"]
        assert tags["Reconstructed"] == found
    tags = api.get(f"/matches/{found}/tags").json()["tags"]
    assert (tags["Scoresheet1"], tags["Scoresheet2"]) == (jet.id, red.id)
    page = api.get(f"/m/{red.id}", headers={**red.seat, "accept": "text/html"}).text
    assert f"/m/{found}" in page


def test_scoresheet_has_the_moves_of_both_players(api):
    (jet, red), _ = pair(api)
    api.play(jet.id, jet.seat, "M@c1", "S@c6", "c1>L@c3", "--", "1:c3xc4")
    api.play(red.id, red.seat, "M@c1", "S@c6", "c1>L@c3", "c6>M@c4", "1:c3xc4")
    log = api.get(f"/matches/{jet.id}/events", headers=jet.seat).json()["events"]
    assert [each["event"]["seat"] for each in log] == [None, None, None, None, 1]
    assert api.play(jet.id, jet.seat, "ruled=+1").status_code == 403
    for sheet in (jet, red):
        done(api, sheet)
    sheets = [{"match": sheet.id} for sheet in (jet, red)]
    stored = api.post("/records/reconstruct", json={"scoresheets": sheets, "save": True})
    assert stored.status_code == 201, stored.text
    plies = stored.json()["plies"]
    assert [ply["entries"] for ply in plies[2:4]] == [["c1>L@c3"] * 2, ["--", "c6>M@c4"]]


def test_both_open_an_hour_after_the_first(api, monkeypatch):
    (jet, red), _ = pair(api)
    opens = done(api, red).json()["opens"]
    done(api, red)
    assert not reads(api, jet)
    book = api.book
    start = book.now()
    monkeypatch.setattr(book, "now", lambda: opens - 1)
    assert not reads(api, jet)
    monkeypatch.setattr(book, "now", lambda: opens)
    assert start + HOUR >= opens
    for sheet in (jet, red):
        assert reads(api, sheet)
        assert api.get(f"/matches/{sheet.id}").json()["visibility"] == "unlisted"
        assert api.play(sheet.id, sheet.seat, MOVES[0]).status_code == 409
    assert api.play(jet.id, jet.host, MOVES[0]).status_code == 200
    shut = api.client.put(
        f"/matches/{jet.id}/visibility", json={"visibility": "private"}, headers=jet.host
    )
    assert shut.status_code == 200
    assert not reads(api, jet)


def test_host_opens_both_with_a_reason(api):
    (jet, red), _ = pair(api)
    api.play(jet.id, jet.seat, *MOVES[:2])
    refused = done(api, jet, reason="the bus")
    assert refused.status_code == 403
    assert not reads(api, red)
    state = done(api, red, red.host, reason="the bus").json()
    assert (state["done"], state["open"], state["other"]) == (False, True, jet.id)
    for sheet in (jet, red):
        assert "before both were done: the bus" in api.get(f"/matches/{sheet.id}/annotations").text
        assert api.play(sheet.id, sheet.seat, MOVES[2]).status_code == 409


def test_scoresheet_does_not_open_alone(api):
    (jet, red), _ = pair(api)
    where = f"/matches/{jet.id}/visibility"
    refused = api.client.put(where, json={"visibility": "unlisted"}, headers=jet.host)
    assert (refused.status_code, "opens together" in refused.text) == (400, True), refused.text
    assert not reads(api, jet)
    assert not reads(api, red)


def test_repeated_request_gets_the_same_pair(api):
    key = {"Idempotency-Key": "a-pair-of-scoresheets-0001"}
    body = {"game": "poptrix", "scoresheets": "each"}
    first, again = (api.post("/matches", json=body, headers=key).json() for _ in range(2))
    assert first["scoresheets"] == again["scoresheets"]


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"game": "score-sheet", "seats": 3}, "kept by two players"),
        ({"game": "power-play", "dice": "service"}, "the table rolls its dice"),
        ({"game": "pyramid-ball"}, "secret moves"),
        ({"game": "poptrix", "clock": {"total": 60}}, "no clock"),
        ({"game": "poptrix", "scoresheets": "both"}, "scoresheets"),
    ],
)
def test_unfit_pair_is_refused_in_words(api, body, words):
    refused = api.post("/matches", json={"scoresheets": "each", **body})
    assert (refused.status_code, words in refused.text) == (400, True), refused.text


def test_pair_is_not_opened_at_an_evening(api):
    evening = api.post("/evenings", json={"title": "Pairs", "date": "2026-11-24"}).json()
    body = {"game": "poptrix", "scoresheets": "each"}
    refused = api.post("/matches", json=body, headers=bearer(evening["token"]))
    assert (refused.status_code, "evening" in refused.text) == (400, True), refused.text


def test_forged_pair_opens_no_other_match(api):
    (jet, red), _ = pair(api)
    mine = api.open(unjudged=True, visibility="private")
    book = api.book
    for victim in (jet.id, api.open(visibility="private").id):
        book.store.set_metadata(book.open(mine.id).stream.id, {BESIDE: victim}).result()
        api.post(f"/matches/{mine.id}/done", json={"reason": "mine"}, headers=mine.host)
        assert api.get(f"/matches/{victim}").status_code == 401
        assert not reads(api, red)


def test_other_match_is_never_done(api):
    match = api.open(unjudged=True)
    refused = api.post(f"/matches/{match.id}/done", json={}, headers=match.host)
    assert (refused.status_code, "two scoresheets" in refused.text) == (409, True), refused.text
    early = api.post(f"/matches/{match.id}/done", json={"reason": "x"}, headers=match.host)
    assert early.status_code == 409
