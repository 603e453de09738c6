"""The first board of a match without an address equals that of an opened match."""

from __future__ import annotations

import pytest

from domain.games import BUILT_IN
from tests.service.pages.test_ahead import board


@pytest.mark.parametrize("game", BUILT_IN)
def test_every_game_has_a_first_board(api, game):
    page = api.get(f"/new/{game}/board")
    assert page.status_code == 200
    assert 'data-match=""' in page.text
    assert "record.js" in page.text
    assert "/m//" not in page.text


def test_first_boards_match_the_chosen_seats_and_options(api):
    query = "?seats=3&option.first=2"
    match = api.open("power-play", seats=3, options={"first": 2})
    tree = api.get(f"/new/power-play/ahead{query}").json()
    opened = api.get(f"/m/{match.id}/ahead", headers=match.host).json()
    assert tree["version"] == 0
    moves = list(opened["nodes"][0]["next"])
    assert list(tree["nodes"][0]["next"]) == moves
    assert board(tree, moves[0]) == board(opened, moves[0]).replace(match.id, "0" * 12)


@pytest.mark.parametrize(
    "query", ["seats=7", "seats=x", "option.first=9", "option.last=1", "dice=loaded"]
)
def test_bad_choices_are_refused(api, query):
    for part in ("board", "ahead"):
        assert api.get(f"/new/power-play/{part}?{query}").status_code == 400
        assert api.get(f"/new/chequers/{part}").status_code == 404
