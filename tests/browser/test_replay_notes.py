"""Notes on a match: comments, glyphs and drawings, their authors, and their live updates."""

from __future__ import annotations

import pytest

from tests.browser.board_page import followed
from tests.browser.replay_page import ReplayPage, record_match
from tests.waiting import eventually

NASTY = '<b>Jet</b> & "Red" </script>'


@pytest.fixture
def match(server):
    return record_match(server, 6)


@pytest.fixture
def host(server, phone, match):
    return ReplayPage(server, phone(), match, match.host)


def comment(reading, text, sign=None):
    reading.tool("comment")
    dialog = reading.page.get_by_role("dialog")
    dialog.get_by_label("Comment", exact=True).fill(text)
    if sign:
        dialog.locator(f'[data-sign="{sign}"]').click()
    dialog.get_by_role("button", name="Save").click()
    dialog.wait_for(state="detached")


def test_comment_and_sign_are_stored_and_live(server, host, desktop, match):
    page = desktop()
    with followed(page):
        other = ReplayPage(server, page, match).at("#4", shown=4)
    host.at("#4", shown=4)
    comment(host, NASTY, "?!")
    host.stands(4)
    for reading in (host, other, host.at("#4", shown=4)):
        reading.page.wait_for_selector(".caption .note")
        assert reading.stop(4).locator(".note").inner_text() == NASTY
        assert "?!" in reading.page.locator(".caption").inner_text()


def test_written_comment_outlives_taps_and_back(host):
    host.at("#4", shown=4).tool("comment")
    page, text = host.page, host.page.get_by_label("Comment", exact=True)
    text.fill("a long thought")
    page.mouse.click(4, 4)
    assert text.input_value() == "a long thought"
    page.go_back()
    text.wait_for(state="detached")
    host.stands(4)
    host.tool("comment")
    assert text.input_value() == "a long thought"
    page.mouse.click(4, 4)
    text.wait_for(state="detached")
    host.tool("comment")
    page.get_by_role("button", name="Cancel").click()
    host.tool("comment")
    assert text.input_value() == ""


@pytest.mark.slow
def test_rare_sign_is_chosen_from_the_list(host):
    host.at("#2", shown=2).tool("comment")
    dialog = host.page.get_by_role("dialog")
    dialog.get_by_label("Other ratings").select_option("N")
    dialog.get_by_role("button", name="Save").click()
    host.page.wait_for_selector(".list abbr[title=novelty]")


@pytest.mark.slow
def test_comment_is_edited_and_retracted_with_history(host):
    host.at("#3", shown=3)
    comment(host, "a slip")
    host.tool("comment")
    dialog = host.page.get_by_role("dialog")
    dialog.get_by_role("button", name="Edit").click()
    dialog.get_by_label("Change the comment").fill("no slip at all")
    dialog.get_by_role("button", name="Save").first.click()
    dialog.get_by_text("no slip at all").wait_for()
    dialog.get_by_text("Before").click()
    dialog.get_by_text("a slip", exact=False).last.wait_for()
    dialog.get_by_role("button", name="Delete").click()
    dialog.get_by_role("button", name="Delete: sure?").click()
    dialog.get_by_text("Deleted").first.wait_for()
    host.page.keyboard.press("Escape")
    host.page.wait_for_function("() => !document.querySelector('.list .note')")


@pytest.mark.slow
def test_circles_arrows_and_letters_are_drawn(server, host, phone, match):
    host.at("#5", shown=5).tool("draw")
    page = host.page
    page.locator(".desk .panel").wait_for()
    host.place("b2").tap()
    page.get_by_role("button", name="Arrow").click()
    host.place("a1").tap()
    host.place("c3").tap()
    page.get_by_role("button", name="Letter").click()
    host.place("e4").tap()
    start, end = (host.place(at).bounding_box() for at in ("d2", "d4"))
    page.mouse.move(start["x"] + 20, start["y"] + 20)
    page.mouse.down()
    page.mouse.move(end["x"] + 20, end["y"] + 20)
    page.mouse.up()
    page.get_by_role("button", name="Save").click()
    drawn = {"circle": "b2", "arrow": "a1-c3", "label": "e4=A"}
    host.stop(5).locator('[data-where="d2-d4"]').wait_for(state="attached")
    other = ReplayPage(server, phone(), match)
    for reading in (host, other.at("#5", shown=5)):
        reading.page.wait_for_selector(".noted .pb-ring")
        for kind, where in drawn.items():
            assert reading.stop(5).locator(f'[data-mark={kind}][data-where="{where}"]').count()
        assert reading.stop(5).locator('[data-where="d2-d4"]').count() == 1
        assert reading.page.locator(".noted .pb-way-note").count() == 2
    other.go("previous")
    other.stands(4)
    assert other.page.locator(".noted .pb-ring").count() == 0


def test_seat_comment_is_signed_and_spectator_cannot_comment(server, phone, match):
    spectator = ReplayPage(server, phone(), match).at("#1", shown=1)
    assert spectator.page.locator("[data-tool]").all_inner_texts() == ["What if …"]
    seat = ReplayPage(server, phone(), match, match.seats["2"]).at("#1", shown=1)
    assert seat.page.locator("[data-tool=amend]").count() == 0
    comment(seat, "my favourite opening")
    seat.page.wait_for_selector(".caption .note")
    assert seat.page.locator(".caption .note i").inner_text() == "Red"


@pytest.mark.slow
def test_keyboard_suffices_to_write_a_comment(host):
    host.at("#2", shown=2)
    page = host.page
    host.open_tools()
    page.locator("[data-tool=comment]").focus()
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.activeElement.matches('dialog textarea')")
    page.keyboard.type("Left. Home, n or p do not move the board here")
    assert host.here == "2"
    page.locator("dialog").get_by_role("button", name="Save").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector(".caption .note")
    assert page.evaluate("document.activeElement.matches('.tools summary')")


@pytest.mark.slow
def test_analysis_is_stopped_and_draws_its_curve(server, phone):
    match = record_match(server, 6)
    reading = ReplayPage(server, phone(), match, match.host).at()
    part = reading.page.locator("[data-part=analysis]")
    asked = []

    def hold_the_second(route):
        asked.append(route)
        if len(asked) != 2:
            route.continue_()

    reading.page.route("**/analysis", hold_the_second)
    reading.tool("analyse")
    reading.page.wait_for_selector("progress:not([value='0'])")
    part.get_by_role("button", name="Stop").click()
    eventually(lambda: reading.page.title() and asked[1:])[0].continue_()
    part.locator("svg").wait_for()
    part.get_by_role("button", name="Analyse").wait_for()
    reading.page.wait_for_selector(".list .note")
