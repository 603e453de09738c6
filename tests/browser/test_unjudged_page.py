"""An unjudged match on a phone: moves are written and taken down, then judged and corrected."""

from __future__ import annotations

from typing import Any

import pytest

from tests.browser.board_page import followed
from tests.browser.launch import OpenedMatch

ENTRY = "The next move, or several"


@pytest.fixture
def opened(phone, server):
    page = phone()
    page.goto(f"{server.url}/new/poptrix")
    page.get_by_label("Player 1").fill("Jet")
    page.get_by_label("Player 2").fill("Red")
    page.get_by_label("Take down only").check()
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/m/*")
    return page


def write(page, tokens: str, last: int) -> None:
    page.get_by_label("The next move, or several").fill(tokens)
    page.get_by_role("button", name="Take down").click()
    page.locator(f".taken li[value='{last}']").wait_for()


def test_moves_are_taken_down_judged_and_corrected(opened):
    page = opened
    assert page.locator(".pb-piece").count() == 0
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
    page.locator(".pb-piece").first.wait_for()
    page.get_by_text("Red is to attack").first.wait_for()


@pytest.mark.slow
def test_moves_are_tapped_on_an_empty_board(phone, server):
    page = phone(viewport={"width": 390, "height": 664})
    page.goto(f"{server.url}/new/power-play")
    page.get_by_label("Take down only").check()
    page.get_by_role("button", name="Start").tap()
    page.wait_for_url("**/m/*")

    def tap(*places: str) -> None:
        for place in places:
            page.locator(f".pb-cell[data-at='{place}']").tap()

    tap("a3", "b4")
    page.get_by_role("button", name="a3-b4 (step)").tap()
    page.get_by_text("1. a3-b4 is taken down").wait_for()
    tap("h6", "h4")
    page.get_by_role("button", name="h6^h4 (first hop)").tap()
    page.get_by_text("2. h6^h4 is taken down").wait_for()
    # The jump of the second player goes on, unless the scorekeeper says something else.
    assert page.get_by_label("Player 2").is_checked()
    page.get_by_label("Player 1").check()
    page.get_by_role("button", name="end of a jump").tap()
    page.get_by_text("3. 1:. is taken down").wait_for()
    assert page.locator(".taken .chip").all_inner_texts() == ["1", "2", "1"]
    tap("a3")
    page.get_by_role("button", name="Begin again").tap()
    page.get_by_text("3. 1:. is taken down").wait_for()


@pytest.fixture
def sheet(server) -> OpenedMatch:
    """An unjudged match of Poptrix with two moves."""
    match = server.open(players={"1": "Jet", "2": "Red"}, unjudged=True)
    server.play(match, "M@c1", "S@c6")
    return match


@pytest.fixture
def page(phone, server, sheet) -> Any:
    page = phone()
    page.goto(f"{server.url}/join/{sheet.id}/{sheet.host}")
    return page


def test_move_is_taken_down_after_another_device(page, server, sheet):
    page.get_by_label(ENTRY).fill("c3>M@c4")
    server.play(sheet, "c1>L@c2")
    page.get_by_role("button", name="Take down").click()
    page.locator(".taken li[value='3']").wait_for()
    page.get_by_text("Another device was quicker").wait_for()
    assert page.get_by_label(ENTRY).input_value() == "c3>M@c4"
    page.get_by_role("button", name="Take down").click()
    page.locator(".taken li[value='4']").wait_for()
    assert page.get_by_text("Another device was quicker").is_hidden()
    assert page.get_by_label(ENTRY).input_value() == ""


def test_replaced_link_is_told_at_once(phone, server, sheet):
    page = phone()
    invited = f"/matches/{sheet.id}/invitations"
    made = server.post(invited, {"role": "seat", "seat": 1}, sheet.host)
    with followed(page):
        page.goto(f"{server.url}/join/{sheet.id}/{made['token']}")
    page.get_by_label(ENTRY).fill("c1>L@c2")
    server.delete(f"{invited}/{made['id']}", sheet.host)
    page.get_by_text("This link was replaced").wait_for()
    assert page.get_by_label(ENTRY).input_value() == "c1>L@c2"
    page.reload()
    page.get_by_text("This link was replaced").wait_for()


def test_repeated_move_is_taken_down_once(page, server, sheet):
    def lose(route: Any) -> None:
        route.fetch()
        route.abort()

    page.route("**/events", lose, times=1)
    page.get_by_label(ENTRY).fill("c1>L@c3")
    page.get_by_role("button", name="Take down").click()
    page.get_by_text("No network just now").wait_for()
    page.get_by_role("button", name="Take down").click()
    page.locator(".taken li[value='3']").wait_for()
    assert server.line(sheet) == ["M@c1", "S@c6", "c1>L@c3"]


@pytest.mark.slow
def test_news_waits_while_a_correction_is_written(page, server, sheet):
    server.play(sheet, "c1>L@c3", "c6>S@c5")
    server.post(f"/matches/{sheet.id}/judgement", {}, sheet.host)
    right = page.get_by_label("What was really played")
    right.fill("c6>M@c5")
    server.play(sheet, "c3xc4")
    page.wait_for_timeout(1000)
    assert right.input_value() == "c6>M@c5"
    assert page.locator(".taken li").count() == 4
    right.fill("")
    page.locator(".taken li[value='5']").wait_for()


def test_news_waits_while_a_move_is_begun(page, server, sheet):
    again = page.get_by_role("button", name="Begin again")
    page.locator(".pb-cell[data-at='c1']").tap()
    again.wait_for()
    server.play(sheet, "c1>L@c3")
    page.wait_for_timeout(1000)
    again.tap()
    page.locator(".taken li[value='3']").wait_for()
