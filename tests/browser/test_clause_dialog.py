"""Clauses are read over the page, and closing them leads back to it."""

from __future__ import annotations

from tests.browser.board_page import BoardPage
from tests.browser.replay_page import ReplayPage


def test_clause_opens_over_board_and_closes_again(phone, server, opened):
    server.play(opened, "M@c1", "S@c6")
    page = phone()
    table = BoardPage(server, page, opened)
    table.tap("c1", "e5")
    page.locator(".refusal a.clause").tap()
    dialog = page.get_by_role("dialog", name="Launching")
    dialog.wait_for()
    assert "POP-3.3" in dialog.inner_text()
    assert "one or two squares from the launcher" in dialog.inner_text()
    dialog.get_by_role("button", name="Back").tap()
    dialog.wait_for(state="detached")
    # The piece is still in the hand, and the refusal still there.
    assert page.locator(".refusal a.clause").is_visible()
    page.locator(".refusal a.clause").tap()
    dialog.wait_for()
    page.go_back()
    dialog.wait_for(state="detached")
    assert page.url.endswith(f"/m/{opened.id}")


def test_more_dialog_leads_to_how_to_play(phone, server, opened):
    page = phone()
    BoardPage(server, page, opened)
    page.locator("[data-more]").tap()
    page.get_by_role("link", name="How to play").tap()
    page.wait_for_url("**/how-to-play/poptrix")
    page.get_by_role("heading", name="How to play Poptrix").wait_for()
    assert page.locator(".examples img").count() == 5


def test_clause_opens_over_the_replay(desktop, server):
    opened = server.open("pyramid-ball", players={"1": "Jet", "2": "Red"})
    server.play(opened, "1:S=RR.,M=...,L=...", "2:S=...,M=F..,L=...")
    page = desktop()
    ReplayPage(server, page, opened).at("#2", shown=2)
    page.locator(".caption a.clause").first.click()
    page.get_by_role("dialog").get_by_text("All the rules").wait_for()
    page.get_by_role("button", name="Back", exact=True).click()
    assert page.url.endswith("#2")


def test_clause_link_leads_to_rules_without_network(phone, server):
    opened = server.open()
    server.play(opened, "M@c1", "S@c6")
    page = phone()
    table = BoardPage(server, page, opened)
    table.tap("c1", "e5")
    page.route("**/games/poptrix/rules/*", lambda route: route.abort())
    page.locator(".refusal a.clause").tap()
    page.wait_for_url("**/rules/poptrix#POP-3.3")
