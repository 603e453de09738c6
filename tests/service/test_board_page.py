"""The page of a match, and the frames it swaps."""

from __future__ import annotations

import json
import re


def test_the_page_shows_the_board_and_the_players_escaped(api):
    match = api.open(players={"1": "<Jet>", "2": "Red"})
    api.play(match.id, match.host, "M@c1", "S@c6")
    page = api.get(f"/m/{match.id}?ply=1")
    assert page.status_code == 200
    assert "&lt;Jet&gt;" in page.text
    assert 'data-at="c1"' in page.text
    assert "<Jet>" not in page.text
    assert api.get(f"/m/{match.id}?ply=9").status_code == 404


def test_a_frame_tells_what_its_caller_may_enter_and_nobody_else(api):
    match = api.open()
    api.play(match.id, match.host, "M@c1", "S@c6")
    frame = api.get(f"/m/{match.id}/frame", headers=match.seats["1"]).text
    doing = json.loads(re.search(r'class="doing">(.*?)</script>', frame)[1])
    assert doing["seats"][0]["seat"] == 1
    assert {"token": "c1>L@c3"}.items() <= next(
        choice for choice in doing["seats"][0]["choices"] if choice["token"] == "c1>L@c3"
    ).items()
    for who in ({}, match.seats["2"]):
        other = api.get(f"/m/{match.id}/frame", headers=who).text
        assert "c1>L@c3" not in other


def test_a_frame_behind_the_head_never_changes(api):
    match = api.open()
    api.play(match.id, match.host, "M@c1", "S@c6")
    frame = api.get(f"/m/{match.id}/frame?version=2&ply=1")
    assert "immutable" in frame.headers["cache-control"]
    assert api.get(f"/m/{match.id}/frame?ply=1&step=0").status_code == 404
