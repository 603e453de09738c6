"""A missing move on a phone: it is entered as a dash, asked, and filled."""

from __future__ import annotations

from tests.browser.board_page import BoardPage
from tests.service.api.test_dashes import texts_of

HEAD = '[Game "poptrix"]\n[Seat1 "Jet"]\n[Seat2 "Red"]\n\n'


def test_a_missing_move_is_asked_and_filled(phone, server):
    page = phone(viewport={"width": 390, "height": 664})
    page.goto(f"{server.url}/library/import")
    page.get_by_text("Or paste a text").tap()
    page.get_by_label("The record").fill(HEAD + "1. M@c1 2. M@c6 *")
    page.get_by_role("button", name="Bring it in").tap()
    page.get_by_role("link", name="Match 1").tap()
    page.wait_for_url("**/m/*")
    page.locator(".pb-piece").first.wait_for()
    page.get_by_role("button", name="More").tap()
    page.get_by_role("button", name="A move is missing").tap()
    page.get_by_role("button", name="A move is missing: sure?").tap()
    page.get_by_text("Nobody wrote down move 3 of Jet.").wait_for()
    page.locator(".pb-piece").first.wait_for()
    page.goto(server.url)
    page.get_by_text("Move 3 is missing").wait_for()
    page.go_back()
    page.get_by_label("Not sure").check()
    page.get_by_label("The next move, or several").fill("c6>S@c5")
    page.get_by_role("button", name="Take down").tap()
    page.locator(".taken li[value='4']").get_by_text("not sure").wait_for()
    page.get_by_label("The move that was made").fill("c1>S@c2")
    page.get_by_role("button", name="Fill it in").tap()
    page.locator("[data-part=ways]").get_by_role("link", name="Look back").tap()
    page.get_by_text("written as --, found by scorekeeper").first.wait_for()


def test_the_page_says_which_move_it_must_have_been(phone, server):
    texts = texts_of("cube-pyramid", 9)
    page = phone(viewport={"width": 390, "height": 664})
    page.goto(f"{server.url}/library/import")
    page.get_by_text("Or paste a text").tap()
    record = f'[Game "cube-pyramid"]\n\n{" ".join(texts[:5])} -- {" ".join(texts[6:8])} *'
    page.get_by_label("The record").fill(record)
    page.get_by_role("button", name="Bring it in").tap()
    page.get_by_role("link", name="Match 1").tap()
    page.wait_for_url("**/m/*")
    page.get_by_text("Nobody wrote down move 6").wait_for()
    page.get_by_label("The next move, or several").fill(texts[8])
    page.get_by_role("button", name="Take down").tap()
    page.get_by_text(f"It must have been {texts[5].partition(':')[2]}").wait_for()
    page.get_by_role("button", name="No", exact=True).tap()
    page.get_by_text("Nobody wrote down move 6").wait_for()


def test_a_tapped_move_is_not_sure(opened, phone, server):
    board = BoardPage(server, phone(), opened)
    page = board.page
    page.get_by_role("button", name="More").tap()
    page.get_by_role("button", name="Not sure of the next move").tap()
    page.locator(".said .asked").get_by_text("Not sure of the next move").wait_for()
    board.enter("M@c1")
    page.locator(".said .asked").wait_for(state="detached")
    board.enter("S@c6")
    events = page.request.get(f"{server.url}/matches/{opened.id}/events").json()["events"]
    assert [each["event"].get("unsure") for each in events] == [True, None]
