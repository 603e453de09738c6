"""The page that adjusts the position: access, content, and refusals."""

from __future__ import annotations

import json
import re
from html import unescape

import pytest

from tests.conformance import door
from tests.conformance.subjects import SITE
from tests.service.conftest import Api

BROWSER = {"Accept": "text/html,*/*;q=0.8"}
OPENING = ("M@c1", "S@c6", "c1>L@c3")


@pytest.fixture
def match(api):
    match = api.open(players={"1": "Jet", "2": "Red"})
    api.play(match.id, match.host, *OPENING)
    return match


def board(api: Api, match, *shifts: str, **more):
    query = {"shift": list(shifts)} | more
    return api.get(f"/m/{match.id}/adjust/board", params=query, headers=match.host)


def data(fragment: str, name: str) -> str:
    return unescape(re.search(rf'data-{name}="(.*?)"', fragment)[1])


def things(fragment: str) -> dict:
    return json.loads(re.search(r'class="things">(.*?)</script>', fragment)[1])


def test_only_the_host_adjusts(api, match):
    for path in (f"/m/{match.id}/adjust", f"/m/{match.id}/adjust/board"):
        assert api.get(path, headers=match.host).status_code == 200
        for who in ({}, *match.seats.values()):
            refused = api.get(path, headers=who | BROWSER)
            assert refused.status_code == 403
            assert "Only the scorekeeper" in refused.text
    assert api.get("/m/nonsense/adjust", headers=BROWSER).status_code == 404


def test_page_shows_board_stash_and_turn(api, match):
    page = api.get(f"/m/{match.id}/adjust", headers=match.host).text
    assert "Tap a piece, then tap where it stands on your table." in page
    assert 'aria-label="c3, large of Jet"' in page
    assert "In the stash of Jet" in page
    assert 'aria-label="small of Red, 4 in the stash of Red"' in page
    assert "Red is to launch." in page
    assert page.count('name="turn"') == 3
    assert f'data-version="{len(OPENING)}"' in page
    assert data(page, "text") in page.split("<textarea")[1]
    assert 'href="/rules/poptrix#positions"' in page
    assert '<details class="written">' in page


def test_address_holds_shifts_and_turn(api, match):
    told = board(api, match, "L,c3,d4", "s,stash2,d6", turn=1).text
    assert data(told, "text") == "2ss1/5/3L1/5/5/2M2 5S4M4L 3s5m5l 1 4"
    assert (data(told, "fit"), data(told, "differs")) == ("yes", "yes")
    assert data(told, "told") == "Jet is to launch."
    assert re.search(r'value="1" checked', told)
    assert {"what": "s", "words": "small of Red"} in things(told)["d6"]["things"]
    page = api.get(f"/m/{match.id}/adjust?shift=L,c3,d4&turn=1", headers=match.host).text
    assert 'aria-label="d4, large of Jet"' in page


def test_address_with_version_shows_its_board(api, match):
    told = board(api, match, "M,c1,c2", version=1).text
    assert 'aria-label="c2, medium of Jet"' in told
    assert 'aria-label="c6, empty' in told


def test_editor_begins_with_the_given_text(api, match):
    told = board(api, match, base="2s2/5/5/5/5/1M3 5S4M5L 4s5m5l 1 3").text
    assert 'aria-label="b1, medium of Jet' in told
    assert data(told, "fit") == "yes"


def test_incomplete_position_is_shown_with_the_reason(api):
    match = api.open(players={"1": "Jet", "2": "Red"})
    api.play(match.id, match.host, OPENING[0])
    told = board(api, match, "M,c1,a6")
    assert told.status_code == 200
    assert (data(told.text, "fit"), "This position is not possible yet." in told.text) == ("", True)
    assert "the home row of Red" in data(told.text, "told")


def test_adjustment_that_ends_match_announces_it(api, match):
    told = board(api, match, "s,c6,out").text
    assert data(told, "told") == "This ends the match: Jet won."


@pytest.mark.parametrize(
    ("query", "status", "detail"),
    [
        ("shift=L,c3,d3&shift=M,c1,d3", 409, "d3 is taken: empty it first"),
        ("shift=L,c4,d3", 409, "'L' is not on c4"),
        ("shift=nonsense", 400, "shift 1 is a thing, from where, to where, like S,stash1,c3"),
        ("shift=", 400, "not ''"),
        ("shift=a,b,c,d", 400, "like S,stash1,c3"),
        ("shift=" + "&shift=".join(["L,c3,d3", "L,d3,c3"] * 101), 400, "at most 200"),
        ("base=nonsense", 400, "not a position, column 9"),
        ("base=" + "x" * 2001, 400, ""),
        ("turn=7", 400, "seat 7 is not in the game"),
        ("turn=x", 400, ""),
        ("version=99", 404, "version 99 is not in"),
        ("shift=%00,%F0%9F%90%88,%22%3E", 409, "is not a place of this game"),
    ],
)
def test_invalid_adjustment_is_refused_with_reason(api, match, query, status, detail):
    answer = api.get(f"/m/{match.id}/adjust/board?{query}", headers=match.host)
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    assert detail in answer.json()["detail"]
    page = api.get(f"/m/{match.id}/adjust?{query}", headers=match.host | BROWSER)
    assert page.status_code in (400, 404)
    assert page.headers["content-type"].startswith("text/html")


def test_impossible_shift_is_named_by_its_number(api, match):
    assert board(api, match, "L,c3,d3", "M,c1,d3").json()["shift"] == 2


def test_sealed_move_prevents_adjusting(api):
    match = api.open("pyramid-ball", players={"1": "Jet"})
    api.play(match.id, match.host, "1:S=...,M=...,L=...")
    page = api.get(f"/m/{match.id}/adjust", headers=match.host)
    assert page.status_code == 409
    assert "ait until the sealed moves are revealed" in page.text
    assert f'href="/m/{match.id}"' in page.text
    refused = board(api, match)
    assert (refused.status_code, refused.json()["detail"]) == (
        409,
        "wait until the sealed moves are revealed",
    )


def test_shown_position_is_saved_and_recorded(api, match):
    text = data(board(api, match, "L,c3,d4", turn=1).text, "text")
    body = {"position": text, "reason": "the cat", "expected": len(OPENING)}
    saved = api.post(f"/matches/{match.id}/adjustments", json=body, headers=match.host)
    assert saved.status_code == 200
    assert data(board(api, match).text, "differs") == ""
    assert "the cat" in api.get(f"/m/{match.id}/replay").text


def test_game_without_shifts_shows_only_text(fresh):
    with door.opened(SITE):
        match = fresh.open("hidden-bid")
        page = fresh.get(f"/m/{match.id}/adjust", headers=match.host).text
    assert "Write the position on your table, show it, and save." in page
    assert '<details class="written" open>' in page
    assert "Put it here" not in page
    assert 'name="turn"' not in page
