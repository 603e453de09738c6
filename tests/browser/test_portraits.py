"""Colours and pictures of players: chosen with the name, shown everywhere, kept on the device."""

from __future__ import annotations

import struct
import zlib
from typing import Any

PORTRAITS = "JSON.parse(localStorage.getItem('plybook.portraits') ?? '{}')"


def png(side: int) -> bytes:
    """Return a green square."""
    head = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    rows = (b"\0" + b"\0\xa0\0" * side) * side
    parts = ((b"IHDR", head), (b"IDAT", zlib.compress(rows)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        for kind, body in parts
    )


def open_form(page: Any) -> None:
    page.locator("[data-name='1']").tap()
    page.get_by_text("Colour and picture").wait_for()


def test_portrait_stays_on_the_device_until_removed(phone, server, opened):
    page = phone(viewport={"width": 390, "height": 664})
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.post_data or ""))
    # A plain address has no rights of a secure context.
    there = server.url.replace("127.0.0.1", "phone.test")
    page.goto(f"{there}/join/{opened.id}/{opened.host}")
    open_form(page)
    page.get_by_role("button", name="Colour 3").tap()
    file = {"name": "portrait.png", "mimeType": "image/png", "buffer": png(1200)}
    page.get_by_label("A picture").set_input_files(file)
    page.locator(".seen-portrait canvas").wait_for()
    page.get_by_role("button", name="Save").tap()
    page.locator(".players canvas.portrait").wait_for()
    kept = page.evaluate(PORTRAITS)["jet"]
    assert kept["colour"] == 3
    assert len(kept["picture"]) < 4000
    drawn = "portrait => [...portrait.getContext('2d').getImageData(48, 48, 1, 1).data]"
    red, green, *_ = page.locator(".players .portrait").evaluate(drawn)
    assert green > 100 > red
    assert not any(kept["picture"][:100] in each for each in sent)
    for path in ("/", "/library/stats", f"/m/{opened.id}/replay"):
        page.goto(there + path)
        page.locator("[data-who='Jet'] > canvas.portrait").first.wait_for()
    page.goto(f"{there}/m/{opened.id}")
    open_form(page)
    page.get_by_role("button", name="No portrait").tap()
    page.get_by_role("button", name="Save").tap()
    page.locator(".players .portrait").first.wait_for(state="detached")
    assert page.evaluate(PORTRAITS) == {}


def test_file_without_a_picture_is_refused(phone, server, opened):
    page = phone()
    page.goto(f"{server.url}/join/{opened.id}/{opened.host}")
    open_form(page)
    file = {"name": "portrait.png", "mimeType": "image/png", "buffer": b"nothing"}
    page.get_by_label("A picture").set_input_files(file)
    page.get_by_text("This is not a picture that this browser can read").wait_for()
    page.get_by_role("button", name="Colour 8").tap()
    page.get_by_role("button", name="Save").tap()
    page.locator("dialog").wait_for(state="detached")
    assert page.locator(".players .portrait").inner_text() == "J"
