"""A match starts without a network, and gets its address when the server is back."""

from __future__ import annotations

import re

import pytest

from tests.browser.board_page import BoardPage
from tests.browser.test_offline import KEPT, wait_for

KEPT_BEFORE = """() => localStorage.setItem(
    "plybook.unopened", localStorage.getItem("plybook.unopened").replace('"unjudged"', '"quiet"')
)"""
"""Name a field of the request as earlier pages kept it."""


class LocalBoard(BoardPage):
    """The board of a match without an address, on the page that is open."""

    def __init__(self, page) -> None:
        self.page = page
        page.locator(".desk .foot").wait_for(state="attached")


@pytest.fixture
def page(phone, server):
    return phone(
        service_workers="allow", base_url=server.url, viewport={"width": 390, "height": 664}
    )


def prepare(page, form: str, board: str) -> None:
    """Open a form, and cut the network once the first board and those after it are stored."""
    page.goto(form)
    wait_for(page, KEPT, form)
    wait_for(page, KEPT, board.replace("board", "ahead"))
    page.context.set_offline(True)


def test_match_starts_offline_and_gets_its_address(page, server):
    page.goto("/")
    wait_for(page, KEPT, "/")
    page.goto("/new")
    wait_for(page, KEPT, "/new")
    prepare(page, "/new/poptrix", "/new/poptrix/board?seats=2")
    page.goto("/new")
    page.get_by_role("heading", name="What do you play?").wait_for()
    page.goto("/new/poptrix")
    page.locator("#seat1").fill("Ann")
    page.get_by_role("button", name="Start").tap()
    table = LocalBoard(page)
    table.says("No connection")
    table.tap("M", "c1")
    table.says("No connection: 1 move waits")
    table.says("Player 2 is to place")
    page.goto("/")
    page.get_by_role("link", name="not saved yet (poptrix, Ann)").tap()
    table = LocalBoard(page)
    table.tap("S", "c6")
    table.says("No connection: 2 moves wait")
    page.evaluate(KEPT_BEFORE)
    page.context.set_offline(False)
    page.wait_for_url(re.compile("/m/[a-z0-9]{12}$"))
    table.settled(2)
    match = server.get("/matches/" + page.url.rpartition("/")[2])
    assert (match["players"], match["version"]) == ({"1": "Ann"}, 2)
    assert page.evaluate("Object.keys(localStorage).filter((key) => key.includes('outbox'))") == [
        f"plybook-outbox-{match['match']}"
    ]
    page.goto("/")
    assert page.get_by_text("not saved yet").count() == 0


@pytest.mark.slow
def test_unknown_board_does_not_start_offline(page):
    prepare(page, "/new/power-play", "/new/power-play/board?seats=2&option.first=1")
    page.get_by_label("Player 2 begins").check()
    page.get_by_role("button", name="Start").tap()
    page.get_by_role("alert").get_by_text("whose board it has kept").wait_for()
    page.context.set_offline(False)  # what could not be fetched is tried again
    wait_for(page, KEPT, "/new/power-play/ahead?seats=2&option.first=2")
    page.context.set_offline(True)
    page.get_by_label("Player 1 begins").check()
    page.get_by_role("button", name="Start").tap()
    LocalBoard(page).says("Player 1 is to step or jump")
