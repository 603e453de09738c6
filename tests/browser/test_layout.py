"""The controls never cover the board, on small phones and in large type."""

from __future__ import annotations

import itertools
import urllib.request
from typing import Any

import pytest

from tests.browser.board_page import WATCH_BOARD, BoardPage, at_rest
from tests.browser.launch import PHONE
from tests.browser.page_cases import draw_program
from tests.browser.replay_page import ReplayPage, record_match

pytestmark = pytest.mark.slow

BEYOND_CELLS = """() => [...document.querySelectorAll("td span")].filter((token) =>
  token.getBoundingClientRect().right > token.closest("td").getBoundingClientRect().right)
  .map((token) => token.textContent)"""

LARGE = """
addEventListener("DOMContentLoaded", () => (document.documentElement.style.fontSize = "200%"));
"""

SCREENS = {"tall": (740, ""), "low": (640, ""), "large type": (740, LARGE)}


@pytest.fixture
def screen(screens, look) -> Any:
    high, type_ = SCREENS[look]
    page = screens(**{**PHONE, "viewport": {"width": 360, "height": high}})
    page.add_init_script(WATCH_BOARD + type_)
    return page


looks = pytest.mark.parametrize("look", SCREENS)


@looks
def test_dice_controls_do_not_cover_the_board(screen, server, look):
    table = BoardPage(server, screen, server.open("blockade", players={"1": "Jet", "2": "Red"}))
    screen.locator(".face:visible").last.scroll_into_view_if_needed()
    at_rest(screen)
    table.enter("roll=3,5")
    at_rest(screen)
    assert screen.evaluate("covered") == []


@looks
def test_special_moves_do_not_cover_the_board(screen, server, look):
    opened = server.open(
        "pyramid-ball", options={"length": "advanced"}, players={"1": "Jet", "2": "Red"}
    )
    table = BoardPage(server, screen, opened)
    server.play(opened, "1:S=.FR,M=LFF,L=RLF", "2:S=.BF,M=RFF,L=FFR")
    table.settled(2)
    at_rest(screen)
    assert screen.evaluate("covered") == []


@pytest.mark.parametrize(
    ("seat", "width", "height"), [("1", 360, 640), ("2", 360, 640), ("1", 820, 1180)]
)
def test_program_and_board_fit_one_screen(screens, server, seat, width, height):
    page = screens(**{**PHONE, "viewport": {"width": width, "height": height}})
    opened = server.open("pyramid-ball", players={"1": "Jet", "2": "Red"})
    table = BoardPage(server, page, opened, opened.seats[seat])
    seal = page.locator("[data-seal]").bounding_box()
    assert seal["y"] + seal["height"] <= height
    assert page.locator(".pb-live").bounding_box()["height"] > 200
    place, carrier = table.place("d4"), table.place("d4").locator(".pb-body")
    assert _middle(place.locator(".pb-hit")) == pytest.approx(_middle(carrier), abs=0.5)


@pytest.mark.parametrize(("width", "height"), [(360, 640), (390, 664)])
def test_missing_receiver_is_asked_for_above_the_pad(screens, server, width, height):
    page = screens(**{**PHONE, "viewport": {"width": width, "height": height}})
    opened = server.open("pyramid-ball", players={"1": "Jet", "2": "Red"})
    BoardPage(server, page, opened, opened.seats["1"])
    draw_program(page)
    page.get_by_role("button", name="step 2").click()
    page.get_by_role("button", name="to the large").wait_for()
    board = page.locator(".pb-live").bounding_box()
    page.locator("[data-seal]").click()
    asked = page.get_by_text("Say who receives the pass")
    asked.wait_for()
    assert page.locator(".pb-live").bounding_box()["height"] == board["height"]
    for words in ("none", "step 3", "to the small", "to the large"):
        page.locator(".pass").get_by_role("button", name=words).click(trial=True)
    page.locator(".pass").get_by_role("button", name="none").click()
    asked.wait_for(state="hidden")


def test_controls_after_reveal_are_above_the_fold(screens, server):
    page = screens(**{**PHONE, "viewport": {"width": 360, "height": 640}})
    opened = server.open(
        "pyramid-ball", options={"length": "advanced"}, players={"1": "Jet", "2": "Red"}
    )
    table = BoardPage(server, page, opened, opened.seats["1"])
    server.play(opened, "1:S=.FR,M=LFF,L=RLF")
    table.settled(1)
    server.play(opened, "2:S=.BF,M=RFF,L=FFR")
    table.settled(2)
    at_rest(page)
    assert _ends(page, "[data-secret]") < _ends(page, "[data-undo]") <= 640
    page.locator(".desk [data-secret]").tap()
    assert _ends(page, ".offers .button") < _ends(page, "[data-seal]") <= 640


@pytest.mark.parametrize(("width", "height"), [(390, 664), (360, 640)])
def test_program_is_locked_in_without_scrolling_whatever_is_offered(screens, server, width, height):
    opened = server.open("pyramid-ball", options={"length": "advanced"})
    server.play(opened, "1:S=.FR,M=LFF,L=RLF", "2:S=.BF,M=RFF,L=FFR")
    page = screens(**{**PHONE, "viewport": {"width": width, "height": height}})
    BoardPage(server, page, opened, opened.seats["1"])
    assert page.locator(".offers .button").count() == 3
    row = page.get_by_role("group", name="Pass")
    assert row.inner_text().split("\n")[:3] == ["Pass:", "none", "step 2"]
    for text in ("", ",pass=2"):
        page.locator(f".pass [data-text='{text}']").first.tap()
        at_rest(page)
        assert _ends(page, "[data-seal]") <= height
    receiver = row.locator("button").last.bounding_box()
    assert receiver["x"] + receiver["width"] <= width


@pytest.mark.parametrize(("width", "height"), [(390, 664), (360, 640)])
def test_declarations_of_four_players_leave_undo_on_the_screen(screens, server, width, height):
    names = {"1": "Annabella", "2": "Großvater Wolfgang", "3": "אבי", "4": "Ben"}
    opened = server.open("power-play", seats=4, players=names)
    beaten = "2L,6,3L/8/8/3,B,B,3/3,B,B,3/8/1,1L+M+S,6/1L,6,4L -/-/-/- 21/27/27/27 - - 1 1"
    adjusted = {"position": beaten, "reason": "All have lost"}
    server.post(f"/matches/{opened.id}/adjustments", adjusted, opened.host)
    page = screens(**{**PHONE, "viewport": {"width": width, "height": height}})
    BoardPage(server, page, opened)
    at_rest(page)
    assert page.locator(".spoken .button").count() == 12
    assert _ends(page, "[data-undo]") <= height


def _ends(page: Any, part: str) -> float:
    """Return the lower edge of a part of the desk, in pixels from the top."""
    box = page.locator(f".desk {part}").last.bounding_box()
    return float(box["y"] + box["height"])


def _middle(part: Any) -> float:
    box = part.bounding_box()
    return float(box["x"] + box["width"] / 2)


@pytest.mark.parametrize("game", ["poptrix", pytest.param("blockade", marks=pytest.mark.slow)])
def test_board_fits_above_player_in_large_type(screens, server, game):
    page = screens(**PHONE)
    page.add_init_script(LARGE)
    ReplayPage(server, page, record_match(server, 12, game)).at("#6", shown=6)
    board = page.locator(".stage .board svg").first.bounding_box()
    controls = page.locator(".controls").bounding_box()
    assert board["height"] <= controls["y"]
    assert controls["y"] - board["y"] > 200


def test_score_sheet_columns_do_not_overlap(phone, server):
    opened = server.open("pyramid-ball", players={"1": "Jet", "2": "Red"})
    server.play(opened, "1:S=FLR,M=RRB,L=LBF,pass=2S", "2:S=LLF,M=BRR,L=RLB")
    page = phone()
    with urllib.request.urlopen(f"{server.url}/matches/{opened.id}/record?format=sheet") as sheet:
        page.set_content(sheet.read().decode())
    assert page.evaluate(BEYOND_CELLS) == []


def test_long_numbers_of_nine_players_are_apart(screens, server):
    names = {str(seat): f"Alexandra{seat}" for seat in range(1, 10)}
    opened = server.open("score-sheet", seats=9, players=names)
    server.play(opened, *(f"{seat}:-1234{seat}" for seat in names))
    page = screens(**{**PHONE, "viewport": {"width": 360, "height": 640}})
    page.goto(f"{server.url}/m/{opened.id}")
    texts = page.locator(".board svg text")
    assert texts.all_text_contents()[:9] == list("123456789")
    boxes = [each.bounding_box() for each in texts.all()]
    for one, following in itertools.pairwise(boxes):
        beside = following["x"] > one["x"]
        assert not beside or one["x"] + one["width"] < following["x"]


@pytest.mark.parametrize("game", ["poptrix", pytest.param("blockade", marks=pytest.mark.slow)])
@pytest.mark.parametrize("tool", ["draw", "amend"])
def test_whole_board_stays_in_view_with_a_tool(screens, server, game, tool):
    page = screens(**{**PHONE, "viewport": {"width": 360, "height": 640}})
    reading = ReplayPage(server, page, match := record_match(server, 12, game), match.host)
    reading.at("#1", shown=1)
    reading.tool(tool)
    panel = page.locator(".desk .panel")
    panel.wait_for()
    at_rest(page)
    board = page.locator(".stage .board svg").first.bounding_box()
    assert board["y"] + board["height"] <= panel.bounding_box()["y"]


@pytest.mark.parametrize(("width", "height"), [(390, 664), (360, 640)])
def test_correction_keeps_board_and_offers_sizes_above_the_fold(screens, server, width, height):
    page = screens(**{**PHONE, "viewport": {"width": width, "height": height}})
    reading = ReplayPage(server, page, match := record_match(server, 12), match.host)
    reading.at("#5", shown=5)
    board = page.locator(".stage .board svg").first
    before = board.bounding_box()
    reading.tool("amend")
    sizes = page.locator(".panel .row").first.locator(".button:not(.bare)")
    sizes.first.wait_for()
    at_rest(page)
    assert board.bounding_box() == before
    assert sizes.all_inner_texts() == ["small", "medium", "large"]
    last = sizes.last.bounding_box()
    assert last["y"] + last["height"] <= height


@pytest.mark.parametrize("game", ["poptrix", pytest.param("power-play", marks=pytest.mark.slow)])
def test_move_tools_stay_above_replay_controls(phone, server, game):
    page = phone()
    reading = ReplayPage(server, page, match := record_match(server, 12, game), match.host)
    places = set()
    for stop in range(4, 8):
        reading.at(f"#{stop}", shown=stop)
        reading.open_tools()
        tool = page.locator("[data-tool=comment]").bounding_box()
        assert tool["y"] + tool["height"] <= page.locator(".controls").bounding_box()["y"]
        places.add(round(tool["y"]))
    assert len(places) == 1


def test_comment_is_saved_without_scrolling(screens, server):
    page = screens(**{**PHONE, "viewport": {"width": 360, "height": 640}})
    reading = ReplayPage(server, page, match := record_match(server, 6), match.host)
    reading.at("#3", shown=3)
    reading.tool("comment")
    page.get_by_role("dialog").wait_for()
    at_rest(page)
    save = page.get_by_role("button", name="Save").bounding_box()
    assert save["y"] + save["height"] <= 640


def test_drawing_keeps_size_of_wide_board(desktop, server):
    page = desktop()
    reading = ReplayPage(server, page, match := record_match(server, 6), match.host)
    reading.at("#3", shown=3)
    board = page.locator(".stage .board svg").first
    before = board.bounding_box()
    reading.tool("draw")
    page.locator(".desk .panel").wait_for()
    assert board.bounding_box() == before
