"""A quiet match on a phone: moves are written and taken down, then judged and corrected."""

from __future__ import annotations

import pytest


@pytest.fixture
def opened(phone, server):
    page = phone()
    page.goto(f"{server.url}/new/poptrix")
    page.get_by_label("Player 1").fill("Jet")
    page.get_by_label("Player 2").fill("Red")
    page.get_by_text("Who may look on, and a clock").click()
    page.get_by_label("Take moves down without judging them").check()
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/m/*")
    return page


def write(page, tokens: str, last: int) -> None:
    page.get_by_label("The next move, or several").fill(tokens)
    page.get_by_role("button", name="Take down").click()
    page.locator(f".taken li[value='{last}']").wait_for()


def test_moves_are_taken_down_judged_and_corrected(opened):
    page = opened
    assert page.locator(".board").count() == 0
    write(page, "M@c1 S@c6 c1>L@c3", 3)
    write(page, "c6>S@c5", 4)
    write(page, "c3xc4", 5)
    page.get_by_label("The next move, or several").fill("nonsense")
    page.get_by_role("button", name="Take down").click()
    page.get_by_text("'nonsense' is not a move of Poptrix").wait_for()
    page.get_by_label("The next move, or several").fill("")
    page.get_by_role("button", name="Check now").click()
    page.get_by_text("Move 4, c6>S@c5: The small on c6 cannot launch another small").wait_for()
    page.get_by_role("button", name="We played it anyway").click()
    page.get_by_text("Move 5, c3xc4").wait_for()
    page.get_by_label("What was really played").fill("c3>M@c4")
    page.get_by_role("button", name="Correct it").click()
    page.locator(".board").wait_for()
    page.get_by_text("Red is to attack").first.wait_for()
