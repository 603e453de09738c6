"""Pyramid Ball: only the player's own screen shows a program, and only briefly."""

from __future__ import annotations

import json

import pytest

from tests.browser.board_page import API, BoardPage

FIRST = "S=FLR,M=RRB,L=LBF,pass=2S"
SECOND = "S=LLF,M=BRR,L=RLB"
CAME = "the medium of Jet on e4 cannot move"
SMALL = {"viewport": {"width": 360, "height": 640}}
TO_A_POINT = ("1:pick=M", "2:pick=S", "1:start=ball", "1:S=.FR,M=LFF,L=RLF", "2:S=.BF,M=RFF,L=FFR")
TRACES = ("FLR", "RRB", "LBF")
HEAR = """
const Heard = EventSource;
window.heard = [];
window.EventSource = class extends Heard {
  addEventListener(kind, listen) {
    super.addEventListener(kind, (message) => (heard.push(message.data), listen(message)));
  }
};
"""


@pytest.fixture
def opened(server):
    return server.open("pyramid-ball", players={"1": "Jet", "2": "Red"})


def test_phone_never_holds_the_opponents_program(phone, server, opened):
    other = phone()
    other.add_init_script(HEAR)
    answers = []
    other.on("response", lambda answer: answers.append(answer))
    red = BoardPage(server, other, opened, opened.seats["2"])
    jet = BoardPage(server, phone(), opened, opened.seats["1"])
    jet.seal("1", FIRST)
    jet.settled(1)
    red.settled(1)
    red.says("Jet has made their secret choice")
    red.page.locator("form.program").wait_for()
    held = _held(red, answers)
    assert not [trace for trace in TRACES if trace in held]
    red.seal("2", SECOND)
    for table in (red, jet):
        table.settled(2)
        table.says("program S FLR, M RRB, L LBF")


def test_reveal_waits_and_comes_before_next_program(phone, server, opened):
    red = BoardPage(server, phone(), opened, opened.seats["2"])
    server.play(opened, f"1:{FIRST}")
    red.settled(1)
    server.play(opened, f"2:{SECOND}")
    red.says("Row 1: Jet moves ")
    for step in (1, 2, 3):
        red.says(f"Step {step} of 3")
        red.says(f"Row {step}: ")
        red.page.locator("[data-next]").tap()
    # The text above the board sums up the turn; score and Undo stay in sight.
    red.page.locator("[data-again]").wait_for()
    assert CAME in red.page.locator(".told").inner_text()
    assert red.page.locator("form.program").count() == 0
    assert red.page.locator("[data-undo]").is_enabled()
    assert _overlaps(red, ".desk", [".players", ".board svg"]) == []
    red.page.locator("[data-again]").tap()
    red.says("Step 1 of 3")
    red.page.locator("[data-skip]").tap()
    red.press(secret="2")
    red.page.locator("form.program").wait_for()


@pytest.mark.slow
def test_sealed_program_leaves_no_trace_on_screen(phone, server, opened):
    table = BoardPage(server, phone(), opened, opened.seats["1"])
    table.seal("1", FIRST)
    table.settled(1)
    table.says("Jet has made their secret choice")
    assert "FLR" not in table.page.content()
    assert table.page.locator("form.program").count() == 0
    table.page.reload()
    table.settled(1)
    assert "FLR" not in table.page.content()


def test_one_phone_serves_both_players_behind_a_cover(phone, server, opened):
    table = BoardPage(server, phone(), opened)
    assert table.page.locator("form.program").count() == 0
    table.press(secret="1")
    assert "Only Jet looks now" in table.page.locator("dialog.cover").inner_text()
    table.page.locator('[data-cover="1"]').tap()
    table.program(FIRST)
    table.press(seal="")
    cover = table.page.locator("dialog.cover")
    assert "Hand the phone to Red" in cover.inner_text()
    assert table.page.locator("form.program").count() == 0
    assert "FLR" not in table.page.content()
    cover.locator('[data-cover="2"]').tap()
    assert table.page.locator(".walkers small").all_inner_texts() == ["◦◦◦"] * 3
    assert table.page.locator(".pb-ghost").count() == 0
    table.program(SECOND)
    table.press(seal="")
    table.settled(2)
    assert server.line(opened) == [f"1:{FIRST}", f"2:{SECOND}"]


@pytest.mark.slow
def test_board_faces_its_player(phone, server, opened):
    red = BoardPage(server, phone(), opened, opened.seats["2"])
    jet = BoardPage(server, phone(), opened, opened.seats["1"])
    assert _y(red.place("a8")) > _y(red.place("a1"))
    assert _y(jet.place("a8")) < _y(jet.place("a1"))


@pytest.mark.slow
def test_program_sealed_offline_is_kept_secret(phone, server, opened):
    table = BoardPage(server, phone(), opened, opened.seats["1"])
    table.page.context.route(API, lambda route: route.abort())
    table.seal("1", FIRST)
    table.says("No connection: 1 move waits")
    assert "FLR" not in table.page.content()
    # The other seat seals meanwhile, which requires no request.
    server.play(opened, f"2:{SECOND}")
    table.page.context.unroute(API)
    table.page.evaluate("dispatchEvent(new Event('online'))")
    table.settled(2)
    assert server.line(opened) == [f"2:{SECOND}", f"1:{FIRST}"]


def _held(table: BoardPage, answers: list) -> str:
    """Everything a page holds: drawn, stored, announced, and received from the server."""
    page = table.page
    kept = page.evaluate("JSON.stringify({ ...localStorage, ...sessionStorage })")
    bodies = [
        answer.text()
        for answer in answers
        if "/stream" not in answer.url and answer.status < 300 and "/static/" not in answer.url
    ]
    assert any("/frame" in answer.url for answer in answers)
    heard = page.evaluate("heard")
    assert heard
    return "\n".join([page.content(), kept, json.dumps(heard), *bodies])


def _y(place) -> float:
    return place.locator(".pb-hit").bounding_box()["y"]


def test_program_is_drawn_in_six_taps(phone, server, opened):
    table = BoardPage(server, phone(), opened, opened.seats["1"])
    # The carrier is marked at first; with its last step the next piece goes on.
    table.tap("e6", "f5")
    table.press(walk="L")
    table.tap("c4")
    ways = table.page.locator(".walkers small").all_inner_texts()
    assert ways == ["↑↑◦", "↑↑→", "↑→◦"]
    assert table.page.locator(".pb-ghost").count() == 3
    assert _piece_on(table, "c4") == "L1"
    table.press(seal="")
    table.settled(1)
    assert table.page.locator(".pb-ghost").count() == 0
    server.play(opened, f"2:{SECOND}")
    assert server.line(opened)[0] == "1:S=FF.,M=FFR,L=FR."


@pytest.mark.slow
def test_drawn_path_shows_pauses_and_can_be_redrawn(phone, server, opened):
    red = BoardPage(server, phone(), opened, opened.seats["2"])
    way = red.page.locator('[data-walk="L"] small')
    red.press(walk="L")
    red.press(stay="")
    assert way.inner_text() == "•◦◦"
    red.tap("b5")
    red.says("Large: stand still, forward; 1 more.")
    red.tap("c5")
    assert way.inner_text() == "•↑←"
    red.press(walk="L")
    red.tap("b3")
    assert way.inner_text() == "↑↑↑"
    red.press(walk="L")
    red.press(clear="")
    assert way.inner_text() == "◦◦◦"
    red.tap("g1")
    red.page.locator('.board .is-refused[data-at="g1"]').wait_for(state="attached")
    red.says("g1 is too far from b6 for 3 steps")


@pytest.mark.slow
def test_nine_commands_and_pass_take_eight_taps(phone, server, opened):
    table = BoardPage(server, phone(), opened)
    table.page.evaluate("addEventListener('click', () => (window.taps = (window.taps ?? 0) + 1))")
    table.press(secret="1")
    table.page.locator('[data-cover="1"]').tap()
    table.page.locator('[data-walk="S"]').wait_for()  # the board takes no steps before
    table.tap("d7", "f6", "b6")
    table.press(text=",pass=2")
    table.press(text="S")
    table.press(seal="")
    table.page.locator('dialog.cover [data-cover="2"]').wait_for()
    assert table.page.evaluate("taps") == 8
    table.page.locator(".frame[data-version='1']").wait_for()  # or both would write at once
    server.play(opened, f"2:{SECOND}")
    assert server.line(opened)[0] == "1:S=FFF,M=FFF,L=FFF,pass=2S"


def test_program_entry_switches_between_boxes_and_board(phone, server, opened):
    table = BoardPage(server, phone(), opened, opened.seats["1"])
    table.tap("d6")
    table.press(way="")
    boxes = table.page.locator('[data-slot^="M"]')
    boxes.first.wait_for()
    assert boxes.all_inner_texts() == ["↑", "↑", "•"]
    table.press(slot="M3")
    table.press(command="L")
    table.tap("d4")
    assert "Use the buttons below the board" in table.page.locator(".refusal").inner_text()
    table.press(way="")
    assert table.page.locator(".refusal").count() == 0
    assert table.page.locator('[data-walk="M"] small').inner_text() == "↑↑←"


def test_program_takes_few_keys(desktop, server, opened):
    table = BoardPage(server, desktop(), opened, opened.seats["1"])
    page, keys = table.page, table.page.keyboard
    page.locator("[data-way]").press("Enter")
    page.locator("[data-slot=S1]").focus()
    for key in (*["ArrowUp"] * 8, ".", "Tab", "Enter"):
        keys.press(key)
    assert page.evaluate("document.activeElement.dataset.text") == ",pass=2"
    for key in ("Tab", "Tab", "Enter"):
        keys.press(key)
    assert page.evaluate("'seal' in document.activeElement.dataset")
    keys.press("Enter")
    table.settled(1)
    server.play(opened, f"2:{SECOND}")
    assert server.line(opened)[0] == "1:S=FFF,M=FFF,L=FF.,pass=2S"


def test_special_move_is_offered_above_the_lock(phone, server):
    opened = server.open(
        "pyramid-ball",
        options={"length": "advanced", "opening": "selection"},
        players={"1": "Jet", "2": "Red"},
    )
    server.play(opened, *TO_A_POINT)
    jet = BoardPage(server, phone(**SMALL), opened, opened.seats["1"])
    offer = jet.page.locator('.offers [data-move="1:take=L"]')
    offer.wait_for()
    lock = jet.page.locator("[data-seal]").bounding_box()
    assert offer.bounding_box()["y"] < lock["y"] < 640 - lock["height"]
    jet.tap("c2")
    offer.tap()
    jet.press(special="blitz")
    assert jet.page.locator(".offers").inner_text() == ""
    jet.press(seal="")
    jet.settled(7)
    server.play(opened, "2:S=...,M=...,L=...")
    assert server.line(opened)[-2:] == ["1:S=...,M=B..,L=...,blitz", "2:S=...,M=...,L=..."]


def _overlaps(table: BoardPage, card: str, others: list[str]) -> list[str]:
    """Return the elements that a card covers wholly or in part."""
    return table.page.evaluate(
        """([card, others]) => {
            const box = (name) => document.querySelector(name).getBoundingClientRect();
            const { top, bottom } = box(card);
            const covered = (name) => box(name).top < bottom - 1 && box(name).bottom > top + 1;
            return others.filter(covered);
        }""",
        [card, others],
    )


def _piece_on(table: BoardPage, at: str) -> str:
    """The piece of the ghost that is drawn on a place."""
    x, y = table.place(at).evaluate("one => one.getAttribute('transform').match(/[-\\d.]+/g)")
    ghost = table.page.locator(f'.pb-ghost[transform="translate({x} {y})"] .pb-piece')
    return ghost.get_attribute("data-piece")
