"""Bookmarks: one tap while playing, found again in the replay, gone once the move is commented."""

from __future__ import annotations

from tests.browser.board_page import BoardPage
from tests.browser.replay_page import ReplayPage, record_match


def kinds(server, opened):
    told = server.get(f"/matches/{opened.id}/annotations")["annotations"]
    return [(each["ply"], each["kind"]) for each in told]


def test_move_is_bookmarked_and_commented_later(phone, server):
    opened = record_match(server, 3)
    page = phone()
    table = BoardPage(server, page, opened)
    mark = page.locator("[data-mark]")
    mark.tap()
    table.says("To comment later")
    assert mark.get_attribute("aria-pressed") == "true"
    mark.tap()
    table.says("Bookmark removed")
    assert kinds(server, opened) == []
    mark.tap()
    table.says("To comment later")
    table.enter(table.doing()["seats"][0]["choices"][0]["text"])
    assert mark.get_attribute("aria-pressed") == "false"
    assert kinds(server, opened) == [(3, "bookmark")]
    replay = ReplayPage(server, page, opened).at("?ply=1", 1)
    page.get_by_text("1 moment to comment").tap()
    replay.stands(3)
    assert "to comment" in replay.stop(3).inner_text()
    replay.tool("comment")
    page.locator("dialog textarea").fill("The turning point")
    page.get_by_role("button", name="Save").tap()
    page.get_by_text("1 moment to comment").wait_for(state="hidden")
    assert "The turning point" in replay.stop(3).inner_text()
    assert kinds(server, opened) == [(3, "comment")]
