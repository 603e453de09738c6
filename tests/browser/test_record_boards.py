"""Boards of hexes and of points and chequered ones, and rows of pieces, are tapped on a phone."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.browser.board_page import BoardPage
from tests.browser.launch import Server, run_server_with

pytestmark = pytest.mark.slow

SMALL = {"viewport": {"width": 390, "height": 664}}
MOVES = {
    "hexes": ("Q1>e5", "A2>e6", "B1>d5", "S2>f5"),
    "points": ("O1>e5", "O2>i9", "O1>a1"),
    "chequered": ("N1>b1", "P2>d5", "P1>d4"),
}


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """Run a server with the game of many boards."""
    with run_server_with("boards_game.py") as running:
        yield running


@pytest.mark.parametrize("board", MOVES)
def test_pieces_are_moved_from_row_to_board(board, phone, server):
    opened = server.open("boards", options={"board": board}, players={"1": "Jet", "2": "Red"})
    table = BoardPage(server, phone(**SMALL), opened)
    for version, token in enumerate(MOVES[board], 1):
        piece, at = token.split(">")
        table.says("Take a piece in hand.")
        table.place(piece).tap()
        table.says("Put it on the board.")
        assert "is-chosen" in table.place(piece).get_attribute("class")
        table.place(at).tap()
        table.settled(version)
        assert table.place(at).locator(".pb-piece").count() == 1
    assert server.line(opened) == list(MOVES[board])
    assert table.page.evaluate("document.documentElement.scrollWidth") == 390
