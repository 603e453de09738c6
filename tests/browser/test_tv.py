"""A match on a large screen follows the moves, is read across a room, and enters nothing."""

from __future__ import annotations

from typing import Any

import pytest

from tests.browser.board_page import followed

SIZES = ((1920, 1080), (1440, 900))


def show(screens: Any, server: Any, match: str, size: tuple[int, int] = SIZES[0], **look: Any):
    page = screens(viewport={"width": size[0], "height": size[1]}, base_url=server.url, **look)
    page.goto(f"/m/{match}/tv")
    return page


@pytest.mark.parametrize("size", [SIZES[0], pytest.param(SIZES[1], marks=pytest.mark.slow)])
def test_board_and_move_fill_the_screen(screens, server, opened, size):
    page = show(screens, server, opened.id, size)
    server.play(opened, "M@c1", "S@c6", "c1>L@c3")
    told = page.locator(".told", has_text="c1 launches a large to c3")
    told.wait_for()
    line = told.evaluate(
        "line => [line.getBoundingClientRect().height, parseFloat(getComputedStyle(line).fontSize)]"
    )
    assert line[1] >= 40
    assert line[0] < 2 * line[1]
    assert page.locator(".pb-live").bounding_box()["height"] > 0.8 * size[1]
    assert page.evaluate(
        "[document.scrollingElement.scrollHeight, document.scrollingElement.scrollWidth]"
    ) == [size[1], size[0]]
    assert page.locator(".is-awaited .name").inner_text() == "Red"
    assert page.locator(".is-awaited .score").first.inner_text().startswith("1")


def test_long_text_is_wrapped_and_never_cut(screens, server):
    opened = server.open(players={"1": "Jet " + "a" * 60, "2": "Red " + "b" * 60})
    server.play(opened, "S@c1", "S@c6", "c1>M@c3", "c6>L@c4", "c3xc4")
    page = show(screens, server, opened.id, SIZES[1])
    page.locator(".tv.is-long").wait_for()
    assert page.evaluate(
        "(line => line.scrollWidth <= line.clientWidth && line.scrollHeight <= line.clientHeight)"
        "(document.querySelector('.told'))"
    )


@pytest.mark.parametrize(
    ("game", "seats", "moves"),
    [("power-play", 4, ()), ("score-sheet", 9, [f"{seat}:21" for seat in range(1, 10)])],
)
def test_code_cuts_nothing(screens, server, game, seats, moves):
    players = {str(seat): f"Player {seat}" for seat in range(1, seats + 1)}
    opened = server.open(game, seats=seats, players=players)
    if moves:
        server.play(opened, *moves)
    page = show(screens, server, opened.id, (1280, 720))
    page.locator("main.tv[style*=told]").wait_for()
    assert page.locator(".board svg").is_visible()
    assert page.evaluate(
        """[document.querySelector("main.tv"), document.querySelector(".beside")].every(
            (box) => box.scrollHeight <= box.clientHeight
        )"""
    )


BOTH = """() => [".standing", ".ranked"].map(
  (part) => document.querySelector(part).getBoundingClientRect().toJSON())"""
OVERLAPS = """() => {
  const parts = [".board .pb-scene", ".who", ".said .standing", ".ranked", ".said .rematch",
    ".follow", ".told"].map((part) => [part, document.querySelector(part)]);
  const boxes = parts.map(([part, at]) => [part, at.getBoundingClientRect()]);
  const apart = (a, b) => a.bottom <= b.top + 1 || b.bottom <= a.top + 1 ||
    a.right <= b.left + 1 || b.right <= a.left + 1;
  const pairs = boxes.flatMap((one, at) => boxes.slice(at + 1).map((other) => [one, other]));
  return [
    ...pairs.filter(([[, a], [, b]]) => !apart(a, b)).map(([[one], [other]]) => [one, other]),
    ...boxes.filter(([, box]) => box.bottom > innerHeight || box.top < 0),
  ];
}"""


@pytest.mark.parametrize(
    ("seats", "size"), [(4, (1280, 800)), (9, (1280, 720)), (4, SIZES[0])], ids=str
)
def test_end_of_a_full_sheet_stands_together(screens, server, seats, size):
    players = {str(seat): f"Player {seat}" for seat in range(1, seats + 1)}
    opened = server.open("score-sheet", seats=seats, players=players, options={"rounds": 10})
    server.play(opened, *(f"{seat}:1{seat}" for _ in range(10) for seat in range(1, seats + 1)))
    server.post(f"/matches/{opened.id}/rematch", {}, opened.host)
    page = show(screens, server, opened.id, size)
    page.locator("main.tv[style*=fit]").wait_for()
    page.wait_for_function(f"() => !({OVERLAPS})().length")
    result, ranks = page.evaluate(BOTH)  # at once: a stream may draw them again
    assert 0 <= ranks["top"] - result["bottom"] < 24
    assert page.locator(".ranked li").first.evaluate(
        "(each) => parseFloat(getComputedStyle(each).fontSize)"
    ) >= (20 if seats == 4 else 12)


def test_winner_is_large_with_their_sign(screens, server, opened):
    ruling = {"result": "won", "winner": 2}
    server.post(f"/matches/{opened.id}/rulings", ruling, opened.host)
    page = show(screens, server, opened.id)
    sign = page.locator(".standing > b")
    assert sign.evaluate("sign => getComputedStyle(sign, '::before').content") != "none"
    assert page.locator(".standing").bounding_box()["height"] > 96


def test_code_leads_to_match_unless_private(screens, server, opened):
    page = show(screens, server, opened.id)
    assert page.locator(".follow img").evaluate(
        "code => code.decode().then(() => code.naturalWidth)"
    )
    assert f"{server.url}/m/{opened.id}" in page.locator(".follow").inner_text()
    private = server.open(visibility="private")
    page.goto(f"/join/{private.id}/{private.host}")
    page.goto(f"/m/{private.id}/tv")
    assert page.locator(".pb-live").is_visible()
    assert page.locator(".follow").count() == 0


def test_host_has_no_controls_on_large_screen(screens, server, opened):
    page = show(screens, server, opened.id)
    page.goto(f"/join/{opened.id}/{opened.host}")
    page.goto(f"/m/{opened.id}/tv")
    assert page.locator("script.record-controls").count() == 0
    server.play(opened, "M@c1")
    page.locator(".frame[data-ply='1']").wait_for()
    page.locator('.pb-cell[data-at="a6"]').click(force=True)
    assert server.line(opened) == ["M@c1"]


def test_screen_alternates_between_boards(screens, server, opened):
    other = server.open("blockade", players={"1": "Teal", "2": "Gold"})
    private = server.open(visibility="private")
    page = screens(base_url=server.url)
    page.clock.install()
    page.goto(f"/join/{opened.id}/{opened.host}")
    page.goto(f"/m/{opened.id}/tv?with={other.id}&with={private.id}&with=nothing&seconds=30")
    for match in (other, opened, other):
        with followed(page):
            page.clock.run_for(29_000)
            page.clock.run_for(1_500)
            page.wait_for_url(f"**/m/{match.id}/tv?*")
    server.post(f"/matches/{other.id}/rulings", {"result": "drawn"}, other.host)
    after = server.post(f"/matches/{other.id}/rematch", {}, other.host)["match"]
    page.locator(".rematch").wait_for()
    page.clock.run_for(9_000)
    page.wait_for_url(f"**/m/{after}/tv?*")
    page.clock.run_for(31_000)
    page.wait_for_url(f"**/m/{opened.id}/tv?*")
    assert page.url.endswith(f"?with={after}&seconds=30")


def test_screen_of_an_evening_waits_for_its_first_table(screens, server):
    evening = server.post("/evenings", {"title": "Tuesday club", "date": "2026-11-24"})
    page = screens(base_url=server.url)
    page.clock.install()
    page.goto(f"/evenings/{evening['evening']}/tv?seconds=10")
    page.get_by_text("No table is open yet").wait_for()
    match = server.post("/matches", {"game": "poptrix"}, evening["token"])["match"]
    page.clock.run_for(11_000)
    page.wait_for_url(f"**/m/{match}/tv?*")
    assert "table 1" in page.locator("h1").inner_text()
