"""Whist, Hearts and Bridge over HTTP, with hands that are known and hands that nobody typed."""

from __future__ import annotations

import pytest

from tests.service.conftest import serve

LEADS = {
    "whist": ("2C", "3C", "4C", "5C"),
    "hearts": ("1:lead=2C", "3C", "4C", "5C"),
    "bridge": ("bid=1NT", "pass", "pass", "pass"),
}
"""The first moves of each game."""


@pytest.fixture
def api(site):
    with serve() as served:
        yield served


@pytest.mark.parametrize("slug", LEADS)
def test_explorer_counts_what_the_table_saw(api, slug):
    moves = LEADS[slug]
    for length in (3, 4):
        match = api.open(slug, options={"hands": "unseen"}, visibility="public")
        assert api.play(match.id, match.host, *moves[:length]).status_code == 200
    after = {"after": " ".join(moves[:3])}
    (found,) = api.get(f"/explore/{slug}", params=after).json()["moves"]
    assert (found["text"].endswith(moves[3]), found["seen"]) == (True, 1)
    (first,) = api.get(f"/matches/{match.id}/explore?ply=0").json()["moves"]
    assert first["seen"] == 2
    page = api.get(f"/library/explore/{slug}").text
    assert "2 times" in page
    assert f"/library/explore/{slug}" in api.get("/library").text
    way = api.get(f"/m/{match.id}/explored?ply=3", follow_redirects=False).headers["Location"]
    assert "once" in api.get(way).text


def test_cards_that_fell_in_a_different_order_are_one_position(api):
    tricks = ("2C 3C 4C 5C", "2D 3D 4D 5D")
    for order, card in ((tricks, "2S"), (tricks[::-1], "3S")):
        match = api.open("whist", options={"hands": "unseen"}, visibility="public")
        texts = " ".join((*order, f"3:{card}")).split()
        assert api.play(match.id, match.host, *texts).status_code == 200, order
    found = api.get(f"/matches/{match.id}/explore?ply=8").json()
    assert {move["text"] for move in found["moves"]} == {"2S", "3S"}


def test_positions_with_known_hands_are_not_compared(api):
    match = api.open("whist", visibility="public")
    refused = api.get(f"/matches/{match.id}/explore")
    assert refused.status_code == 409
    assert "hands=unseen" in refused.json()["detail"]
    assert api.get(f"/m/{match.id}/explored", follow_redirects=False).status_code == 404
