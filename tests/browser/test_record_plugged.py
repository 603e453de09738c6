"""A plugged-in game gets all controls from its data: a die to set, and a pad for its secrets."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.board_page import BoardPage
from tests.browser.launch import Server, run_server
from tests.conformance.door import SIXTH, STACKS, install


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Run a server with the sixth game installed."""
    yield from _serve(tmp_path_factory.mktemp("installed"))


@pytest.fixture(scope="module")
def rich(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Run a server with a sixth game whose bids are too many to be listed."""
    yield from _serve(tmp_path_factory.mktemp("rich"), "[0-9]|10", "[0-9]{1,3}")


def _serve(site: Path, old: str = "", new: str = "") -> Iterator[Server]:
    install(SIXTH, site)
    install(STACKS, site)
    module = site / "hidden_bid" / "__init__.py"
    module.write_text(module.read_text().replace(old, new) if old else module.read_text())
    paths = (str(site), os.environ.get("PYTHONPATH", ""))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", os.pathsep.join(filter(None, paths)))
        with run_server() as running:
            yield running


def test_plugged_die_and_secret_have_controls(phone, server):
    opened = server.open("hidden-bid", players={"1": "Jet", "2": "Red"})
    table = BoardPage(server, phone(), opened)
    table.page.get_by_role("button", name="die: 4").tap()
    table.settled(1)
    table.press(secret="1")
    for seat, bid in (("1", "3"), ("2", "2")):
        table.page.locator(f'[data-cover="{seat}"]').tap()
        assert table.page.locator("[data-seal]").is_disabled()
        table.tap(bid)
        table.press(seal="")
    table.settled(3)
    assert server.line(opened) == ["roll=4", "1:bid=3", "2:bid=2"]


@pytest.mark.slow
def test_unlisted_secret_is_typed(phone, rich):
    opened = rich.open("hidden-bid", players={"1": "Jet", "2": "Red"})
    rich.play(opened, "roll=4")
    table = BoardPage(rich, phone(), opened, opened.seats["1"])
    for bid in ("bid=x", "bid=3"):
        table.page.get_by_label("writes it as the rules do").fill(bid)
        table.press(seal="")
        if bid == "bid=x":
            table.says("is not a move of Hidden Bid")
            assert table.page.locator("#secret").input_value() == bid
    table.settled(2)
    table.says("Red is to bid")


def test_done_button_ends_a_move_that_could_continue(phone, server):
    opened = server.open("stacks", players={"1": "Jet", "2": "Red"})
    table = BoardPage(server, phone(), opened)
    table.tap("a1")
    table.page.get_by_role("button", name="Done: a flat stone").tap()
    table.settled(1)
    table.tap("b1")
    table.page.get_by_role("button", name="standing").tap()
    table.settled(2)
    assert server.line(opened) == ["a1", "Sb1"]


def test_impossible_tap_is_explained(phone, server):
    opened = server.open("stacks", players={"1": "Jet", "2": "Red"})
    server.play(opened, "a1", "Sb1")
    table = BoardPage(server, phone(), opened)
    table.tap("a1")
    table.tap("b1")
    assert "b1 has a standing stone" in table.page.locator(".refusal").inner_text()


def test_any_move_can_be_typed(phone, server):
    opened = server.open("stacks", players={"1": "Jet", "2": "Red"})
    table = BoardPage(server, phone(), opened)
    table.press(more="")
    table.page.get_by_text("Type a move").tap()
    line = table.page.get_by_label("As the list of moves has it")
    line.fill("S")
    table.page.locator("datalist option[value=Sc3]").wait_for(state="attached")
    line.fill("Sc3")
    line.press("Enter")
    table.settled(1)
    assert server.line(opened) == ["Sc3"]


def test_numbers_are_entered_on_a_pad(phone, server):
    opened = server.open("score-sheet", seats=2, players={"1": "Ann", "2": "Ben"})
    table = BoardPage(server, phone(), opened)
    for keys in (("1", "2"), ("8", "sign"), ("3",)):
        for key in keys:
            table.press(key=key)
        table.press(key="enter")
    table.settled(3)
    table.page.get_by_role("button", name="Ben", exact=True).wait_for(state="detached")
    table.press(chip="12")
    table.settled(4)
    assert server.line(opened) == ["1:12", "2:-8", "1:3", "2:12"]
    assert table.page.locator(".board").get_by_text("15").is_visible()
    table.press(more="")
    end = table.page.get_by_role("button", name="End of the game")
    end.tap()
    end.tap()  # the button asks "sure?"
    table.settled(5)


def test_moves_are_tapped_if_too_many_to_list(phone, server):
    opened = server.open("free-board", options={"size": 3}, players={"1": "Ann", "2": "Ben"})
    table = BoardPage(server, phone(), opened)
    for version, (piece, at) in enumerate((("w", "a1"), ("b", "c3")), 1):
        table.place(piece).tap()
        table.page.locator(f".is-chosen[data-at={piece}]").wait_for()
        table.tap(at)
        table.settled(version)
    table.tap("a1")
    table.page.locator(".is-chosen[data-at=a1]").wait_for()
    table.tap("c3")
    table.page.get_by_role("button", name="Stack on c3").tap()
    table.settled(3)
    table.tap("b2")
    table.says("First tap what moves")
    table.tap("c3")
    table.page.get_by_role("button", name="Turn over c3").tap()
    table.settled(4)
    assert server.line(opened) == ["w@a1", "b@c3", "a1+c3", "/c3"]
