"""Numbers go to the right player: after Undo, after a refusal, and without a network."""

from __future__ import annotations

import pytest

from tests.browser.board_page import BoardPage, at_rest
from tests.browser.launch import DESKTOP

NAMES = {"1": "Ann", "2": "Ben", "3": "Cy"}


@pytest.fixture
def opened(server):
    return server.open("score-sheet", seats=3, players=NAMES)


@pytest.fixture
def table(phone, server, opened):
    return BoardPage(server, phone(), opened)


def enter(table, *keys: str) -> None:
    for key in (*keys, "enter"):
        table.press(key=key)


def asked(table) -> str:
    """Return whose number is asked for, and what was typed."""
    return table.page.locator(".desk .number").inner_text()


def test_pad_goes_on_without_network(table, server, opened):
    enter(table, "5")
    table.settled(1)
    table.page.context.set_offline(True)
    table.says("No connection")
    enter(table, "7")
    table.says("Ben: 7")
    assert asked(table) == "Cy: …"
    enter(table, "3")
    assert asked(table) == "Ann: …"
    enter(table, "4")
    table.says("No connection: 3 moves wait")
    table.page.context.set_offline(False)
    table.settled(4)
    assert server.line(opened) == ["1:5", "2:7", "3:3", "1:4"]


def test_number_after_undo_is_for_same_player(table, server, opened):
    enter(table, "5", "0")
    table.settled(1)
    table.press(undo="")
    table.settled(2)
    assert asked(table) == "Ann: …"
    enter(table, "5", "5")
    table.settled(3)
    assert server.line(opened) == ["1:55"]


@pytest.mark.slow
def test_undo_without_network_asks_same_player(table):
    enter(table, "5")
    table.settled(1)
    table.page.context.set_offline(True)
    table.says("No connection")
    enter(table, "7")
    table.says("1 move waits")
    table.press(undo="")
    assert asked(table) == "Ben: …"
    assert table.page.locator(".desk [data-choose]").all_inner_texts() == ["Ben", "Cy"]


CONTRAST = """() => {
  const paint = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const light = (colour) => {
    paint.fillStyle = colour;
    paint.fillRect(0, 0, 1, 1);
    const [red, green, blue] = [...paint.getImageData(0, 0, 1, 1).data]
      .map((part) => (part / 255) ** 2.2);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05;
  };
  const stroke = light(getComputedStyle(document.querySelector(".is-due rect")).stroke);
  const paper = light(getComputedStyle(document.body).backgroundColor);
  return Math.max(stroke, paper) / Math.min(stroke, paper);
}"""


@pytest.mark.parametrize(
    "look",
    [{"color_scheme": "light"}, {"color_scheme": "dark"}, {"forced_colors": "active"}],
    ids=str,
)
def test_cell_that_is_due_is_lit_and_shows_what_is_typed(phone, server, opened, look):
    table = BoardPage(server, phone(**look), opened)
    server.play(opened, "1:5")
    table.settled(1)
    due = table.page.locator(".board .is-due")
    _lit(due, 2, 1)
    assert table.page.evaluate(CONTRAST) >= 3
    table.press(key="7")
    due.get_by_text("7").wait_for()
    chosen = table.page.locator(".desk [aria-pressed=true]")
    if "forced_colors" in look:
        assert chosen.evaluate("(each) => getComputedStyle(each).outlineStyle") == "solid"
    table.press(choose="3")
    _lit(due, 3, 1)
    enter(table, "6")
    table.settled(2)
    _lit(due, 2, 1)
    enter(table, "8")
    table.settled(3)
    _lit(due, 1, 2)


def _lit(due, column, line):
    due.and_(due.page.locator(f"[data-column='{column}'][data-line='{line}']")).locator(
        "rect"
    ).wait_for()
    assert due.count() == 1
    assert due.text_content() == ""


def test_heads_of_a_wide_screen_are_seen(screens, server, opened):
    page = screens(**DESKTOP)
    BoardPage(server, page, opened)
    heads = page.locator(".pb-heads rect")
    heads.wait_for()
    paper = page.locator("body").evaluate("(body) => getComputedStyle(body).backgroundColor")
    assert heads.evaluate("(rect) => getComputedStyle(rect).fill") == paper


def test_recent_number_drops_no_digits_and_the_end_asks(table, server, opened):
    server.play(opened, "1:8", "2:12", "3:4")
    table.settled(3)
    chip = table.page.locator('[data-chip="8"]')
    table.press(key="1")
    assert chip.is_disabled()
    table.press(key="back")
    table.press(more="")
    end = table.page.get_by_role("button", name="End of the game")
    end.tap()
    table.page.get_by_role("button", name="End of the game: sure?").wait_for()
    assert len(server.line(opened)) == 3
    end.tap()
    table.settled(4)


@pytest.mark.slow
def test_names_of_columns_stay_in_sight(table, server, opened):
    server.play(opened, *(f"{seat}:{n}" for n in range(9) for seat in (1, 2, 3)))
    table.settled(27)
    table.page.wait_for_function(
        """() => {
          const { top } = document.querySelector(".pb-heads text").getBoundingClientRect();
          const board = document.querySelector(".board");
          const scrolls = board.scrollHeight > board.clientHeight;
          return scrolls && top >= board.getBoundingClientRect().top;
        }"""
    )


@pytest.mark.slow
def test_zero_with_a_sign_is_zero(table, server, opened):
    enter(table, "0", "sign")
    table.settled(1)
    assert server.line(opened) == ["1:0"]


def test_player_of_a_refused_number_is_asked_again(table, server, opened):
    refusal = {"status": 409, "json": {"detail": "not now"}}
    table.page.route("**/events", lambda route: route.fulfill(**refusal))
    enter(table, "5")
    table.page.locator(".refusal").wait_for()
    assert asked(table) == "Ann: …"


@pytest.mark.parametrize(("width", "height"), [(390, 664), (360, 640)])
def test_pad_stands_still_above_the_fold(phone, server, width, height):
    opened = server.open("score-sheet", seats=4, players=NAMES | {"4": "Großvater Wolfgang"})
    table = BoardPage(server, phone(viewport={"width": width, "height": height}), opened)
    seen = set()
    for version, seat in enumerate((1, 2, 3, 4, 1, 2, 3, 4)):
        table.settled(version)
        at_rest(table.page)
        parts = (table.page.locator(f".desk{part}") for part in ("", " [data-key='5']", " .foot"))
        boxes = [part.bounding_box() for part in parts]
        seen.add(tuple((round(box["y"]), round(box["height"])) for box in boxes))
        assert boxes[-1]["y"] + boxes[-1]["height"] <= height
        server.play(opened, f"{seat}:1{seat}")
    assert len(seen) == 1, "the desk, its keys and its foot stand still"


@pytest.mark.parametrize("seats", [4, 9])
@pytest.mark.parametrize(("width", "height"), [(390, 664), (360, 640)])
def test_ways_on_from_a_full_sheet_are_on_the_first_screen(phone, server, width, height, seats):
    names = {str(seat): f"Player {seat}" for seat in range(1, seats + 1)}
    opened = server.open("score-sheet", seats=seats, players=names, options={"rounds": 10})
    server.play(opened, *(f"{seat}:1{seat}" for _ in range(10) for seat in range(1, seats + 1)))
    page = phone(viewport={"width": width, "height": height})
    BoardPage(server, page, opened)
    page.locator("[data-rematch]").first.wait_for()
    at_rest(page)
    foot = page.locator(".desk .foot").bounding_box()
    boxes = [each.bounding_box() for each in page.locator("[data-rematch]").all()]
    assert len(boxes) == 2
    assert all(box["y"] + box["height"] <= min(foot["y"], height) for box in boxes)
