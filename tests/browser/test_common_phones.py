"""The pages at the sizes that browsers leave of common phones: 390 by 664, and 360 by 640."""

from __future__ import annotations

import pytest

from tests.browser.board_page import BoardPage

SIZES = [(390, 664), (360, 640)]
JUMP = "a2-b2 f8-g7 a3-b4 g7-f6 b4-c3 f6-e7 a1^c3 e7-d6 a3^a1 d6-c6 c3-c4 c6-b6 a1^c3 ^c5 ^e3 ."


@pytest.fixture(params=SIZES[:1])
def page(request, screens):
    """A page on a common phone, of 390 by 664 unless a test names other sizes."""
    width, height = request.param
    return screens(
        viewport={"width": width, "height": height},
        device_scale_factor=2,
        has_touch=True,
        is_mobile=True,
    )


def test_whole_jump_is_shown_after_its_end(page, server):
    opened = server.open("power-play")
    server.play(opened, *JUMP.split())
    table = BoardPage(server, page, opened)
    assert page.locator(".board .pb-way").count() == 3
    table.says("hops from a1 over b2 to c3")
    table.says("hops from c5 over d4 to e3")
    assert page.locator(".players .score > :first-child").all_inner_texts() == ["0 of 18 lost"] * 2
