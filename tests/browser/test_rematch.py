"""The end of a match on several phones: its story, and a rematch for everybody."""

from __future__ import annotations

import pytest

from tests.browser.board_page import BoardPage, followed

GAME = ("M@c1", "S@c6", "c1>L@c3", "c6>M@c4", "c3xc4", "2:resign")


@pytest.fixture
def opened(server):
    match = server.open(players={"1": "Ann", "2": "Ben"})
    for token in GAME:
        server.play(match, token)
    return match


def _went_on(page, opened) -> None:
    page.wait_for_url(lambda address: "/m/" in address and opened.id not in address)
    page.locator(".desk .foot").wait_for()


@pytest.mark.slow
def test_each_phone_gets_its_seat_in_rematch(phone, server, opened):
    ann, ben, host = phone(), phone(), phone()
    for page, token in ((ann, opened.seats["1"]), (ben, opened.seats["2"]), (host, opened.host)):
        BoardPage(server, page, opened, token)
    looking_on = phone()
    with followed(looking_on):
        looking_on.goto(f"{server.url}/m/{opened.id}")
    ann.get_by_role("button", name="Swap sides").tap()
    _went_on(ann, opened)
    assert ann.locator(".players li:nth-child(2) .name").inner_text() == "You are Ann"
    for page in (ben, host, looking_on):
        page.locator(".rematch", has_text="Ann wants a rematch, sides swapped").wait_for()
        assert page.get_by_role("button", name="Rematch").count() == 0
    ben.get_by_role("link", name="Play").tap()
    _went_on(ben, opened)
    assert ben.locator(".players li:nth-child(1) .name").inner_text() == "You are Ben"
    host.get_by_role("link", name="Play").tap()
    _went_on(host, opened)
    assert host.locator("[data-name]").count() == 2
    looking_on.get_by_role("link", name="Play").tap()
    looking_on.wait_for_url(ben.url)
    assert looking_on.locator("main[data-role='']").count() == 1
    ben.locator('.desk [data-choose="M"]').tap()
    ben.locator('.board .pb-cell[data-at="c1"]').tap()
    ann.locator(".told", has_text="Ben places a medium on c1").wait_for()


def test_first_news_of_unnamed_match_is_shown(phone, server):
    match = server.open()
    server.play(match, "2:resign")
    page = phone()
    with followed(page):
        page.goto(f"{server.url}/m/{match.id}")
    page.locator(".standing").wait_for()
    server.post(f"/matches/{match.id}/rematch", {}, match.seats["1"])
    page.locator(".rematch", has_text="wants a rematch").wait_for()


def test_rematch_that_is_older_than_the_stream_is_shown(phone, server, opened):
    page = phone()

    def be_late(route):
        server.post(f"/matches/{opened.id}/rematch", {}, opened.host)
        route.continue_()

    page.route("**/stream?*", be_late, times=1)
    page.goto(f"{server.url}/m/{opened.id}")
    page.locator(".rematch").wait_for()


def test_end_shows_story_to_players_and_spectators(phone, server, opened):
    host, looking_on = phone(), phone()
    BoardPage(server, host, opened)
    looking_on.goto(f"{server.url}/m/{opened.id}")
    for page in (host, looking_on):
        story = page.locator(".story")
        story.get_by_text("Largest lead, move 1").wait_for()
        assert "Ann, by 1 pyramid" in story.inner_text()
        assert "Turning point, move 5" in story.inner_text()
        assert page.locator(".standing").inner_text() == "Ann won"
        board = page.locator(".board svg").first.bounding_box()
        assert page.locator(".desk").bounding_box()["y"] >= board["y"] + board["height"]
    host.get_by_text("Turning point").tap()
    host.wait_for_url(f"**/m/{opened.id}/replay#5")


def test_rematch_end_shows_tally_of_both_matches(phone, server, opened):
    page = phone()
    BoardPage(server, page, opened)
    page.get_by_role("button", name="Rematch").tap()
    _went_on(page, opened)
    page.locator("[data-more]").tap()
    page.get_by_text("Resign").locator("..").get_by_role("button", name="Ben").tap()
    page.get_by_role("button", name="Ben: sure?").tap()
    tally = page.locator(".tally")
    tally.wait_for()
    assert "Ann 2, Ben 0" in tally.inner_text()


def test_spectator_screens_follow_the_rematch(phone, desktop, server, opened):
    watching, late, large = phone(), phone(), desktop()
    for page, part in ((watching, ""), (large, "/tv")):
        page.clock.install()
        with followed(page):
            page.goto(f"{server.url}/m/{opened.id}{part}")
        page.locator(".frame[data-over]").wait_for()
    rematch = server.post(f"/matches/{opened.id}/rematch", {}, opened.host)["match"]
    large.locator(".rematch").wait_for(state="attached")
    assert not large.locator(".rematch .button").is_visible()
    for page, part in ((watching, ""), (large, "/tv")):
        page.locator(".rematch").wait_for(state="attached")
        page.clock.run_for(8500)
        page.wait_for_url(f"**/m/{rematch}{part}")
    # The buttons leave a large screen that is not touched.
    large.evaluate("document.getAnimations().forEach((each) => each.finish())")
    ways = large.locator(".ways")
    assert ways.evaluate("one => getComputedStyle(one).opacity") == "0"
    late.clock.install()
    late.goto(f"{server.url}/m/{opened.id}")
    late.locator(".rematch").wait_for()
    late.clock.run_for(20000)
    assert late.url.endswith(opened.id)
