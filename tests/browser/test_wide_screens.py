"""Wide screens show board, moves and comments side by side; tablets have a large board."""

from __future__ import annotations

from typing import Any

import pytest

from tests.browser.board_page import BoardPage
from tests.browser.replay_page import ReplayPage, record_match

MOVES = ".record .list [data-line=''] > a"


def box(page: Any, selector: str) -> dict[str, float]:
    found: dict[str, float] = page.locator(selector).first.bounding_box()
    return found


def beside(left: dict[str, float], right: dict[str, float]) -> bool:
    overlap = min(left["y"] + left["height"], right["y"] + right["height"])
    return left["x"] + left["width"] <= right["x"] and overlap > max(left["y"], right["y"])


OTHERS = [pytest.param(size, marks=pytest.mark.slow) for size in ((1440, 900), (1024, 768))]


@pytest.mark.parametrize("size", [(1280, 800), *OTHERS])
def test_moves_scroll_next_to_the_board(screens, server, size):
    page = screens(viewport={"width": size[0], "height": size[1]})
    match = record_match(server, 60, "blockade")
    page.goto(f"{server.url}/join/{match.id}/{match.host}")
    page.locator(MOVES).nth(59).wait_for()
    assert beside(box(page, ".pb-live"), box(page, ".record .list"))
    last = box(page, f"{MOVES}[aria-current]")
    assert last["y"] + last["height"] <= size[1]
    box_of_list = box(page, ".record .list")
    assert box_of_list["y"] + box_of_list["height"] <= size[1]
    for way in ("Look back", "Share", "Invite"):
        link = page.get_by_role("link", name=way).bounding_box()
        assert link["y"] + link["height"] <= size[1]


def test_moves_and_comments_appear_next_to_board(screens, server):
    page = screens(viewport={"width": 1440, "height": 900})
    opened = server.open(players={"1": "Jet", "2": "Red"})
    server.play(opened, "M@c1")
    page.goto(f"{server.url}/m/{opened.id}")
    page.locator(MOVES, has_text="M@c1").wait_for()
    server.play(opened, "S@c6")
    page.locator(f"{MOVES}[aria-current]", has_text="S@c6").wait_for()
    assert page.locator(MOVES, has_text="S@c6").get_attribute("href").endswith("/replay#2")
    said = {"ply": 1, "comment": "A quiet beginning"}
    server.post(f"/matches/{opened.id}/annotations", said, opened.host)
    page.locator(".record .note", has_text="A quiet beginning").wait_for()


def test_phone_fetches_no_list(phone, server):
    opened = server.open()
    page = phone()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    BoardPage(server, page, opened).enter("M@c1")
    assert not [url for url in asked if "replay/moves" in url or "match/moves_beside" in url]
    assert page.locator(".record").count() == 0


def test_small_laptop_replays_board_next_to_moves(screens, server):
    page = screens(viewport={"width": 1024, "height": 768})
    ReplayPage(server, page, record_match(server, 40, "blockade")).at("#30", shown=30)
    board = box(page, ".stage .board svg")
    assert beside(board, box(page, ".moves .list"))
    assert board["width"] > 450


@pytest.mark.parametrize("game", ["poptrix", pytest.param("power-play", marks=pytest.mark.slow)])
def test_tablet_has_large_board_above_controls(screens, server, game):
    page = screens(viewport={"width": 820, "height": 1180}, has_touch=True, is_mobile=True)
    BoardPage(server, page, server.open(game, players={"1": "Jet", "2": "Red"}))
    board, desk, trays = (box(page, each) for each in (".pb-live", ".desk", ".pb-trays"))
    assert board["height"] > 700
    assert beside(desk, trays)
    assert desk["y"] >= board["y"] + board["height"]
    assert desk["y"] + desk["height"] <= 1180
