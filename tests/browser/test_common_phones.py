"""The pages at the sizes that browsers leave of common phones: 390 by 664, and 360 by 640."""

from __future__ import annotations

import json
import urllib.request

import pytest

from domain.games import BUILT_IN
from replay import rules_text
from replay.formats.ply.reader import read_records
from replay.registry import find
from tests.browser.board_page import BoardPage
from tests.browser.games import shortest, written

PHONES = ((390, 664), (360, 640))
SIZES = [pytest.param(PHONES[0], marks=pytest.mark.slow), PHONES[1]]
JUMP = "a2-b2 f8-g7 a3-b4 g7-f6 b4-c3 f6-e7 a1^c3 e7-d6 a3^a1 d6-c6 c3-c4 c6-b6 a1^c3 ^c5 ^e3 ."


@pytest.fixture(params=PHONES[:1])
def page(request, screens):
    """A page on a common phone, of 390 by 664 unless a test names other sizes."""
    width, height = request.param
    return screens(
        viewport={"width": width, "height": height},
        device_scale_factor=2,
        has_touch=True,
        is_mobile=True,
    )


BOARD = """() => {
  const board = document.querySelector(".board svg");
  const { width, height } = board.viewBox.baseVal;
  const box = board.getBoundingClientRect();
  const scale = Math.min(box.width / width, box.height / height);
  const [wide, high] = [width * scale, height * scale];
  const topOf = (part) => document.querySelector(part).getBoundingClientRect().top;
  return { where: [box.top, wide, high, topOf(".foot")].map(Math.round),
    wide: wide / innerWidth,
    share: Math.max(wide / innerWidth, high / (topOf(".desk") - box.top)),
    aside: Math.abs(box.left + box.right - innerWidth),
    cell: document.querySelector(".pb-hit").getBBox().width * scale };
}"""

WIDEST = {
    "poptrix": 0.9,
    "blockade": 0.9,
    "power-play": 0.99,
    "cube-pyramid": 0.99,
    "pyramid-ball": 0.8,
}
"""The least share of a phone's width that a board of so many rows and controls has."""


@pytest.mark.slow
@pytest.mark.parametrize("game", BUILT_IN)
def test_board_fills_its_space_and_does_not_move(screens, server, game):
    (record,) = read_records(rules_text.demo(find(game)))
    options = record.game.set_options(record.match.options)
    opened = server.open(game, options=options, players={"1": "Jet", "2": "Red"})
    pages = [
        screens(viewport={"width": width, "height": height}, has_touch=True, is_mobile=True)
        for width, height in PHONES
    ]
    boards = {page: [] for page in pages}
    for page in pages:
        BoardPage(server, page, opened)
    line, at_once = written(record)[:-1], 4 if game == "blockade" else 1
    for begin in range(0, len(line), at_once):
        server.play(opened, *line[begin : begin + at_once])
        version = min(begin + at_once, len(line))
        for page in pages:
            page.locator(f".frame[data-version='{version}']").wait_for()
            boards[page].append(page.evaluate(BOARD))
            if (skip := page.locator("[data-skip]")).count():
                skip.tap()
    for seen in boards.values():
        assert {tuple(board["where"]) for board in seen} == {tuple(seen[0]["where"])}
        assert min(board["share"] for board in seen) >= 0.92
        assert min(board["wide"] for board in seen) >= WIDEST[game]
        assert max(board["aside"] for board in seen) < 1
    if game == "blockade":
        assert min(board["cell"] for seen in boards.values() for board in seen) >= 58


SQUARE = """() => {
  const of = (at) => document.querySelector(`[data-at=${at}] > .pb-hit`).getBoundingClientRect();
  return of("b1").left - of("a1").left;
}"""


@pytest.mark.parametrize("page", PHONES[1:], indirect=True)
def test_square_of_a_free_chess_board_is_as_wide_as_a_finger(page, server):
    options = {"board": "squares", "pieces": "chess", "size": 8, "start": "usual"}
    BoardPage(server, page, server.open("free-board", options=options))
    page.wait_for_function(f"() => ({SQUARE})() >= 42")
    assert page.locator(".foot").bounding_box()["y"] < 640 - 44


def test_whole_jump_is_shown_after_its_end(page, server):
    opened = server.open("power-play")
    server.play(opened, *JUMP.split())
    BoardPage(server, page, opened)
    assert page.locator(".board .pb-way").count() == 3
    told = page.locator(".told").inner_text()
    assert told.index("hops from c5 over d4 to e3") < told.index("hops from a1 over b2 to c3")
    assert page.locator(".players .score > :first-child").all_inner_texts() == ["0 of 18 lost"] * 2


NEWEST = """() => {
  const said = document.querySelector(".frame .said");
  const texts = [...said.querySelector(".told").childNodes].filter((node) => node.nodeType === 3);
  const told = texts.sort((a, b) => b.length - a.length)[0];
  const range = document.createRange();
  range.setStart(told, 0);
  range.setEnd(told, `${told.data.trimEnd()}; `.indexOf("; "));
  const box = said.getBoundingClientRect();
  return { below: range.getBoundingClientRect().bottom - box.bottom, high: box.height,
    font: parseFloat(getComputedStyle(told.parentNode).fontSize) };
}"""
LONG = {"1": "Großvater Wolfgang", "2": "Prinzessin Charlotte"}


@pytest.mark.parametrize(
    ("game", "plies"),
    [
        ("poptrix", (1, 21, 29, 35)),
        ("blockade", (1, 4, 7, 15)),
        ("power-play", (1, 32, 56)),
        ("pyramid-ball", (1, 5, 23)),
    ],
)
@pytest.mark.parametrize("page", SIZES, indirect=True)
def test_newest_event_is_never_cut(page, server, game, plies):
    (record,) = read_records(rules_text.demo(find(game)))
    opened = server.open(game, options=record.game.set_options(record.match.options), players=LONG)
    server.play(opened, *written(record)[: plies[-1]])
    seen = []
    for ply in plies:
        page.goto(f"{server.url}/m/{opened.id}?ply={ply}")
        page.locator(f".frame[data-ply='{ply}']").wait_for()
        page.wait_for_function(f"() => ({NEWEST})().below < 4")
        seen.append(page.evaluate(NEWEST))
    assert min(each["font"] for each in seen) >= 12
    assert len({round(each["high"]) for each in seen}) == 1, "the board does not move"


WATCH_MOTION = """
window.stops = [];
const animate = Element.prototype.animate;
Element.prototype.animate = function (frames, how) {
  stops.push(frames.length);
  return animate.call(this, frames, { ...how, duration: 60000 });
};
"""


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_jump_is_one_motion_that_a_tap_ends(screens, server, motion):
    page = screens(viewport={"width": 390, "height": 664}, has_touch=True, reduced_motion=motion)
    page.add_init_script(WATCH_MOTION)
    opened = server.open("power-play")
    before, jump = JUMP.split()[:-4], JUMP.split()[-4:]
    server.play(opened, *before)
    table = BoardPage(server, page, opened)
    if motion == "no-preference":  # the turn before it is played as the page opens
        page.wait_for_function("() => stops.length > 0")
        page.evaluate("stops.length = 0")
    server.play(opened, *jump)
    table.says("hops from c5 over d4 to e3")
    if motion == "reduce":
        page.wait_for_timeout(200)
        assert page.evaluate("stops") == []
        return
    page.wait_for_function("() => stops.length > 0")
    assert set(page.evaluate("stops")) == {4}
    page.locator(".board .pb-cell[data-at=h1] .pb-hit").tap()
    page.wait_for_function(
        "() => !document.querySelector('.board').getAnimations({ subtree: true })"
        ".some((each) => each.effect.getTiming().duration === 60000)"
    )


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_opened_page_animates_the_last_turn_once(screens, server, motion):
    page = screens(viewport={"width": 390, "height": 664}, has_touch=True, reduced_motion=motion)
    page.add_init_script(WATCH_MOTION)
    opened = server.open("power-play")
    server.play(opened, *JUMP.split())
    BoardPage(server, page, opened)
    if motion == "reduce":
        page.wait_for_timeout(300)
        assert page.evaluate("stops") == []
        return
    page.wait_for_function("() => stops.length > 0")
    assert set(page.evaluate("stops")) == {4}
    page.locator(".board .pb-cell[data-at=h1] .pb-hit").tap()
    page.reload()
    page.locator(".desk .foot").wait_for()
    page.wait_for_timeout(300)
    assert page.evaluate("stops") == []


def test_opened_page_does_not_animate_a_takeback(page, server):
    page.add_init_script(WATCH_MOTION)
    opened = server.open("power-play")
    server.play(opened, *JUMP.split()[:5])
    server.post(f"/matches/{opened.id}/takeback", {"ply": 4}, opened.host)
    table = BoardPage(server, page, opened)
    table.settled(6)
    page.wait_for_timeout(300)
    assert page.evaluate("stops") == []


SEEN = """name => [...name.lastChild.data].filter((_, at) => {
  const letter = new Range(), box = name.getBoundingClientRect();
  letter.setStart(name.lastChild, at);
  letter.setEnd(name.lastChild, at + 1);
  const { right, top, height } = letter.getBoundingClientRect();
  return right < box.right + 1 && top + height / 2 < box.bottom;
}).length"""


@pytest.mark.parametrize("page", SIZES, indirect=True)
@pytest.mark.parametrize("control", ["90+30", "20:3x10"])
def test_long_names_are_seen_near_clocks(page, server, control):
    names = ["Maximiliana Alexandra", "Wolfgangamadeusmozar"]
    kept = {name.lower(): {"colour": 3} for name in names}
    page.add_init_script(f"localStorage['plybook.portraits'] = '{json.dumps(kept)}'")
    opened = server.open(clock={"control": control}, players=dict(zip("12", names, strict=True)))
    BoardPage(server, page, opened)
    # Portraits and clocks come from modules of their own, in either order.
    page.locator(".player .portrait").nth(1).wait_for()
    page.locator(".player .time:visible").nth(1).wait_for()
    assert min(page.locator(".player .name").evaluate_all(f"all => all.map({SEEN})")) >= 14


SCROLLING = """[...document.querySelectorAll(".said *")].filter((part) =>
  /auto|scroll/.test(getComputedStyle(part).overflowY) && part.scrollHeight > part.clientHeight)
  .length"""


@pytest.mark.parametrize("page", SIZES, indirect=True)
def test_end_shows_winner_score_and_one_reason(page, server):
    record = shortest("poptrix")
    opened = server.open(players={"1": "Ann", "2": "Ben"})
    server.play(opened, *written(record))
    BoardPage(server, page, opened)
    assert page.evaluate(SCROLLING) == 0
    assert page.locator(".said").inner_text().startswith("Ann won\n")
    score = page.locator(".players .score").first
    assert score.inner_text().startswith("3")
    assert score.bounding_box()["height"] > 24
    assert page.locator(".why").bounding_box()["height"] < 50
    assert page.locator(".standing .chip").bounding_box()["height"] >= 36
    why, count = page.locator(".why span"), len(written(record))
    assert why.inner_text() == f"{count} moves. One side has no pyramid on the board."
    assert why.evaluate("(part) => part.scrollHeight <= part.clientHeight")
    back = page.get_by_role("link", name="Look back").first
    assert back.bounding_box()["y"] == page.locator("[data-rematch]").first.bounding_box()["y"]
    band = page.locator(".said").bounding_box()
    assert band["x"] == 12
    assert band["width"] == page.viewport_size["width"] - 24
    rematch, bar = (page.locator(each).first for each in ("[data-rematch]", ".foot"))
    low = rematch.bounding_box()["y"] + rematch.bounding_box()["height"]
    assert low <= bar.bounding_box()["y"]
    page.locator(".story small").first.wait_for()
    plies = [int(words.split()[-1]) for words in page.locator(".story small").all_inner_texts()]
    assert plies == sorted(plies)
    assert 0 < len(plies) <= 3
    page.locator(".why").tap()
    page.get_by_role("dialog").get_by_text("POP-6.1").wait_for()


def test_refusal_names_players_without_names(page, server):
    opened = server.open("poptrix")
    server.play(opened, "M@c1", "S@c6")
    table = BoardPage(server, page, opened)
    table.tap("c6")
    refusal = page.locator(".refusal")
    refusal.wait_for()
    assert "a pyramid of Player 1" in refusal.inner_text()


def test_attacked_piece_may_be_tapped_first(page, server):
    alone, crowded = server.open("poptrix"), server.open("poptrix")
    server.play(alone, "M@c1", "S@c6", "c1>L@c3", "c6>M@c4")
    table = BoardPage(server, page, alone)
    table.tap("c4")
    table.settled(5)
    assert server.line(alone)[-1] == "c3xc4"
    # Two pieces can attack e2: they light up.
    server.play(crowded, "S@e1", "L@e6", "e1>M@d1", "e6>M@e4", "d1>S@d2", "e4>S@e2")
    table = BoardPage(server, page, crowded)
    table.tap("e2")
    lit = page.locator(".board .is-target").evaluate_all("all => all.map((one) => one.dataset.at)")
    assert sorted(lit) == ["d2", "e1"]
    assert page.locator(".is-refused").count() == 0
    table.tap("d2")
    table.settled(7)
    assert server.line(crowded)[-1] == "d2xe2"


def test_seats_have_the_colours_of_their_pieces(page, server, tmp_path):
    opened = server.open("blockade")
    table = BoardPage(server, page, opened)
    assert page.locator(".die .letter").all_inner_texts() == ["B", "G"]
    assert _colours(page, ".pb-beside[data-seat='1']") == ["pb-blue", "pb-green"]
    assert page.locator(".pb-disc").count() == 0
    table.enter("roll=4,5")
    server.play(opened, "b2-c3", "a5-b2", "b3-b2")
    exported = tmp_path / "match.html"
    with urllib.request.urlopen(f"{server.url}/matches/{opened.id}/record?format=html") as file:
        exported.write_bytes(file.read())
    page.goto(f"{exported.as_uri()}#4")
    page.locator("[aria-current]", has_text="b3-b2").wait_for()
    assert _colours(page, "header span:first-child") == ["pb-blue", "pb-green"]
    assert page.locator(".chip").count() == 0
    # A tower and its blockade need more than a line.
    brief = page.locator(".brief")
    assert brief.evaluate("line => line.scrollHeight <= line.clientHeight")
    assert "b2 is a blockade" in brief.inner_text()


def _colours(page, where):
    swatches = page.locator(f"{where} .swatches i")
    return swatches.evaluate_all("all => all.map((one) => one.className)")


STICKING = """[...document.styleSheets].flatMap((sheet) => [...sheet.cssRules])
  .filter((rule) => /:hover/.test(rule.selectorText)).map((rule) => rule.selectorText)"""


def test_hover_tint_disappears_after_a_tap(page, server, opened):
    BoardPage(server, page, opened)
    assert page.evaluate("matchMedia('(hover: hover)').matches") is False
    assert page.evaluate(STICKING) == []


def test_move_that_stood_takes_three_taps_after_refusal(page, server):
    opened = server.open(players={"1": "Jet", "2": "Red"})
    server.play(opened, "M@c1", "S@c6", "c1>L@c3")
    table = BoardPage(server, page, opened)
    table.tap("c6", "e1")
    page.get_by_role("link", name="We played it anyway").tap()
    page.locator(".which .board").wait_for()
    buttons = page.locator("main .button:visible")
    assert buttons.all_inner_texts() == ["small", "medium", "large"]
    buttons.last.tap()
    page.get_by_role("button", name="Record it").tap()
    table.says("Red played c6>L@e1 against POP-3.3, and it stood")
    # Without a beginning, the whole move is tapped on the board.
    page.goto(f"{server.url}/m/{opened.id}/stood?seat=1")
    page.get_by_text("As text").tap()
    field, go_on = (page.locator(each).bounding_box() for each in ("#text", ".which .broad"))
    assert go_on["y"] - field["y"] - field["height"] == pytest.approx(8, abs=0.5)
    table.place("c3").tap()
    page.locator(".is-chosen[data-at=c3]").wait_for()
    page.get_by_text("Jet played c3").wait_for()


@pytest.mark.parametrize("page", SIZES, indirect=True)
def test_keys_of_long_score_sheet_are_on_screen(page, server):
    opened = server.open("score-sheet", seats=2, players={"1": "Ann", "2": "Ben"})
    server.play(opened, *["1:12", "2:7"] * 8)
    BoardPage(server, page, opened)
    enter = page.locator(".key-enter").bounding_box()
    assert enter["y"] + enter["height"] <= page.viewport_size["height"]
