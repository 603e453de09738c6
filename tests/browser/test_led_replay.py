"""Led replay: one page turns the pages of the others, until they leave it."""

from __future__ import annotations

import pytest

from tests.browser.replay_page import ReplayPage, first_tokens, record_match


@pytest.fixture
def match(server):
    return record_match(server, 6)


@pytest.fixture
def leader(server, desktop, match):
    return ReplayPage(server, desktop(), match, match.seats["1"]).at("#3", shown=3)


@pytest.fixture
def follower(server, phone, match):
    return ReplayPage(server, phone(), match).at("#6", shown=6)


def says(reading: ReplayPage, words: str) -> None:
    reading.page.locator(".led", has_text=words).wait_for()


def test_follower_is_led_leaves_and_comes_back(server, match, leader, follower):
    leader.tool("lead")
    says(leader, "You lead")
    says(follower, "Jet leads")
    follower.stands(3)
    leave = follower.page.query_selector(".led button")
    leader.go("next")
    follower.stands(4)
    assert leave.evaluate("(button) => button.isConnected"), "its focus is lost"
    assert follower.board == leader.board
    follower.go("last")
    follower.stands(6)
    leader.go("next")
    leader.stands(5)
    follower.page.get_by_role("button", name="Follow").tap()
    follower.stands(5)
    follower.page.get_by_role("button", name="Leave").tap()
    follower.page.get_by_role("button", name="Follow").tap()
    leader.go("last")
    follower.stands(6)
    server.play(match, first_tokens("poptrix", 7)[6])
    for reading in (leader, follower):
        reading.stands(7)
    leader.page.get_by_role("button", name="Leave").click()
    for reading in (leader, follower):
        reading.page.locator(".led").wait_for(state="hidden")


def test_pointers_and_arrows_are_shown_and_not_kept(leader, follower):
    leader.tool("lead")
    says(leader, "You lead")
    leader.place("b2").click()
    follower.page.wait_for_selector(".noted .pb-ring")
    start, end = (leader.place(at).bounding_box() for at in ("d2", "d4"))
    mouse = leader.page.mouse
    mouse.move(start["x"] + 20, start["y"] + 20)
    mouse.down()
    mouse.move(end["x"] + 20, end["y"] + 20)
    mouse.up()
    follower.page.wait_for_selector(".noted .pb-way-note")
    leader.place("b2").click()
    follower.page.wait_for_function("() => !document.querySelector('.noted .pb-ring')")
    leader.go("next")
    follower.stands(4)
    assert not follower.page.locator(".noted .pb-way-note").count()
    leader.page.get_by_role("button", name="Leave").click()
    leader.page.locator(".led").wait_for(state="hidden")
    assert not leader.at("#3", shown=3).page.locator("[data-mark]").count()


def test_closed_page_leads_no_more(leader, follower):
    leader.tool("lead")
    follower.stands(3)
    leader.page.goto("about:blank")
    follower.page.locator(".led").wait_for(state="hidden")


def test_newest_leader_wins(server, phone, match, leader, follower):
    other = ReplayPage(server, phone(), match, match.host).at("#1", shown=1)
    leader.tool("lead")
    other.stands(3)
    other.go("first")
    other.stands(0)
    other.tool("lead")
    for reading in (leader, follower):
        says(reading, "The scorekeeper leads")
        reading.stands(0)
    other.go("next")
    leader.stands(1)
    leader.go("last")
    says(other, "You lead")
    leader.page.get_by_role("button", name="Follow").wait_for()
    follower.stands(1)
