"""A phone dies with a move that it had not sent; another one takes its place."""

from __future__ import annotations

from typing import Any

import pytest

from tests.browser.board_page import API, BoardPage
from tests.waiting import PATIENCE

pytestmark = pytest.mark.slow
NOW = "Seat 2 has another phone now; the former was last heard at move 2"

WAY = ["A dead phone", "Replace Ben’s phone", "Replace it"]
"""The taps from Share to a seat on another phone, beside the scan of the code."""

PAGES = 5
"""The most pages and writes that the other phone asks for until it has the seat."""

STORED = ["M@c1", "S@c6", "c1>L@c3"]


def test_another_phone_has_the_seat_and_nothing_is_lost(phone, server):
    opened = server.open(players={"1": "Anna", "2": "Ben"})
    server.play(opened, "M@c1")
    host = BoardPage(server, phone(), opened)
    old = BoardPage(server, phone(), opened, opened.seats["2"])
    old.enter("S@c6")
    host.settled(2)
    host.enter("c1>L@c3")
    old.settled(3)
    old.page.context.route(API, lambda route: route.abort())
    old.tap("c6", "M", "c4")
    old.says("No connection: 1 move waits")
    host.page.goto(f"{server.url}/m/{opened.id}/share")
    open_, replace, take = WAY
    host.page.get_by_text(open_).click()
    host.page.get_by_role("button", name=replace).click()
    code = host.page.get_by_alt_text("Replace Ben’s phone: code of the link below")
    code.wait_for()
    host.page.wait_for_function("code => code.naturalWidth > 0", arg=code.element_handle())
    link = host.page.get_by_label("Link for the other phone").input_value()
    host.page.goto(f"{server.url}/m/{opened.id}")

    new = phone()
    asked_for: list[str] = []
    new.on("request", lambda sent: asked_for.extend(_page_or_write(sent)))
    new.goto(link)
    new.get_by_role("heading", name="Replace Ben’s phone?").wait_for()
    new.get_by_role("button", name=take).click()
    new.get_by_text("You are Ben").wait_for()
    assert 0 < len(asked_for) <= PAGES, asked_for
    for page in (new, host.page):
        page.locator(".told").get_by_text(NOW).wait_for()

    old.page.context.unroute(API)
    old.page.evaluate("dispatchEvent(new Event('online'))")
    lost = old.page.locator("[data-part=lost]")
    lost.get_by_text("Another phone has this seat now").wait_for()
    lost.get_by_text("1 move not sent: the table is asked about it.").wait_for()
    assert old.page.evaluate(f"localStorage.getItem('plybook-outbox-{opened.id}')") is None
    host.page.get_by_role("button", name="Look at it").click()
    asked = host.page.get_by_role("dialog", name="A former phone had not sent")
    asked.get_by_text("c6>M@c4").wait_for()
    assert server.line(opened) == STORED
    asked.get_by_role("button", name="Enter it").click()
    asked.wait_for(state="detached")
    host.settled(4)
    assert server.line(opened) == [*STORED, "c6>M@c4"]
    new.wait_for_selector("article.frame[data-version='4']", timeout=PATIENCE * 1000)
    host.page.reload()
    host.settled(4)
    assert host.page.get_by_role("button", name="Look at it").count() == 0


def _page_or_write(request: Any) -> list[str]:
    """Return what a request asks for, if it is a page or a write and not a part of a page."""
    counts = request.is_navigation_request() or request.method != "GET"
    return [f"{request.method} {request.url}"] if counts else []
