"""Cards that fall are tapped on a pad of all cards, or typed, and none needs scrolling."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.board_page import BoardPage
from tests.browser.launch import Server, run_server
from tests.browser.page_checks import SMALL_TARGETS
from tests.conformance.door import install
from tests.paths import ROOT

NAMES = {"1": "Jet", "2": "Red", "3": "Sky", "4": "Fir"}
SEEN = """() => {
  const boxes = [...document.querySelectorAll(".card-key, [data-undo], .board svg, .said")]
    .map((element) => element.getBoundingClientRect());
  const rows = Map.groupBy(document.querySelectorAll(".card-key"), ({ offsetTop }) => offsetTop);
  return {
    bottom: Math.max(...boxes.map(({ bottom }) => bottom)) <= innerHeight,
    right: document.scrollingElement.scrollWidth <= innerWidth,
    most: Math.max(...[...rows.values()].map(({ length }) => length)),
  };
}"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Run a server with Whist and Hearts."""
    site: Path = tmp_path_factory.mktemp("plugins")
    for game in ("hearts", "whist"):
        install(ROOT / "plugins" / game, site)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", os.pathsep.join((str(site), str(ROOT))))
        with run_server() as running:
            yield running


def opened(server, game):
    return server.open(game, seats=4, players=NAMES, options={"hands": "unseen"})


def cards(table) -> list[str]:
    return table.page.locator(".card-key").evaluate_all("all => all.map(one => one.dataset.card)")


@pytest.mark.parametrize("size", [pytest.param((390, 664), marks=pytest.mark.slow), (360, 640)])
@pytest.mark.parametrize("game", ["whist", "hearts"])
def test_all_cards_are_on_the_screen_of_a_phone(phone, server, game, size):
    page = phone(viewport={"width": size[0], "height": size[1]})
    table = BoardPage(server, page, opened(server, game))
    page.locator(".card-key").first.wait_for()
    assert len(cards(table)) == 52
    assert page.evaluate(SEEN) == {"bottom": True, "right": True, "most": 11}
    assert page.evaluate(SMALL_TARGETS) == []


def test_cards_are_tapped_and_typed_until_one_proves_what_was_broken(phone, server):
    match = opened(server, "whist")
    table = BoardPage(server, phone(), match)
    for version, card in enumerate(("2H", "3H", "4H"), 1):
        table.press(card=card)
        table.settled(version)
    assert cards(table)[:2] == ["AH", "KH"]  # the suit that was led
    table.press(card="2C")
    table.settled(4)
    table.says("Sky takes it")
    assert table.page.locator(".board .pb-piece").count() >= 4
    table.page.keyboard.type("5h")
    table.settled(5)
    table.page.keyboard.type("10h")
    table.settled(6)
    table.says("Fir broke WHI-3.2 in trick 1")
    assert server.line(match) == ["2H", "3H", "4H", "2C", "5H", "TH"]
    assert not {"2H", "TH"} & {*cards(table)}
    table.press(undo="")
    table.settled(7)
    assert "TH" in cards(table)


def test_seat_that_leads_is_tapped_where_nobody_knows_it(phone, server):
    match = opened(server, "hearts")
    table = BoardPage(server, phone(), match)
    table.says("Who leads?")
    assert table.page.locator(".card-key:disabled").count() == 52
    table.press(choose="3")
    table.press(card="2C")
    table.settled(1)
    table.press(card="AC")
    table.settled(2)
    assert server.line(match) == ["3:lead=2C", "AC"]
