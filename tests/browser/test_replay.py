"""Replaying a match: by buttons, slider, keys and address, live, and in steps."""

from __future__ import annotations

import pytest

from tests.browser.replay_page import ReplayPage, first_tokens, record_match


@pytest.fixture(scope="module")
def match(server):
    return record_match(server, 12)


@pytest.fixture
def reading(server, desktop, match):
    return ReplayPage(server, desktop(), match)


def test_replay_opens_at_head_or_named_stop(reading):
    reading.at(shown=12)
    last = reading.board
    reading.at("#5", shown=5)
    assert reading.board != last
    reading.at("?ply=7", shown=7)
    assert "ply" not in reading.page.evaluate("location.search")
    assert reading.page.evaluate("scrollY") == 0


COUNT = """
window.counted = { formats: 0, boxes: 0 };
const { DateTimeFormat } = Intl;
Intl.DateTimeFormat = function (...wishes) {
  counted.formats += 1;
  return new DateTimeFormat(...wishes);
};
const box = Element.prototype.getBoundingClientRect;
Element.prototype.getBoundingClientRect = function () {
  counted.boxes += this.matches("[data-player=list]");
  return box.call(this);
};
"""


def test_phone_starts_with_one_format_of_times_and_no_layout_of_the_list(server, phone, match):
    page = phone()
    page.add_init_script(COUNT)
    ReplayPage(server, page, match).at("#5", shown=5)
    page.wait_for_function("counted.formats && document.readyState === 'complete'")
    assert page.locator(".list time").count() > 1
    assert page.evaluate("counted") == {"formats": 1, "boxes": 0}


def test_buttons_slider_and_list_move_the_board(reading):
    reading.at("#3", shown=3)
    for button, stop in {"next": 4, "previous": 3, "nextturn": 4, "last": 12, "first": 0}.items():
        reading.go(button)
        reading.stands(stop)
    reading.page.locator("[data-player=slider]").fill("8")
    reading.stands(8)
    reading.stop(2).locator("a").first.click()
    reading.stands(2)
    assert first_tokens("poptrix", 2)[1] in reading.page.locator(".caption").inner_text()


def test_keyboard_suffices_to_operate_the_replay(reading):
    reading.at("#3", shown=3)
    keys = {"ArrowRight": 4, "ArrowLeft": 3, "n": 4, "p": 3, "End": 12, "Home": 0}
    for key, stop in keys.items():
        reading.page.keyboard.press(key)
        reading.stands(stop)
    reading.page.keyboard.press(".")
    notable = reading.page.locator(".list [data-notable]")
    first = notable.first.get_attribute("id") if notable.count() else "12"
    reading.stands(first)


def test_highlight_buttons_name_and_reach_highlights(reading):
    reading.at("#0", shown=0)
    button = reading.page.get_by_role("button", name="Next highlight: a capture")
    assert button.inner_text() == "Highlight ›"
    assert button.evaluate("button => button.scrollWidth <= button.clientWidth")
    button.click()
    notable = reading.page.locator(".list [data-notable]")
    reading.stands(notable.first.get_attribute("id") if notable.count() else "12")


@pytest.mark.slow
def test_replay_plays_by_itself_and_pauses(reading):
    reading.at("#9", shown=9)
    reading.page.locator("[data-player=speed]").select_option("8")
    reading.go("toggle")
    reading.stands(12)
    reading.page.get_by_role("button", name="Play", exact=True).wait_for()


@pytest.mark.slow
def test_moving_pieces_heed_reduced_motion(server, desktop, match):
    for motion, moving in {"no-preference": True, "reduce": False}.items():
        reading = ReplayPage(server, desktop(reduced_motion=motion), match).at("#2", shown=2)
        running = "document.querySelector('.stage').getAnimations({subtree: true}).length > 0"
        reading.page.evaluate(
            f"""() => {{ window.seen = false; const look = () => {{
            window.seen ||= {running}; requestAnimationFrame(look); }}; look(); }}"""
        )
        reading.go("next")
        reading.stands(3)
        if moving:
            reading.page.wait_for_function("() => window.seen")
        reading.page.wait_for_timeout(150)
        assert reading.page.evaluate("window.seen") is moving


def test_new_move_advances_only_readers_at_the_end(server, phone):
    match = record_match(server, 4)
    onward = first_tokens("poptrix", 6)
    end = ReplayPage(server, phone(), match).at(shown=4)
    server.play(match, onward[4])
    end.stands(5)
    end.go("first")
    end.stands(0)
    server.play(match, onward[5])
    end.page.get_by_role("button", name="1 new move").click()
    end.stands(6)


@pytest.mark.parametrize(
    ("wide", "high"), [pytest.param(390, 664, marks=pytest.mark.slow), (360, 640)]
)
def test_dock_is_one_row_below_strip_of_scores(server, screens, match, wide, high):
    page = screens(viewport={"width": wide, "height": high}, has_touch=True, is_mobile=True)
    reading = ReplayPage(server, page, match, match.host).at("#3", shown=3)
    tops = {key.bounding_box()["y"] for key in page.locator(".controls button:visible").all()}
    assert len(tops) == 1
    here = page.locator(".strip .is-here")
    assert here.inner_text().split("\n") == [f"3. {first_tokens('poptrix', 3)[2]}", "2:1"]
    assert here.bounding_box()["y"] + here.bounding_box()["height"] <= tops.pop()
    caption = page.locator(".caption").inner_text()
    assert caption.startswith("3. c1 launches a ")
    assert page.locator("[data-tool]:visible").count() == 0
    page.locator(".strip [data-stop='4']").tap()
    reading.stands(4)
    reading.tool("fork")
    page.get_by_role("dialog").wait_for()


def test_phone_shows_board_and_player_without_scrolling(server, phone, match):
    reading = ReplayPage(server, phone(), match).at("#6", shown=6)
    height = reading.page.viewport_size["height"]
    width = reading.page.evaluate("document.documentElement.scrollWidth")
    assert width <= reading.page.viewport_size["width"]
    for part in (".stage .board svg", ".controls", ".caption > a"):
        box = reading.page.locator(part).first.bounding_box()
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= height
    for button in reading.page.locator(".controls button:visible").all():
        box = button.bounding_box()
        assert min(box["width"], box["height"]) >= 40


@pytest.mark.slow
def test_tapped_move_scrolls_board_into_view(server, phone, match):
    reading = ReplayPage(server, phone(), match).at("#12", shown=12)
    reading.stop(11).locator("a").first.tap()
    reading.stands(11)
    board = reading.page.locator(".stage .board").first
    reading.page.wait_for_function("() => scrollY < 120")
    assert board.bounding_box()["y"] >= 0


@pytest.mark.slow
def test_replay_without_scripts_has_board_and_list(server, screens, match):
    page = screens(java_script_enabled=False)
    page.goto(f"{server.url}/m/{match.id}/replay?ply=3")
    frame = page.locator(".stage .frame")
    assert frame.get_attribute("data-ply") == "3"
    page.locator('.list [id="8"] a').first.click()
    page.wait_for_url("**ply=8*")
    assert page.locator(".stage .frame").get_attribute("data-ply") == "8"


def test_pyramid_ball_is_played_row_by_row(server, desktop):
    match = record_match(server, 8, "pyramid-ball")
    reading = ReplayPage(server, desktop(), match).at()
    stepped = reading.page.locator(".list [data-steps]").first
    name = stepped.get_attribute("id")
    steps = int(stepped.get_attribute("data-steps"))
    assert steps >= 3
    reading.at(f"#{int(name) - 1}", shown=int(name) - 1)
    for step in range(1, steps + 1):
        reading.page.keyboard.press("ArrowRight")
        count = reading.page.locator("[data-player=count]")
        assert f"step {step} of {steps}" in count.inner_text()
        reading.page.wait_for_function(
            "() => document.querySelector('.caption p').textContent.startsWith('Row')"
        )
    reading.page.keyboard.press("ArrowRight")
    reading.stands(name)


COUNT_COPIES = """() => {
  const clone = Node.prototype.cloneNode;
  window.copies = 0;
  Node.prototype.cloneNode = function (deep) {
    if (this.matches?.("article.frame")) window.copies += 1;
    return clone.call(this, deep);
  };
}"""


def test_only_the_board_that_is_shown_is_copied(server, phone, match):
    reading = ReplayPage(server, phone(), match).at("#2", shown=2)
    reading.page.evaluate(COUNT_COPIES)
    for ply in (3, 4, 5):
        reading.go("next")
        reading.stands(ply)
    assert reading.page.evaluate("copies") == 3
