"""Adjusting the position by taps: moving, taking back, the turn, the text, and saving."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.browser.adjust_page import Adjusting
from tests.browser.board_page import BoardPage
from tests.browser.test_page_weight import SHIFT, WATCH

pytestmark = pytest.mark.slow

OPENING = ("M@c1", "S@c6", "c1>L@c3")


@pytest.fixture
def opened(server, opened):
    server.play(opened, *OPENING)
    return opened


@pytest.fixture
def adjusting(phone, server, opened):
    return Adjusting(server, phone(), opened)


def position(server, opened) -> str:
    return server.get(f"/matches/{opened.id}/position")["position"]


def verified(server, match: str) -> bool:
    command = [sys.executable, "-m", "cli", "verify", match, "--db", str(server.database)]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def test_moved_things_are_saved_with_a_reason(adjusting, server, opened):
    page = adjusting.page
    adjusting.tap("c3", "d4")
    adjusting.says("Large of Jet: now on d4.")
    adjusting.tap("c6", "stash2")
    adjusting.says("now in the stash of Red")
    adjusting.tells("This ends the match: Jet won.")
    adjusting.tap("stash2 m", "e6")
    adjusting.says("Medium of Red: now on e6.")
    page.get_by_label("Jet", exact=True).check()
    adjusting.tells("Jet is to launch.")
    assert "4m5l 1 4" in page.locator("article.frame").get_attribute("data-text")
    adjusting.save("the cat")
    page.wait_for_url(f"**/m/{opened.id}")
    assert "d4, large of Jet" in page.locator('[data-at="d4"]').get_attribute("aria-label")
    assert page.locator(".told").inner_text() == "The position was adjusted: the cat"
    assert position(server, opened) == "4m/5/3L1/5/5/2M2 5S4M4L 5s4m5l 1 4"
    assert verified(server, opened.id)


def test_position_cannot_be_saved_before_the_script_is_there(phone, server, opened):
    page = phone()
    page.goto(f"{server.url}/join/{opened.id}/{opened.host}")
    scripts = []
    page.route("**/js/adjust.js*", lambda route: scripts.append(route))
    address = f"{server.url}/m/{opened.id}/adjust"
    with page.expect_request("**/js/adjust.js*"):
        page.goto(address, wait_until="commit")
    page.get_by_label("Reason").fill("the cat")
    page.get_by_label("Reason").press("Enter")
    save = page.get_by_role("button", name="Save")
    assert save.is_disabled()
    scripts[0].continue_()
    save.tap()
    page.get_by_text("The record has this position already").wait_for()
    assert page.url == address


def test_moves_by_hand_are_undone(adjusting, server, opened):
    page = adjusting.page
    before = position(server, opened)
    assert page.get_by_role("button", name="Undo").is_disabled()
    adjusting.tap("c3", "d4")
    adjusting.says("now on d4")
    adjusting.tap("d4", "e4")
    adjusting.says("now on e4")
    adjusting.press("Undo")
    adjusting.says("Undone.")
    adjusting.stands("d4, large of Jet")
    adjusting.press("Start over")
    adjusting.says("As it is recorded.")
    assert page.locator("article.frame").get_attribute("data-text") == before
    adjusting.press("Undo")
    adjusting.says("Undone.")
    adjusting.stands("d4, large of Jet")
    adjusting.press("Undo")
    adjusting.says("Undone.")
    adjusting.stands("c3, large of Jet")
    assert page.get_by_role("button", name="Undo").is_disabled()
    assert position(server, opened) == before


def test_second_tap_deselects_and_wrong_tap_is_explained(adjusting):
    page = adjusting.page
    adjusting.tap("e5")
    adjusting.says("On e5 there is nothing to take: tap a piece first.")
    adjusting.tap("c3")
    adjusting.says("Large of Jet, on c3: tap where it goes.")
    assert page.locator('[data-at="c3"].is-chosen').count() == 1
    adjusting.tap("c3")
    adjusting.says("Tap a piece")
    assert page.locator(".is-chosen").count() == 0
    adjusting.tap("c3", "c1")
    adjusting.says("c1 is taken")
    assert page.locator('[data-at="c1"].is-refused').count() == 1
    assert page.locator('[data-at="c3"].is-chosen').count() == 1
    adjusting.tap("stash2")
    adjusting.says("A pyramid of Jet must lie on a square, in their own stash, or out.")
    adjusting.tap("b3")
    adjusting.says("now on b3")


def test_tap_on_stack_offers_its_things(adjusting):
    page = adjusting.page
    adjusting.tap("stash1 ^1", "c3")
    adjusting.says("Cap of Jet: now on c3.")
    adjusting.tap("c3")
    chips = page.locator(".hand .chip-thing")
    assert chips.locator("span").all_inner_texts() == ["large, with its cap", "cap"]
    assert chips.nth(0).get_attribute("aria-pressed") == "true"
    chips.nth(1).click()
    page.locator('.chip-thing[data-what="^1"][aria-pressed="true"]').wait_for()
    adjusting.tap("c1")
    adjusting.says("Cap of Jet: now on c1.")
    assert adjusting.label("c1").startswith("c1, medium of Jet with cap")
    adjusting.tap("stash2 s", "stash2 m", "d6")
    adjusting.says("Medium of Red: now on d6.")


def test_reload_keeps_all_moved_things(adjusting):
    page = adjusting.page
    adjusting.tap("c3", "d4")
    adjusting.says("now on d4")
    page.get_by_label("Jet", exact=True).check()
    adjusting.tells("Jet is to launch.")
    page.reload()
    page.locator(".board .pb-cell[tabindex='0']").wait_for()
    assert adjusting.label("d4").startswith("d4, large of Jet")
    assert page.get_by_label("Jet", exact=True).is_checked()
    adjusting.press("Undo")
    adjusting.says("Undone.")
    assert adjusting.label("c3").startswith("c3, large of Jet")


def test_position_can_be_written_as_text(adjusting, server, opened):
    page = adjusting.page
    page.locator("summary", has_text="As text").click()
    written = page.get_by_label("The position, in one line")
    assert written.input_value() == position(server, opened)
    written.fill("nonsense")
    adjusting.press("Show")
    adjusting.tells("column 9")
    written.fill("2s2/5/5/5/5/1M3 5S4M5L 4s5m5l 1 3")
    adjusting.press("Show")
    page.locator('.board [data-at="b1"][aria-label^="b1, medium of Jet"]').wait_for()
    adjusting.tap("b1", "b2")
    adjusting.says("now on b2")
    assert written.input_value().startswith("2s2/5/5/5/1M3/5 ")
    adjusting.save("the cat")
    page.wait_for_url(f"**/m/{opened.id}")
    assert position(server, opened) == "2s2/5/5/5/1M3/5 5S4M5L 4s5m5l 1 3"


def test_text_is_saved_without_being_shown(adjusting, server, opened):
    page = adjusting.page
    page.locator("summary", has_text="As text").click()
    page.get_by_label("The position, in one line").fill("2s2/5/5/5/5/1M3 5S4M5L 4s5m5l 1 3")
    adjusting.save("the cat")
    page.wait_for_url(f"**/m/{opened.id}")
    assert position(server, opened) == "2s2/5/5/5/5/1M3 5S4M5L 4s5m5l 1 3"


def test_impossible_and_unchanged_positions_are_not_saved(phone, server):
    opened = server.open(players={"1": "Jet", "2": "Red"})
    server.play(opened, OPENING[0])
    adjusting = Adjusting(server, phone(), opened)
    adjusting.save("the cat")
    adjusting.tells("The record has this position already; move something first.")
    adjusting.tap("c1", "a6")
    adjusting.tells("This position is not possible yet.")
    adjusting.press("Save")
    adjusting.tells(
        "This position is not possible yet. On turn 2 the home row of Red must be empty."
    )
    assert server.get(f"/matches/{opened.id}")["version"] == 1


def test_editor_reports_moves_entered_meanwhile(adjusting, server, opened):
    page = adjusting.page
    adjusting.tap("c3", "d4")
    adjusting.says("now on d4")
    server.play(opened, "c6>M@c5")
    adjusting.save("the cat")
    adjusting.tells("Meanwhile recorded: c6 launches a medium to c5.")
    assert adjusting.label("d4").startswith("d4, large of Jet")
    assert position(server, opened).split("/")[1] == "2m2"
    adjusting.press("Save")
    page.wait_for_url(f"**/m/{opened.id}")
    assert position(server, opened).split("/")[:3] == ["2s2", "5", "3L1"]
    assert verified(server, opened.id)


def test_lost_network_loses_no_adjustment(adjusting):
    page = adjusting.page
    page.context.set_offline(True)
    adjusting.tap("c3", "d4")
    adjusting.says("No network just now")
    page.context.set_offline(False)
    adjusting.tap("d4")
    adjusting.says("Large of Jet: now on d4.")


def test_refusal_links_to_its_rule(phone, server):
    adjusting = Adjusting(server, phone(), server.open("blockade"))
    adjusting.tap("blacks m", "c3")
    adjusting.says("has no tower; put a black directly on a large")
    clause = adjusting.page.locator(".hand .said a.clause")
    assert clause.get_attribute("href") == "/rules/blockade#BLK-5.1"


def test_layout_does_not_shift_while_pieces_move(phone, server, opened):
    page = phone()
    page.add_init_script(WATCH)
    adjusting = Adjusting(server, page, opened)
    for taps, words in (
        (["c3", "d4"], "now on d4"),
        (["stash2 m", "d4"], "d4 is taken"),
        (["out"], "out of the game"),
        (["stash1 ^1", "d4"], "now on d4"),
        (["d4", "c4"], "now on c4"),
    ):
        adjusting.tap(*taps)
        adjusting.says(words)
        page.wait_for_timeout(400)  # the pieces are still moving
    page.get_by_label("Jet", exact=True).check()
    adjusting.tells("Jet is to launch.")
    page.wait_for_timeout(100)
    assert sum(value for value, _ in page.evaluate("shifts")) < SHIFT, page.evaluate("shifts")


def test_position_is_adjusted_by_keyboard_and_screen_reader(desktop, server, opened):
    adjusting = Adjusting(server, desktop(), opened)
    page, keys = adjusting.page, adjusting.page.keyboard
    news = page.locator("[data-part=news]")
    page.locator('.board [data-at="c3"]').focus()
    keys.press("Enter")
    adjusting.says("Large of Jet, on c3")
    assert "Large of Jet, on c3" in news.inner_text()
    keys.press("ArrowUp")
    keys.press("Space")
    adjusting.says("now on c4")
    assert "Large of Jet: now on c4. Red is to launch." in news.inner_text()
    assert page.evaluate("document.activeElement.dataset.at") == "c4"
    keys.press("Enter")
    page.locator('[data-lay="out"]').press("Enter")
    adjusting.says("now out of the game")
    assert page.evaluate("document.activeElement.dataset.what") == "L"
    keys.press("Enter")
    adjusting.says("Large of Jet, out of the game: tap where it goes.")
    keys.press("Escape")
    adjusting.says("Tap a piece")
    page.locator("[name=turn]:checked").press("ArrowRight")
    adjusting.tells("Jet is to launch.")
    assert page.evaluate("document.activeElement.value") == "1"
    page.get_by_label("Reason").fill("the cat")
    keys.press("Enter")
    page.wait_for_url(f"**/m/{opened.id}")


def test_refused_move_can_be_recorded_as_stood(phone, server, opened):
    table = BoardPage(server, phone(), opened)
    page = table.page
    table.tap("c6", "e1")
    page.locator(".refusal").get_by_role("link", name="We played it anyway").click()
    page.get_by_role("link", name="large").click()
    page.wait_for_url(f"**/m/{opened.id}/adjust?**")
    assert "Red: c6>L@e1, against POP-3.3." in page.locator("p.stood").inner_text()
    adjusting = Adjusting.at(page)
    adjusting.stands("e1, large of Red")
    adjusting.tap("e1", "d4")
    adjusting.says("Large of Red: now on d4.")
    page.reload()
    adjusting.stands("d4, large of Red")
    adjusting.tells("Jet is to launch.")
    page.get_by_role("button", name="Record it").click()
    page.wait_for_url(f"**/m/{opened.id}")
    words = "Red played c6>L@e1 against POP-3.3, and it stood"
    assert page.locator(".told").inner_text() == words
    line = server.get(f"/matches/{opened.id}/events")["events"]
    assert line[-1]["event"]["type"] == "stood"
    assert line[-1]["event"]["position"].startswith("2s2/5/3l1/2L2/")
    assert verified(server, opened.id)


def test_more_dialog_leads_to_adjusting(phone, server, opened):
    table = BoardPage(server, phone(), opened)
    table.page.locator("[data-more]").click()
    table.page.get_by_role("link", name="Adjust the position").click()
    table.page.wait_for_url(f"**/m/{opened.id}/adjust")


def test_game_without_position_texts_has_no_links(phone, server):
    match = server.open("free-board", options={"size": 3}, players={"1": "Ann", "2": "Ben"})
    server.play(match, "w@a1")
    page = BoardPage(server, phone(), match).page
    page.locator("[data-more]").click()
    page.get_by_role("link", name="How to play").wait_for()
    assert page.get_by_role("link", name="Adjust the position").count() == 0
    page.get_by_text("Type a move").click()
    page.get_by_label("As the list of moves has it").fill("b@a1")
    page.get_by_role("button", name="Enter").click()
    page.get_by_text("a1 is taken").wait_for()
    page.goto(f"{server.url}/m/{match.id}/replay?amend=1")
    page.get_by_role("button", name="This was never played").wait_for()
    assert page.get_by_role("link", name="Adjust the position").count() == 0


def test_player_gets_no_links_to_scorekeeper_pages(phone, server, opened):
    table = BoardPage(server, phone(), opened, opened.seats["2"])
    table.tap("c6", "e1")
    table.page.locator(".refusal").wait_for()
    assert table.page.get_by_role("link", name="We played it anyway").count() == 0
    table.page.locator("[data-more]").click()
    table.page.get_by_role("link", name="How to play").wait_for()
    assert table.page.get_by_role("link", name="Adjust the position").count() == 0


BY_HAND = {
    "blockade": (["d4", "b4", "b4", "chip r", "c3"], "r,b,r,1,y/r,g,r,b,y"),
    "power-play": (["b1", "chip 1L", "c3"], "1LMS,1,1L,5/1LMS,7/1LMS,1MS,1LMS,5"),
    "pyramid-ball": (["d4", "chip ball", "d5"], " 2M "),
    "cube-pyramid": (["supply1 l", "A11", "supply2 d", "A12"], "ld3/4/3/2/1 "),
}
"""The taps at the start of a game, chips among them, and a part of the resulting text."""


@pytest.mark.parametrize("game", BY_HAND)
def test_every_game_is_adjusted_by_hand(phone, server, game):
    opened = server.open(game, players={"1": "Jet", "2": "Red"})
    adjusting = Adjusting(server, phone(), opened)
    page = adjusting.page
    taps, text = BY_HAND[game]
    for tap in taps:
        kind, _, what = tap.partition(" ")
        if kind == "chip":
            page.locator(f'.chip-thing[data-what="{what}"]').click()
        else:
            adjusting.tap(tap)
    page.wait_for_function(
        "text => document.querySelector('article.frame').dataset.text.includes(text)", arg=text
    )
    adjusting.save("the cat")
    page.wait_for_url(f"**/m/{opened.id}")
    assert text in position(server, opened)
    assert verified(server, opened.id)
