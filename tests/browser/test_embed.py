"""A match in the page of another site: framed there, live, and without controls."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[tuple[Path, str]]:
    """Another site: its folder and its address."""

    class Quiet(SimpleHTTPRequestHandler):
        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments, directory=str(tmp_path))

        def log_message(self, *arguments: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Quiet) as site:
        thread = threading.Thread(target=site.serve_forever)
        thread.start()
        yield tmp_path, f"http://127.0.0.1:{site.server_port}/"
        site.shutdown()
        thread.join()


@pytest.fixture
def opened(server, opened):
    server.play(opened, "M@c1", "S@c6")
    return opened


@pytest.fixture
def framed(desktop, server, opened, elsewhere):
    """Return a function that frames a page of the match in the page of another site."""
    folder, address = elsewhere

    def show(path: str):
        page = desktop()
        page.goto(f"{server.url}/join/{opened.id}/{opened.host}")
        source = f"{server.url}/m/{opened.id}{path}"
        site = folder / "index.html"
        site.write_text(f'<iframe src="{source}" width="560" height="720"></iframe>')
        page.goto(address)
        return page.frame_locator("iframe")

    return show


def test_framed_board_is_live_without_controls(framed, server, opened):
    frame = framed("/embed")
    frame.locator(".told", has_text="Red places a small on c6").wait_for()
    assert frame.locator("script.record-controls").count() == 0
    server.play(opened, "c1>L@c3")
    frame.locator(".told", has_text="c1 launches a large to c3").wait_for()
    assert frame.locator(".place").inner_text() == "3 / 3"
    frame.locator("[data-go=previous]").click()
    frame.locator(".place", has_text="2 / 3").wait_for()
    frame.locator("[data-go=last]").click()
    frame.locator(".place", has_text="3 / 3").wait_for()


def test_board_and_steps_fit_a_small_frame(screens, server, opened):
    page = screens(viewport={"width": 320, "height": 440})
    page.goto(f"{server.url}/m/{opened.id}/embed")
    for part in (".pb-live", "[data-go=next]"):
        box = page.locator(part).bounding_box()
        assert box["y"] + box["height"] <= 440
    assert page.evaluate("document.scrollingElement.scrollWidth") == 320


SHARING = """
window.sent = [];
navigator.canShare = () => true;
navigator.share = async ({ files }) => sent.push([files[0].name, files[0].type, files[0].size]);
"""


def test_share_sends_picture_with_names_and_result(phone, server, opened):
    pytest.importorskip("resvg_py", reason="the extra `pictures` is not installed")
    server.play(opened, "1:resign")
    page = phone()
    page.add_init_script(SHARING)
    page.goto(f"{server.url}/m/{opened.id}/share")
    picture = page.get_by_alt_text("Poptrix. Red won.")
    picture.wait_for()
    assert picture.evaluate("picture => picture.decode().then(() => picture.naturalWidth)") == 1200
    page.get_by_role("button", name="Send the picture").tap()
    [[name, kind, size]] = page.evaluate("sent")
    assert (name, kind) == (f"plybook-{opened.id}.png", "image/png")
    assert size > 5_000


def test_share_page_offers_frame_unless_match_is_private(phone, server, opened):
    page = phone()
    page.goto(f"{server.url}/m/{opened.id}/share")
    code = page.locator("#embed").input_value()
    assert f'src="{server.url}/m/{opened.id}/embed"' in code
    private = server.open(visibility="private")
    page.goto(f"{server.url}/join/{private.id}/{private.host}")
    page.goto(f"{server.url}/m/{private.id}/share")
    page.get_by_role("button", name="Copy the link").wait_for()
    assert page.locator("#embed").count() == 0
