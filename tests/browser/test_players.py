"""The strip of players on the page of a match: names, scores, and a player's own phone."""

from __future__ import annotations

import pytest

from tests.browser.board_page import BoardPage

CALLS = """
window.calls = [];
navigator.vibrate = () => calls.push("buzz");
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (when) { calls.push("tone"); start.call(this, when); };
window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
const here = { lang: "en-GB", localService: true };
Object.defineProperty(window, "speechSynthesis", { value: {
  getVoices: () => [{ lang: "en-US" }, { lang: "de-DE", localService: true }, here],
  cancel() {},
  speak({ text, voice }) { if (voice === here) calls.push(text); },
} });
"""

AWAKE = """
window.locks = [];
const value = { request: async (kind) => locks.push(kind) };
Object.defineProperty(navigator, "wakeLock", { value });
"""


def test_strip_has_current_names_and_scores(phone, server, opened):
    table = BoardPage(server, phone(), opened)
    players = table.page.locator(".players li")
    assert players.locator(".score").nth(0).inner_text().startswith("0 ▲")
    table.enter("M@c1")
    assert players.locator(".score").nth(0).inner_text().startswith("1 ▲")
    assert "is-awaited" in players.nth(1).get_attribute("class")
    assert players.nth(1).get_attribute("aria-current") == "true"
    assert not players.nth(0).get_attribute("aria-current")


def test_entered_name_is_offered_in_next_match(phone, server):
    first, second = server.open(), server.open()
    page = phone()
    table = BoardPage(server, page, first)
    page.locator("[data-name='2']").tap()
    page.get_by_label("The name of player 2").fill("Ben")
    page.get_by_role("button", name="Save").tap()
    table.says("Ben")
    page.locator(".players .name", has_text="Ben").wait_for()
    BoardPage(server, page, second)
    page.locator("[data-name='1']").tap()
    page.locator("[data-known=Ben]").tap()
    page.locator(".players li:first-child .name", has_text="Ben").wait_for()
    assert server.get(f"/matches/{second.id}/tags")["players"] == {"1": "Ben"}
    assert server.get(f"/matches/{first.id}/tags")["players"] == {"2": "Ben"}


def test_seat_phone_renames_only_its_player(phone, server, opened):
    page = phone()
    BoardPage(server, page, opened, opened.seats["2"])
    assert page.locator(".players li:nth-child(2) .name").inner_text() == "You are Red"
    assert page.locator("[data-name]").count() == 1
    page.locator("[data-name='2']").tap()
    page.get_by_label("Your name").fill("Bo <b>")
    page.get_by_role("button", name="Save").tap()
    page.locator(".players .name", has_text="You are Bo <b>").wait_for()


def test_name_is_seen_on_other_phones(phone, server, opened):
    host, seat = phone(), phone()
    BoardPage(server, host, opened)
    BoardPage(server, seat, opened, opened.seats["2"])
    seat.locator("[data-name='2']").tap()
    seat.get_by_label("Your name").fill("Ben")
    seat.get_by_label("Your name").press("Enter")
    host.locator(".players .name", has_text="Ben").wait_for()


@pytest.mark.parametrize(("seat", "lower"), [("1", "c1"), ("2", "c6")])
def test_players_own_side_is_nearest(phone, server, opened, seat, lower):
    page = phone()
    table = BoardPage(server, page, opened, opened.seats[seat])
    heights = {at: table.place(at).bounding_box()["y"] for at in ("c1", "c6")}
    assert max(heights, key=heights.__getitem__) == lower


def _calls(page, number: int) -> list[str]:
    """Wait for so many sounds, buzzes and spoken words, and take them."""
    page.wait_for_function("number => calls.length >= number", arg=number)
    return page.evaluate("calls.splice(0)")


def test_device_sounds_and_speaks_if_wanted(phone, server, opened):
    page = phone()
    page.add_init_script(CALLS)
    table = BoardPage(server, page, opened, opened.seats["2"])
    server.play(opened, "M@c1")
    table.settled(1)
    assert page.evaluate("calls") == []
    page.locator("[data-more]").tap()
    page.get_by_role("button", name="Sound and buzz").tap()
    assert _calls(page, 3) == ["buzz", "tone", "tone"]
    page.get_by_role("button", name="Say moves aloud").tap()
    assert _calls(page, 1) == ["Jet places a medium on c1"]
    page.get_by_role("button", name="Close").tap()
    table.tap("a1")
    page.locator(".refusal").wait_for()
    assert _calls(page, 2) == ["buzz", "tone"]
    table.enter("S@c6")
    assert _calls(page, 1) == ["Red places a small on c6"]
    page.reload()
    page.locator("[data-more]").tap()
    page.get_by_text("This device").wait_for()
    wishes = page.locator("dialog [aria-pressed=true]")
    assert wishes.all_inner_texts() == ["Sound and buzz", "Say moves aloud"]
    page.get_by_role("button", name="Close").tap()
    server.play(opened, "c1>L@c2")
    assert _calls(page, 4) == ["buzz", "tone", "tone", "c1 launches a large to c2"]
    page.locator("[data-more]").tap()
    for name in ("Sound and buzz", "Say moves aloud"):
        page.get_by_role("button", name=name).tap()
        page.get_by_role("button", name=name, pressed=False).wait_for()
    assert page.evaluate("localStorage.getItem('plybook.alerts')") == "null", "no page loads them"


def test_screen_stays_on_if_the_browser_allows(phone, server, opened):
    page = phone()
    page.add_init_script(AWAKE)
    BoardPage(server, page, opened)
    page.wait_for_function("() => locks.length === 1")
    assert page.evaluate("locks") == ["screen"]


def test_correction_is_seen_during_and_after_the_match(phone, server, opened):
    host, seat = phone(), phone()
    BoardPage(server, host, opened)
    BoardPage(server, seat, opened, opened.seats["2"])
    server.play(opened, "M@c1")
    rename(host, "1", "Anna")
    seat.locator(".told", has_text="Seat 1 is Anna now (scorekeeper).").wait_for()
    server.play(opened, "1:resign")
    for page in (host, seat):
        page.locator(".standing", has_text="Red won").wait_for()
    rename(seat, "2", "Zoe")
    seat.locator("dialog .bad", has_text="its host names the players").wait_for()
    rename(host, "2", "Ben")
    host.locator("dialog .bad", has_text="give the reason").wait_for()
    host.get_by_label("Why it changes after the end").fill("a slip")
    host.get_by_role("button", name="Save").tap()
    host.locator(".said", has_text="Seat 2 is Ben now after the end (scorekeeper)").wait_for()
    host.locator(".standing", has_text="Player 2 won").wait_for()
    host.goto(f"{server.url}/m/{opened.id}/replay")
    host.locator(".list .note", has_text="Seat 2 is Ben now after the end: a slip").wait_for()


def rename(page, seat, name):
    page.locator(f"[data-name='{seat}']").tap()
    page.locator("#player-name").fill(name)
    page.get_by_role("button", name="Save").tap()


def test_four_players_are_in_two_columns_on_their_own_phones(phone, server):
    opened = server.open("power-play", seats=4)
    page = phone(viewport={"width": 360, "height": 640})
    page.goto(f"{server.url}/join/{opened.id}/{opened.seats['2']}")
    boxes = [each.bounding_box() for each in page.locator(".players li").all()]
    left, right, *below = [(box["x"], box["width"]) for box in boxes]
    assert below == [left, right]
    assert left[1] == right[1]
