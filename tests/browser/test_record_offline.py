"""Bad Wi-Fi: taps are stored, sent in order and never twice, and the page reports each loss."""

from __future__ import annotations

import pytest

from tests.browser.board_page import API, BoardPage
from tests.waiting import eventually

pytestmark = pytest.mark.slow

SEEN = """(words) => {
  const refusal = document.querySelector(".refusal");
  const { top } = refusal?.getBoundingClientRect() ?? {};
  return refusal?.innerText.includes(words) && top >= 0 && top < 700;
}"""
"""Whether a refusal with these words is visible on a phone's screen."""


@pytest.fixture
def opened(server, opened):
    server.play(opened, "M@c1", "S@c6")
    return opened


@pytest.fixture
def table(phone, server, opened):
    return BoardPage(server, phone(), opened)


def away(table: BoardPage) -> None:
    """Make the service unreachable except for its pages, so that a reload can be tested."""
    table.page.context.route(API, lambda route: route.abort())


def back(table: BoardPage) -> None:
    table.page.context.unroute(API)
    table.page.evaluate("dispatchEvent(new Event('online'))")


def test_offline_taps_survive_reload_and_are_stored_once(table, server, opened):
    away(table)
    table.tap("c1", "L", "c3")
    table.says("No connection: 1 move waits")
    assert "is-pending" in table.place("c3").get_attribute("class")
    # From here on the page offers nothing, and records taps as they are.
    table.tap("M")
    assert table.page.locator("[data-write]").is_disabled()
    table.page.evaluate("scrollTo(0, 0)")
    more = table.page.locator("[data-more]").bounding_box()
    assert more["y"] + more["height"] <= table.page.viewport_size["height"]
    table.tap("c6", "c4")
    table.press(write="")
    table.tap("c3", "c4")
    table.press(write="")
    table.says("No connection: 3 moves wait")
    table.page.reload()
    table.says("No connection: 3 moves wait")
    table.says("c3, c4: drawn as it was entered")
    assert server.line(opened) == ["M@c1", "S@c6"]
    back(table)
    table.settled(5)
    assert server.line(opened) == ["M@c1", "S@c6", "c1>L@c3", "c6>M@c4", "c3xc4"]


def test_page_asks_again_after_a_phone_wakes_before_its_network(table):
    """The stream has outlived the sleep, so only a question tells that the server is there."""
    table.page.route("**/events?after=*", lambda route: route.abort(), times=1)
    table.page.evaluate("dispatchEvent(new Event('online'))")
    table.says("No connection")
    table.settled(2)


def test_move_with_lost_answer_is_stored_once(table, server, opened):
    lost = []

    def lose(route):
        if route.request.method == "POST" and not lost:
            lost.append(route.fetch().status)
            return route.abort()
        return route.continue_()

    table.page.context.route(API, lose)
    with table.page.expect_event("requestfailed"):
        table.tap("c1", "L", "c3")
    back(table)
    table.settled(3)
    assert lost == [200]
    assert server.line(opened) == ["M@c1", "S@c6", "c1>L@c3"]


def test_slower_of_two_writers_loses_nothing(table, server, opened):
    away(table)
    table.tap("c1", "L", "c3")
    table.says("No connection: 1 move waits")
    server.play(opened, "c1>S@c2")
    back(table)
    table.says("Jet was quicker")
    table.says("c1 launches a small to c2")
    table.says("c1 large to c3")
    assert server.line(opened)[-1] == "c1>S@c2"
    table.page.locator("[data-retry]").tap()
    table.says("It is not for Jet to move")
    table.page.locator("[data-discard]").tap()
    table.settled(3)
    assert server.line(opened) == ["M@c1", "S@c6", "c1>S@c2"]


def test_same_move_on_two_phones_is_stored_once(phone, server, opened):
    ann, ben = (BoardPage(server, phone(), opened, opened.seats["1"]) for _ in range(2))
    held = []
    ben.page.context.route("**/events", lambda route: held.append(route))
    with ben.page.expect_request("**/events"):
        ben.tap("c1", "L", "c3")
    ann.tap("c1", "L", "c3")
    ann.settled(3)
    held.pop().continue_()
    ben.settled(3)
    assert ben.page.locator(".outbox, .refusal, .freely").count() == 0
    ben.says("Waiting for Red")
    assert server.line(opened) == ["M@c1", "S@c6", "c1>L@c3"]


def test_same_roll_on_two_phones_is_rolled_once(phone, server):
    opened = server.open("blockade", dice="service", players={"1": "Jet", "2": "Red"})
    table = BoardPage(server, phone(), opened)
    held = []
    table.page.context.route("**/events", lambda route: held.append(route))
    with table.page.expect_request("**/events"):
        table.press(move="roll")
    server.post(f"/matches/{opened.id}/events", {"events": [{"roll": True}]}, opened.host)
    eventually(lambda: table.page.title() and held).pop().continue_()
    table.settled(1)
    assert table.page.locator(".outbox, .refusal").count() == 0
    assert len(server.line(opened)) == 1


def test_moves_behind_a_discarded_one_wait_for_confirmation(table, server, opened):
    away(table)
    table.tap("c1", "L", "c3")
    table.says("No connection: 1 move waits")
    table.tap("a5", "a6")
    table.press(write="")
    table.tap("c6", "M", "c4")
    table.press(write="")
    back(table)
    table.says("a5, a6 is not saved")
    table.page.locator("[data-discard]").first.tap()
    table.says("What came before it was discarded")
    assert server.line(opened)[-1] == "c1>L@c3"
    table.page.locator("[data-retry]").tap()
    table.settled(4)
    assert server.line(opened)[-1] == "c6>M@c4"


def test_refused_unguided_move_stays_until_it_is_discarded(table, server, opened):
    away(table)
    table.tap("c1", "L", "c3")
    table.says("No connection: 1 move waits")
    table.tap("a5", "a6")
    table.press(write="")
    table.says("2 moves wait")
    back(table)
    table.says("a5, a6 is not saved")
    table.page.locator("[data-discard]").tap()
    table.settled(3)
    assert server.line(opened)[-1] == "c1>L@c3"


def test_refusal_is_visible_on_a_scrolled_page(table):
    away(table)
    table.tap("c1", "L", "c3")
    table.says("No connection: 1 move waits")
    table.page.context.route("**/more_dialog.js", lambda route: route.abort())
    table.page.evaluate("document.body.style.paddingBottom = '60rem'")
    table.page.evaluate("scrollTo({ top: 400, behavior: 'instant' })")
    table.page.locator("[data-more]").tap()
    table.page.wait_for_function(SEEN, arg="No network just now")


def test_busy_server_is_retried_after_its_pause(phone, server, opened):
    page = phone()
    page.clock.install()
    table = BoardPage(server, page, opened)
    asked = []

    def refuse(route):
        asked.append(route.request.method)
        if len(asked) > 1:
            route.continue_()
        else:
            route.fulfill(status=503, headers={"Retry-After": "20"}, json={"detail": "busy"})

    page.route("**/events", refuse)
    table.tap("c1", "L", "c3")
    table.says("No connection: 1 move waits")
    page.clock.run_for(10_000)
    assert asked == ["POST"]
    page.clock.run_for(15_000)
    table.settled(3)
    assert asked == ["POST", "POST"]


def test_missing_board_does_not_prevent_entry(table, server, opened):
    # The answer to a move has the board, except if another phone has entered the same move.
    table.page.context.route("**/frame", lambda route: route.abort())
    server.play(opened, "c1>L@c3")
    table.tap("c1", "L", "c3")
    table.page.locator("[data-write]").wait_for()
    assert server.line(opened)[-1] == "c1>L@c3"
    table.tap("c6", "M", "c4")
    table.press(write="")
    table.page.context.unroute("**/frame")
    table.settled(4)
    assert server.line(opened)[-1] == "c6>M@c4"


def test_dice_and_end_are_entered_offline(phone, server):
    opened = server.open("blockade", players={"1": "Jet", "2": "Red"})
    server.play(opened, "roll=1,1")
    table = BoardPage(server, phone(), opened)
    away(table)
    table.press(move=".")
    table.says("No connection: 1 move waits")
    table.page.get_by_text("Dice", exact=True).tap()
    for die, face in enumerate("36"):
        table.page.locator(f'.face[data-die="{die}"][data-face="{face}"]').tap()
    table.says("No connection: 2 moves wait")
    back(table)
    table.settled(3)
    assert server.line(opened) == ["roll=1,1", ".", "roll=3,6"]


@pytest.fixture
def seat(server, opened):
    """The token of a seat, and the path that revokes it."""
    body = {"role": "seat", "seat": 1}
    made = server.post(f"/matches/{opened.id}/invitations", body, opened.host)
    return made["token"], f"/matches/{opened.id}/invitations/{made['id']}"


LOST = "This link was replaced; scan the new one"


def test_phone_is_told_at_once_that_its_link_was_replaced(phone, server, opened, seat):
    token, path = seat
    table = BoardPage(server, phone(), opened, token)
    server.delete(path, opened.host)
    table.says(LOST)


@pytest.mark.parametrize("visibility", ["unlisted", "private"])
def test_tapped_moves_wait_for_the_new_link(phone, server, opened, seat, visibility):
    token, path = seat
    table = BoardPage(server, phone(), opened, token)
    away(table)
    table.tap("c1", "L", "c3")
    table.says("No connection: 1 move waits")
    shown = {"visibility": visibility}
    server.post(f"/matches/{opened.id}/visibility", shown, opened.host, "PUT")
    server.delete(path, opened.host)
    table.page.context.unroute(API)  # the page finds that out itself, and loads itself again
    table.says(LOST)
    if visibility == "unlisted":
        table.says("1 move waits on this device until then")
    table.page.goto(f"{server.url}/join/{opened.id}/{opened.seats['1']}")
    table.settled(3)
    assert server.get(f"/matches/{opened.id}", opened.host)["ply"] == 3


def test_move_is_kept_that_is_tapped_before_the_page_is_told(phone, server, opened, seat):
    token, path = seat
    table = BoardPage(server, phone(), opened, token)
    table.page.context.route("**/stream?*", lambda route: route.abort())
    table.page.reload()
    table.place("c1").wait_for()
    server.delete(path, opened.host)
    table.tap("c1", "L", "c3")
    table.says(f"{LOST}, or ask the scorekeeper for it. 1 move waits")


def test_phone_is_told_that_its_match_was_deleted(phone, server, opened, seat):
    table = BoardPage(server, phone(), opened, seat[0])
    server.delete(f"/matches/{opened.id}", opened.host)
    table.says("This match was deleted; its scorekeeper can bring it back")
