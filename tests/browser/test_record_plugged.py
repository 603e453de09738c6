"""A plugged-in game can be recorded without a control of its own."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from tests.browser.board_page import BoardPage
from tests.browser.launch import Server, run_server
from tests.conformance.door import SIXTH, install


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Run a server with the sixth game installed."""
    site = tmp_path_factory.mktemp("installed")
    install(SIXTH, site)
    paths = (str(site), os.environ.get("PYTHONPATH", ""))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", os.pathsep.join(filter(None, paths)))
        with run_server() as running:
            yield running


def test_a_secret_of_any_game_is_written_sealed_and_opened(phone, server):
    opened = server.open("hidden-bid", players={"1": "Jet", "2": "Red"})
    table = BoardPage(server, phone(), opened)
    table.page.get_by_role("button", name="Roll 4").tap()
    table.settled(1)
    table.press(secret="1")
    for seat, bid in (("1", "bid=3"), ("2", "bid=2")):
        table.page.locator(f'[data-cover="{seat}"]').tap()
        table.page.get_by_label("writes it as the rules do").fill(bid)
        table.press(seal="")
    table.settled(3)
    assert server.line(opened) == ["roll=4", "1:bid=3", "2:bid=2"]


def test_a_secret_that_is_no_move_is_refused_and_can_be_written_again(phone, server):
    opened = server.open("hidden-bid", players={"1": "Jet", "2": "Red"})
    server.play(opened, "roll=4")
    table = BoardPage(server, phone(), opened, opened.seats["1"])
    for bid in ("bid=99", "bid=3"):
        table.page.get_by_label("writes it as the rules do").fill(bid)
        table.press(seal="")
        if bid == "bid=99":
            table.says("is not a move of Hidden Bid")
    table.settled(2)
    table.says("Red is to bid")
