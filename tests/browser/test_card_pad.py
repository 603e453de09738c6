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
from tests.plugins.random_deals import RANKS

HANDS = {
    str(seat): [rank + suit for rank in reversed(RANKS)] for seat, suit in enumerate("CDSH", 1)
}
"""Each seat has all cards of a suit."""
SIZES = [pytest.param((390, 664), marks=pytest.mark.slow), (360, 640)]
NAMES = {"1": "Jet", "2": "Red", "3": "Sky", "4": "Fir"}
SEEN = """() => {
  const seen = ".card-key, [data-undo], [data-seal], .board svg, .said";
  const boxes = [...document.querySelectorAll(seen)]
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
    """Run a server with Bridge, Hearts and Whist."""
    site: Path = tmp_path_factory.mktemp("plugins")
    for game in ("bridge", "hearts", "whist"):
        install(ROOT / "plugins" / game, site)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", os.pathsep.join((str(site), str(ROOT))))
        with run_server() as running:
            yield running


def opened(server, game):
    return server.open(game, seats=4, players=NAMES, options={"hands": "unseen"})


def sized(phone, size):
    return phone(viewport={"width": size[0], "height": size[1]})


def cards(table) -> list[str]:
    return table.page.locator(".card-key").evaluate_all("all => all.map(one => one.dataset.card)")


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("game", ["whist", "hearts"])
def test_all_cards_are_on_the_screen_of_a_phone(phone, server, game, size):
    page = sized(phone, size)
    table = BoardPage(server, page, opened(server, game))
    page.locator(".card-key").first.wait_for()
    assert len(cards(table)) == 52
    assert page.evaluate(SEEN) == {"bottom": True, "right": True, "most": 7}
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


@pytest.mark.parametrize("size", SIZES)
def test_hand_is_tapped_card_by_card_and_locked_in(phone, server, size):
    match = server.open("hearts", seats=4, players=NAMES)
    table = BoardPage(server, sized(phone, size), match, match.seats["2"])
    assert len(cards(table)) == 52
    table.says("Red: take a hand; tap the cards")
    table.says("0 of 13")
    *twelve, last = HANDS["2"]
    for card in twelve:
        table.press(card=card)
    table.press(card="AS")
    assert table.page.locator('.card-key[aria-pressed="true"]').count() == 13
    assert table.page.locator(".card-key:disabled").count() == 39
    table.press(card="AS")
    table.says("12 of 13")
    assert table.page.locator("[data-seal]").is_disabled()
    assert table.page.evaluate(SEEN) == {"bottom": True, "right": True, "most": 7}
    assert table.page.evaluate(SMALL_TARGETS) == []
    table.page.keyboard.type(last.lower())
    table.says("13 of 13")
    table.press(seal="")
    table.settled(1)
    taken = server.get(f"/matches/{match.id}/events", match.seats["2"])["events"][0]["text"]
    assert taken == f"2:hand={''.join(HANDS['2'])}"


def test_suits_begin_rows_and_are_high_where_they_fit(phone, server):
    suits = """() => [...document.querySelectorAll(".suit")].map(({ children, dataset }) =>
      [...children].every((key) => key.dataset.card[1] === dataset.suit))"""
    match = opened(server, "whist")
    table = BoardPage(server, sized(phone, (360, 640)), match)
    assert table.page.evaluate(suits) == [True] * 4
    table.page.set_viewport_size({"width": 360, "height": 800})
    table.page.wait_for_function("() => document.querySelector('.card-key').offsetHeight >= 44")
    fallen = ["2C", "2D", "2H", "2S", "3S", "3C", "3D", "3H"]
    server.play(match, *fallen)
    table.settled(len(fallen))
    assert table.page.evaluate(suits) == [True] * 4
    assert table.page.evaluate(SEEN)["bottom"]


@pytest.mark.parametrize("size", SIZES)
def test_bids_that_are_left_make_a_table_below_the_hand(phone, server, size):
    match = server.open("bridge", seats=4, players=NAMES)
    hands = [rank + suit for suit in "CDSH" for rank in RANKS]
    for seat in range(4):
        server.play(match, f"{seat + 1}:hand={''.join(hands[13 * seat : 13 * seat + 13])}")
    server.play(match, "bid=4S")
    table = BoardPage(server, sized(phone, size), match, match.seats["2"])
    left = """() => ["C", "D", "H", "S", "NT"].map((strain) =>
      document.querySelector(`[data-move="bid=5${strain}"]`).offsetLeft)"""
    table.page.locator("[data-move='bid=7NT']").wait_for()
    columns = table.page.evaluate(left)
    assert columns == sorted({*columns})
    for low in ("bid=6D", "bid=7NT", "pass"):
        table.page.locator(f"[data-move='{low}']").click(trial=True)
    assert table.page.evaluate(SMALL_TARGETS) == []
    low, foot = (table.page.locator(each) for each in ("[data-move='bid=7NT']", ".foot"))
    assert low.bounding_box()["y"] + low.bounding_box()["height"] <= foot.bounding_box()["y"]


def test_bids_are_tapped_on_a_shared_phone_although_hands_are_hidden(phone, server):
    match = server.open("bridge", seats=4, players=NAMES)
    hands = [rank + suit for suit in "CDSH" for rank in RANKS]
    for seat in range(4):
        server.play(match, f"{seat + 1}:hand={''.join(hands[13 * seat : 13 * seat + 13])}")
    server.play(match, "bid=4S")
    table = BoardPage(server, phone(), match)
    table.press(move="bid=5C")
    table.settled(6)
    for version in (7, 8, 9):
        table.press(move="pass")
        table.settled(version)
    table.says("Sky sees the possible moves on their own phone")
    assert table.page.locator(".card-key").count() == 0
    assert server.line(match)[-4:] == ["bid=5C", "pass", "pass", "pass"]


def test_claim_in_bridge_is_one_tap(phone, server):
    match = opened(server, "bridge")
    fallen = [rank + suit for rank in "23456" for suit in "DHSC"]
    server.play(match, "bid=1NT", "pass", "pass", "pass", *fallen)
    table = BoardPage(server, sized(phone, (360, 640)), match)
    table.page.get_by_role("button", name="Concede 8 tricks").wait_for()
    assert table.page.evaluate(SMALL_TARGETS) == []
    table.page.get_by_role("button", name="Claim 8 tricks").tap()
    table.settled(25)
    table.says("claims 8 of 8 tricks")
    assert table.page.locator(".card-key").count() == 0
    assert server.line(match)[-1] == "claim=8"


def test_three_players_who_are_awaited_are_a_list(phone, server):
    match = server.open("hearts", seats=4, players=NAMES)
    server.play(match, f"1:hand={''.join(HANDS['1'])}")
    table = BoardPage(server, phone(), match, match.seats["1"])
    table.says("Waiting for Red, Sky and Fir.")


def test_passed_cards_are_tapped_in_the_hand_or_blindly_on_a_shared_phone(phone, server):
    match = server.open("hearts", seats=4, players=NAMES)
    server.play(match, *(f"{seat}:hand={''.join(hand)}" for seat, hand in HANDS.items()))
    own = BoardPage(server, phone(), match, match.seats["1"])
    assert cards(own) == HANDS["1"]
    assert own.page.locator(".board").is_hidden()  # it shows the same hand
    for card in HANDS["1"][:3]:
        own.press(card=card)
    own.press(seal="")
    own.settled(5)
    shared = BoardPage(server, phone(), match)
    shared.open_pad("2")
    shared.page.locator(".card-key").first.wait_for()
    assert len(cards(shared)) == 52
    for card in ("AD", "KD", "AS"):
        shared.press(card=card)
    shared.page.get_by_role("button", name="Cover").tap()
    shared.open_pad("2")
    shared.page.locator(".card-key").first.wait_for()
    shared.says("3 of 3")
    shared.press(seal="")
    shared.says("Only the player of this seat may know whether this move is legal")
    shared.page.get_by_role("button", name="Not now").tap()
    shared.open_pad("2")
    shared.press(card="AS")
    shared.press(card="QD")
    shared.press(seal="")
    shared.page.get_by_role("button", name="Not now").tap()
    shared.settled(6)
