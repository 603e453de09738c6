"""Dice of which some are rolled again are set on a phone, as many as are rolled."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.browser.board_page import BoardPage
from tests.browser.launch import Server, run_server_with

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """Run a server with a game of five dice, then two, then one."""
    with run_server_with("rerolls_game.py") as running:
        yield running


def test_as_many_dice_are_set_as_are_rolled(phone, server):
    opened = server.open("rerolls", seats=1, players={"1": "Jet"})
    table = BoardPage(server, phone(), opened)
    rolls = ("31415", "66", "2")
    for version, faces in enumerate(rolls, 1):
        table.says("What does the die show?" if len(faces) == 1 else "What do the dice show?")
        assert table.page.locator(".die").count() == len(faces)
        for row, face in enumerate(faces):
            table.page.locator(f'[data-die="{row}"][data-face="{face}"]').tap()
        table.settled(version)
    assert server.line(opened) == [f"throw={','.join(faces)}" for faces in rolls]
    assert server.get(f"/matches/{opened.id}")["outcome"]["clause"] == "RER-2.1"


def test_dice_of_the_service_need_no_pad(phone, server):
    opened = server.open("rerolls", seats=1, players={"1": "Jet"}, dice="service")
    table = BoardPage(server, phone(), opened)
    assert table.page.locator(".die").count() == 0
    table.page.locator('[data-move="roll"]').tap()
    table.settled(1)
    assert len(server.line(opened)[0].split(",")) == 5
