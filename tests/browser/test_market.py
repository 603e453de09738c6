"""Lines of a table are tapped on a phone, and are as high as a finger; tiles can be read."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.browser.board_page import BoardPage
from tests.browser.launch import Server, run_server_with
from tests.browser.page_checks import SMALL_TARGETS


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """Run a server with a game whose goods are lines of a table."""
    with run_server_with("market_game.py") as running:
        yield running


def test_lines_of_a_table_are_tapped(phone, server):
    opened = server.open("market", seats=2, players={"1": "Jet", "2": "Red"})
    page = phone(viewport={"width": 360, "height": 640})
    table = BoardPage(server, page, opened)
    line = page.locator(".board [data-at=salt]")
    assert line.get_attribute("aria-label") == "salt, 5"
    assert page.evaluate(SMALL_TARGETS) == []
    line.tap()
    table.settled(1)
    table.says("Jet buys salt")
    page.locator(".board [data-at=salt]").tap()
    table.says("Salt is sold")
    page.locator(".board [data-at=corn]").tap()
    table.settled(2)
    assert server.line(opened) == ["salt", "corn"]
