"""The address of a machine at home: plain HTTP under a name, where browsers allow less."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.browser.board_page import API, BoardPage
from tests.browser.launch import PHONE, Server, new_context, run_server

NAME = "phone.test"


@pytest.fixture
def there(server: Server) -> Server:
    return server._replace(url=f"http://{NAME}:{urlsplit(server.url).port}")


@pytest.fixture
def phones(chromium: Any) -> Iterator[Any]:
    contexts: list[Any] = []

    def phone() -> Any:
        contexts.append(new_context(chromium, **PHONE))
        return contexts[-1].new_page()

    yield phone
    for context in contexts:
        context.close()


def test_moves_are_recorded_and_followed_live(phones, server, there, opened):
    host = BoardPage(there, phones(), opened)
    looker = phones()
    looker.goto(f"{there.url}/m/{opened.id}")
    assert host.page.evaluate("isSecureContext") is False
    host.enter("M@c1")
    looker.locator('.board .pb-cell[data-at="c1"] .pb-piece').wait_for()
    assert server.line(opened) == ["M@c1"]


@pytest.mark.slow
def test_offline_taps_are_stored_and_sent_later(phones, server, there, opened):
    host = BoardPage(there, phones(), opened)
    host.page.context.route(API, lambda route: route.abort())
    host.tap("c1", "M")
    host.says("No connection: 1 move waits")
    host.page.reload()
    host.says("No connection: 1 move waits")
    host.page.context.unroute(API)
    host.page.evaluate("dispatchEvent(new Event('online'))")
    host.settled(1)
    assert server.line(opened) == ["M@c1"]


@pytest.mark.slow
def test_invitation_address_is_copied_and_opens_seat(phones, server, there, opened):
    host = BoardPage(there, phones(), opened).page
    host.goto(f"{there.url}/m/{opened.id}/invite")
    guest = host.locator(".guest[data-whom='2']")
    guest.get_by_role("button", name="Make").tap()
    guest.locator(".qr").wait_for()
    link = guest.locator(".address").input_value()
    assert link.startswith(f"{there.url}/join/{opened.id}/")
    guest.get_by_role("button", name="Copy").tap()
    guest.get_by_text("Copied.").wait_for()
    assert _pasted(host) == link
    red = phones()
    red.goto(link)
    red.wait_for_url(f"{there.url}/m/{opened.id}")
    assert red.locator("main").get_attribute("data-seat") == "2"


class Elsewhere(BaseHTTPRequestHandler):
    """A server of another site, with an empty page."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        pass


OPEN_MATCH = """async () => {
    const headers = {"Content-Type": "application/json"};
    const answer = await fetch("/matches", {method: "POST", headers, body: '{"game": "poptrix"}'});
    return [answer.status, (await answer.json()).code, (await fetch("/games")).status];
}"""


def test_page_whose_name_changes_its_address_gets_nothing(phones):
    page = phones()
    with HTTPServer(("127.0.0.1", 0), Elsewhere) as elsewhere:
        port = elsewhere.server_port
        serving = threading.Thread(target=elsewhere.serve_forever)
        serving.start()
        page.goto(f"http://rebound.test:{port}/")
        elsewhere.shutdown()
        serving.join()
    with run_server("--port", str(port)) as server:
        assert urlsplit(server.url).port == port
        assert page.evaluate(OPEN_MATCH) == [421, "unknown-host", 421]


def _pasted(page: Any) -> str:
    """Return the text that a paste puts into a field of another page."""
    page.goto(page.url.rpartition("/m/")[0] + "/library")
    page.locator("input[name=q]").focus()
    page.keyboard.press("Control+V")
    return str(page.locator("input[name=q]").input_value())
