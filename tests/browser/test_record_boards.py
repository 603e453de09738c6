"""Boards of hexes and of points, chequered ones and rows of pieces are tapped on a phone."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.board_page import BoardPage
from tests.browser.launch import Server, run_server
from tests.conformance import door
from tests.paths import ROOT

pytestmark = pytest.mark.slow

SMALL = {"viewport": {"width": 390, "height": 664}}
MOVES = {
    "hexes": ("Q1>e5", "A2>e6", "B1>d5", "S2>f5"),
    "points": ("O1>e5", "O2>i9", "O1>a1"),
    "chequered": ("N1>b1", "P2>d5", "P1>d4"),
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Run a server with whist, and with the game of many boards."""
    site: Path = tmp_path_factory.mktemp("installed")
    door.install(ROOT / "plugins" / "whist", site)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", os.pathsep.join((str(site), str(ROOT))))
        patch.setenv("PLYBOOK_GAMES", str(ROOT / "tests" / "browser" / "boards_game.py"))
        with run_server() as running:
            yield running


@pytest.mark.parametrize("board", MOVES)
def test_pieces_of_rows_are_put_on_boards(board, phone, server):
    opened = server.open("boards", options={"board": board}, players={"1": "Jet", "2": "Red"})
    table = BoardPage(server, phone(**SMALL), opened)
    for version, token in enumerate(MOVES[board], 1):
        piece, at = token.split(">")
        table.place(piece).tap()
        assert "is-chosen" in table.place(piece).get_attribute("class")
        table.place(at).tap()
        table.settled(version)
        assert table.place(at).locator(".pb-piece").count() == 1
    assert server.line(opened) == list(MOVES[board])
    assert table.page.evaluate("document.documentElement.scrollWidth") == 390


def test_card_of_own_hand_is_played_by_tap(phone, server):
    opened = server.open("whist", seats=4, dice="service")
    for seat, token in opened.seats.items():
        rolled = {"events": [{"roll": True, "seat": int(seat)}]}
        server.post(f"/matches/{opened.id}/events", rolled, token)
    own, other = (BoardPage(server, phone(**SMALL), opened, opened.seats[seat]) for seat in "13")
    hand = [cell.get_attribute("data-at") for cell in own.page.locator(".board .pb-held").all()]
    assert len(set(hand)) == 13
    size = own.place(hand[0]).locator(".pb-hit").bounding_box()
    assert min(size["width"], size["height"]) >= 44
    own.place(hand[5]).tap()
    own.settled(5)
    assert own.place(hand[5]).count() == 0
    assert own.page.locator(".board .pb-cell").count() == 12
    other.page.locator('.board .pb-piece[data-piece$="1"]').wait_for()
    assert other.page.locator(".board .pb-cell").count() == 13
    assert server.line(opened) == [hand[5]]
