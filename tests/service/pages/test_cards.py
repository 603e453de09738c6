"""Match cards in lists: enough details to distinguish matches."""

from __future__ import annotations

import re
from datetime import datetime

import pytest

from service.pages.cards import MatchCard, by_month
from service.pages.words import ago

NOON = int(datetime(2026, 3, 12, 12, 0).timestamp() * 1000)
MINUTE = 60_000
HOUR = 60 * MINUTE


@pytest.mark.parametrize(
    ("before", "told"),
    [
        (-5000, "just now"),
        (59_000, "just now"),
        (MINUTE, "1 min ago"),
        (59 * MINUTE, "59 min ago"),
        (HOUR, "1 h ago"),
        (11 * HOUR, "11 h ago"),
        (13 * HOUR, "yesterday"),
        (36 * HOUR, "yesterday"),
        (37 * HOUR, "2 days ago"),
        (6 * 24 * HOUR, "6 days ago"),
        (7 * 24 * HOUR, "5 Mar 2026"),
    ],
)
def test_card_shows_time_since_the_match(before, told):
    assert ago(NOON - before, NOON) == told


def test_hours_are_counted_across_midnight():
    night = NOON - 11 * HOUR - 30 * MINUTE
    assert ago(night - HOUR, night) == "1 h ago"


def test_unnamed_matches_differ_by_their_details(api):
    begun, going, ended = (api.open(visibility="public") for _ in range(3))
    api.play(going.id, going.host, "M@c1", "S@c6", "c1>L@c3")
    api.play(ended.id, ended.host, "M@c1", "1:resign")
    page = api.get("/library").text
    cards = {each.id: _card(page, each.id) for each in (begun, going, ended)}
    assert "not begun" in cards[begun.id]
    assert "3 moves<" in cards[going.id]
    assert "2 moves<" in cards[ended.id]
    assert all(re.search("just now|ago", card) for card in cards.values()), cards


def test_card_of_older_match_has_its_date(api):
    text = '[Game "poptrix"]\n[Date "2019.05.04"]\n\n1. M@c1 *\n'
    brought = api.post("/records", content=text, headers={"Content-Type": "text/plain"}).json()
    match = brought["matches"][0]["match"]
    page = api.get(f"/m/{match}").text
    assert page
    visible = api.client.put(
        f"/matches/{match}/visibility",
        json={"visibility": "public"},
        headers={"Authorization": f"Bearer {brought['matches'][0]['tokens']['host']}"},
    )
    assert visible.status_code == 200
    assert "4 May 2019" in _card(api.get("/library").text, match)


def test_card_shows_no_sealed_move(api):
    match = api.open("pyramid-ball", visibility="public")
    api.play(match.id, match.host, "1:S=FLR,M=RRB,L=LBF")
    assert "FLR" not in _card(api.get("/library").text, match.id)


def _card(page: str, match: str) -> str:
    return page.partition(f'href="/m/{match}')[2].partition("</li>")[0]


def test_card_has_the_colours_of_the_pieces(api):
    match = api.open("cube-pyramid", visibility="public", players={"1": "Ann", "2": "Ben"})
    card = _card(api.get("/library").text, match.id)
    assert '<i class="pb-light"></i></b> Ann' in card
    assert '<i class="pb-dark"></i></b> Ben' in card


def test_cards_are_grouped_by_month():
    days = ("2026-11-29T10:00Z", "2019-05-04", "2026-11-01", "2018-05-04")
    shown = [MatchCard("", True, "", (), "", "", "", "", day, "") for day in days]
    months = [(month, len(found)) for month, found in by_month(shown)]
    assert months == [("November 2026", 2), ("May 2019", 1), ("May 2018", 1)]
