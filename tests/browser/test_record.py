"""Recording at the table: choosing, refusals, taking back, the keyboard, and spectators."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.browser.board_page import BoardPage
from tests.browser.launch import PHONE

HELD_TIMER = """() => {
  const { setTimeout: real } = window;
  window.later = [];
  window.setTimeout = (run, ms) => (ms === 1000 ? later.push(run) : real(run, ms));
}"""
"""Hold what is to happen a second after a board."""


TAP_TWICE = """undo => {
  const [one, other] = [0, 1].map(() => new MouseEvent("click"));
  window.late = () => undo.dispatchEvent(other);
  undo.dispatchEvent(one);
}"""
"""Tap twice at once, on a device that is slow to tell the page of the second tap."""


@pytest.mark.slow
def test_size_and_square_are_picked_in_any_order(phone, server, opened):
    table = BoardPage(server, phone(), opened)
    table.tap("c1", "M")
    table.settled(1)
    table.tap("S", "c6")
    table.settled(2)
    assert server.line(opened) == ["M@c1", "S@c6"]


def test_later_tap_changes_or_clears_the_choice(phone, server, opened):
    server.play(opened, "M@c1", "S@c6", "c1>L@c2", "c6>L@c5")
    table = BoardPage(server, phone(), opened)
    table.tap("c1")
    assert _has(table, "c1", "is-chosen")
    assert _has(table, "d1", "is-target")
    table.tap("c2")
    assert _has(table, "c2", "is-chosen")
    assert not _has(table, "c1", "is-chosen")
    table.tap("c2")
    assert not _has(table, "c2", "is-chosen")
    assert _has(table, "c1", "is-open")
    assert table.version == 4


def test_refused_tap_shows_reason_and_rule(phone, server, opened):
    server.play(opened, "M@c1", "S@c6")
    table = BoardPage(server, phone(), opened)
    table.tap("c1", "e5")
    refusal = table.page.locator(".refusal")
    refusal.wait_for()
    clause = refusal.locator("a.clause")
    assert clause.get_attribute("href") == "/rules/poptrix#POP-3.3"
    assert "e5" in refusal.inner_text()
    assert _has(table, "e5", "is-refused")
    board = table.page.locator(".pb-live").bounding_box()
    table.tap("L")
    assert refusal.count() == 0
    assert not _has(table, "e5", "is-refused")
    assert table.page.locator(".pb-live").bounding_box() == board
    assert server.line(opened) == ["M@c1", "S@c6"]


def test_move_that_another_device_overtook_ends_with_a_word(phone, server, opened):
    server.play(opened, "M@c1", "S@c6")
    table = BoardPage(server, phone(), opened)
    table.page.evaluate(HELD_TIMER)
    table.tap("c1")
    server.play(opened, "c1>L@c3")
    table.settled(3)
    table.says("Jet was quicker")
    table.tap("c2")  # the tap was meant for the board before
    assert table.page.locator(".refusal").inner_text() == "Jet was quicker."
    assert server.line(opened) == ["M@c1", "S@c6", "c1>L@c3"]
    table.page.evaluate("later.forEach((run) => run())")
    table.tap("c6")
    assert _has(table, "c6", "is-chosen")
    assert table.page.locator(".refusal").count() == 0


@pytest.mark.slow
def test_unavailable_size_is_pale_and_explained(phone, server, opened):
    server.play(opened, "M@c1", "S@c6")
    table = BoardPage(server, phone(), opened)
    table.tap("c1", "M")
    assert "POP-3.2" in table.page.locator(".refusal").inner_text()


def test_back_closes_more_dialog_before_leaving_match(phone, server, opened):
    page = phone()
    page.goto(server.url)
    table = BoardPage(server, page, opened)
    for _ in range(2):
        page.locator("[data-more]").tap()
        page.locator("dialog.sheet").wait_for()
        page.go_back()
        page.locator("dialog").wait_for(state="detached")
        assert opened.id in page.url
    page.locator("[data-more]").tap()
    page.get_by_role("button", name="Close").tap()
    table.enter("M@c1")
    page.go_back()
    page.wait_for_url(f"{server.url}/")


def test_undo_is_one_tap_for_the_scorekeeper(phone, server, opened):
    table = BoardPage(server, phone(), opened)
    table.enter("M@c1")
    table.enter("S@c6")
    undo, page = table.page.locator("[data-undo]"), table.page
    undo.evaluate(TAP_TWICE)
    table.settled(3)
    page.wait_for_timeout(400)
    page.evaluate("late()")
    page.wait_for_timeout(400)
    assert server.line(opened) == ["M@c1"]
    undo.tap()
    table.settled(4)
    assert server.line(opened) == []
    assert not table.page.locator("[data-undo]").is_enabled()


@pytest.mark.slow
def test_redo_works_on_both_phones(phone, server, opened):
    one, other = (BoardPage(server, phone(), opened) for _ in range(2))
    one.enter("M@c1")
    one.enter("S@c6")
    assert not one.page.locator("[data-redo]").is_visible()
    for version in (3, 4):
        one.page.locator("[data-undo]").tap()
        one.settled(version)
        one.page.wait_for_timeout(400)  # two taps at once would be one
    one.page.locator("[data-redo]").tap()
    one.settled(5)
    other.settled(5)
    other.page.reload()
    other.page.locator("[data-redo]").tap()
    other.settled(6)
    assert server.line(opened) == ["M@c1", "S@c6"]
    assert not other.page.locator("[data-redo]").is_visible()


@pytest.mark.parametrize("size", [(390, 664), (360, 640)])
def test_undo_leaves_the_board_its_size(phone, server, opened, size):
    width, height = size
    table = BoardPage(server, phone(viewport={"width": width, "height": height}), opened)
    table.enter("M@c1")
    table.enter("S@c6")
    board, foot = (table.page.locator(part) for part in (".board", ".foot"))
    before = board.bounding_box(), foot.bounding_box()
    table.page.locator("[data-undo]").tap()
    table.settled(3)
    table.page.locator("[data-redo]").wait_for()
    table.page.evaluate(
        "() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))"
    )
    assert (board.bounding_box(), foot.bounding_box()) == before


def test_fallen_moves_are_entered_with_one_tap(phone, server, opened):
    fallen = ("c1>L@e1", "e6>L@d6")
    server.play(opened, "M@c1", "M@e6", "c1>L@c3", "e6>L@c6", "c1>L@d1", "e6>L@e5", "c1>L@c2")
    server.play(opened, "e6>L@e4", *fallen)
    change = {"ply": 6, "how": "replaced", "texts": ["e6>L@e4"]}
    server.post(f"/matches/{opened.id}/amendments", change, opened.host)
    table = BoardPage(server, phone(viewport={"width": 390, "height": 664}), opened)
    table.enter("e6>L@e5")
    again = table.page.locator("[data-redo]")
    for version, token in enumerate(fallen, 13):
        assert again.inner_text() == f"Again: {token}"
        again.tap()
        table.settled(version)
    assert server.line(opened)[-3:] == ["e6>L@e5", *fallen]
    assert not again.is_visible()


def test_player_asks_to_undo_and_opponent_answers(phone, server, opened):
    jet = BoardPage(server, phone(), opened, opened.seats["1"])
    red = BoardPage(server, phone(), opened, opened.seats["2"])
    jet.enter("M@c1")
    red.settled(1)
    jet.page.locator("[data-undo]").tap()
    red.says("Jet wants to take back the last entry")
    jet.says("You asked to take back the last entry")
    red.page.get_by_role("button", name="Yes, take it back").tap()
    jet.settled(3)
    assert server.line(opened) == []


@pytest.mark.slow
def test_draw_is_offered_and_agreed(phone, server, opened):
    jet = BoardPage(server, phone(), opened, opened.seats["1"])
    red = BoardPage(server, phone(), opened, opened.seats["2"])
    jet.page.locator("[data-more]").tap()
    jet.page.get_by_role("button", name="Offer a draw").tap()
    jet.page.get_by_role("button", name="Offer a draw: sure?").tap()
    red.page.get_by_role("button", name="Agree").tap()
    for table in (jet, red):
        table.says("By agreement.")
    assert server.get(f"/matches/{opened.id}")["outcome"] == {"draw": True, "clause": "agreed"}


def test_keyboard_suffices_to_record_a_match(desktop, server, opened):
    table = BoardPage(server, desktop(), opened)
    page, keys = table.page, table.page.keyboard
    table.place("a6").focus()
    for key in ("ArrowRight", "ArrowRight", *["ArrowDown"] * 5):
        keys.press(key)
    assert _focused(page) == "c1"
    keys.press("Enter")
    assert _has(table, "c1", "is-chosen")
    keys.press("Escape")
    assert not _has(table, "c1", "is-chosen")
    keys.press("Space")
    keys.press("m")
    table.settled(1)
    keys.press("Tab")
    assert page.evaluate("document.activeElement.closest('.desk') !== null")
    table.place("c1").focus()
    for _ in range(5):
        keys.press("ArrowUp")
    keys.press("Enter")
    page.locator('[data-choose="S"]').press("Enter")
    table.settled(2)
    assert server.line(opened) == ["M@c1", "S@c6"]


@pytest.mark.slow
def test_new_board_keeps_the_focus(desktop, server, opened):
    table = BoardPage(server, desktop(), opened)
    table.place("d4").focus()
    server.play(opened, "M@c1")
    table.settled(1)
    assert _focused(table.page) == "d4"


def test_spectator_sees_moves_live_and_cannot_enter(phone, server, opened):
    page = phone()
    page.goto(f"{server.url}/m/{opened.id}")
    server.play(opened, "M@c1")
    page.locator('.board .pb-cell[data-at="c1"] .pb-piece').wait_for()
    assert "Red is to" in page.locator(".standing").inner_text()
    assert "Jet places a medium on c1" in page.locator("[data-part=news]").inner_text()
    assert page.locator("script.record-controls").count() == 0
    assert page.locator("[data-undo]").count() == 0


def test_followers_without_a_stream_poll(phone, server, opened):
    page = phone()
    page.route("**/stream*", lambda route: route.fulfill(status=404))
    page.clock.install()
    page.goto(f"{server.url}/m/{opened.id}")
    server.play(opened, "M@c1")
    page.clock.run_for(20_000)
    page.locator('.board .pb-cell[data-at="c1"] .pb-piece').wait_for()


@pytest.mark.slow
def test_service_rolls_at_a_tap(phone, server):
    opened = server.open("blockade", dice="service", players={"1": "Jet", "2": "Red"})
    table = BoardPage(server, phone(), opened)
    table.page.get_by_role("button", name="Roll the dice", exact=True).wait_for()
    table.press(move="roll")
    table.settled(1)
    table.says("Jet rolls")
    assert server.line(opened)[0].startswith("roll=")


def test_tap_on_board_points_to_the_dice(phone, server):
    opened = server.open("blockade", players={"1": "Jet", "2": "Red"})
    table = BoardPage(server, phone(), opened)
    table.tap("a5")
    table.says("Use the buttons below the board")
    table.page.locator('.face[data-die="0"][data-face="3"]').tap()
    assert table.page.locator(".refusal").count() == 0


def test_chosen_piece_is_not_crossed_out(phone, server):
    opened = server.open("power-play", players={"1": "Jet", "2": "Red"})
    table = BoardPage(server, phone(), opened)
    table.tap("a1", "h8")
    table.says("a step needs an empty square")
    assert _has(table, "h8", "is-refused")
    assert _has(table, "a1", "is-chosen")
    assert not _has(table, "a1", "is-refused")
    table.tap("b2")
    table.settled(1)


BONUS = ("l@A11", "d@A15", "l@A51", "d@A12", "l@A33", "d@A14", "d@A24")
"""After these events a cube must fill the space that opened."""


def test_due_place_is_not_crossed_out(phone, server):
    opened = server.open("cube-pyramid", players={"1": "Jet", "2": "Red"})
    server.play(opened, *BONUS)
    table = BoardPage(server, phone(), opened)
    due = table.page.locator(".pb-cell.is-open").get_attribute("data-at")
    wrong = next(at for at in ("A21", "A31") if at != due)
    table.tap(wrong)
    table.page.locator(".refusal").wait_for()
    assert _has(table, wrong, "is-refused")
    assert not _has(table, due, "is-refused")


@pytest.mark.parametrize(("pieces", "figures"), [("chess", 44), ("draughts", 0)])
def test_capture_on_a_free_board_takes_two_taps(phone, server, pieces, figures):
    options = {"pieces": pieces, "start": "usual"}
    opened = server.open("free-board", options=options, players={"1": "Jet", "2": "Red"})
    table = BoardPage(server, phone(), opened)
    assert table.page.locator(".pb-piece:has(.pb-figure)").count() == figures
    for version, (start, end) in enumerate((("b2", "b4"), ("a7", "b4")), 1):
        table.tap(start)
        # The server says what goes on from there.
        table.page.locator(f'.board .is-chosen[data-at="{start}"]').wait_for(state="attached")
        table.tap(end)
        table.settled(version)
    assert server.line(opened) == ["b2-b4", "a7-b4"]
    late: list[Any] = []
    table.page.route("**/legal?*", lambda route: late.append(route))
    with table.page.expect_request("**/legal?*"):
        table.tap("h2")
    table.tap("h3")
    late.pop().continue_()
    table.settled(3)
    assert server.line(opened)[-1] == "h2-h3"
    server.play(opened, "c1+b4")


def test_look_back_begins_at_shown_move(phone, server, opened):
    table = BoardPage(server, phone(), opened)
    table.enter("M@c1")
    table.enter("S@c6")
    table.page.get_by_role("link", name="Look back").tap()
    table.page.wait_for_url("**/replay#2")


def test_turn_stays_readable_with_long_messages(phone, server):
    names = {"1": "Ann of the Very Long Name", "2": "Bo of an Even Longer Name"}
    table = BoardPage(server, phone(), server.open(players=names))
    table.enter("M@c1")
    said, standing = (table.page.locator(each).bounding_box() for each in (".said", ".standing"))
    assert standing["y"] + standing["height"] <= said["y"] + said["height"] + 1


@pytest.mark.slow
def test_scorekeeper_ends_match_and_starts_rematch(phone, server, opened):
    table = BoardPage(server, phone(), opened)
    page = table.page
    page.locator("[data-more]").tap()
    page.get_by_text("End the match by a ruling").tap()
    page.locator("#ruled").select_option(label="Red won")
    page.locator("#ruled-why").fill("the cat")
    page.get_by_role("button", name="End the match").tap()
    table.says("As the scorekeeper ruled.")
    assert server.get(f"/matches/{opened.id}")["outcome"] == {"winner": 2, "clause": "ruled"}
    page.get_by_text("It ended otherwise").tap()
    page.get_by_role("button", name="Jet won").tap()
    with page.expect_event("load"):
        page.get_by_role("button", name="Jet won: sure?").tap()
    table.says("Jet won")
    assert server.get(f"/matches/{opened.id}")["outcome"] == {"winner": 1, "clause": "ruled"}
    page.get_by_role("button", name="Rematch").tap()
    page.wait_for_url(lambda address: "/m/" in address and opened.id not in address)
    table.says("Jet is to place")


def _clock(page, seat: int) -> list[str]:
    player = page.locator(f".players li[data-seat='{seat}']")
    return [player.locator(part).inner_text() for part in (".time", ".phase")]


@pytest.mark.parametrize("width", [pytest.param(390, marks=pytest.mark.slow), 360])
def test_byo_yomi_ticks_without_moving(phone, server, width):
    opened = server.open(clock={"control": "20:3x10"}, players={"1": "Jet", "2": "Red"})
    page = phone(viewport={"width": width, "height": 664})
    page.clock.install()
    page.goto(f"{server.url}/m/{opened.id}")
    page.clock.pause_at(page.evaluate("Date.now() / 1000 + 1"))
    server.play(opened, "M@c1")
    page.locator("[data-seat='2'] .time.is-running").wait_for()
    strip, seen = page.locator(".who").bounding_box(), []
    for _ in range(12):
        seen.append(_clock(page, 2))
        assert page.locator(".who").bounding_box() == strip
        page.clock.run_for(5000)
    assert _clock(page, 1) == ["0:20", "+3×0:10"]
    stages = list(dict.fromkeys(phase for _, phase in seen))
    assert stages[-3:] == ["3×0:10", "2×0:10", "1×0:10"]
    assert seen[-1][0] == "0:00"


@pytest.mark.slow
def test_foul_can_be_called_when_time_is_up(phone, server):
    opened = server.open("pyramid-ball", clock={"programming": 60}, players={"1": "Jet"})
    server.play(opened, "1:S=...,M=...,L=...")
    table = BoardPage(server, phone(), opened, opened.seats["1"])
    foul = table.page.locator('[data-move="1:foul"]')
    table.says("Call foul (in ")
    assert re.fullmatch(r"Call foul \(in (6[01]|5\d) s\)", foul.inner_text())
    foul.tap()
    table.says("BAL-3.4")
    table.settled(1)
    assert server.get(f"/matches/{opened.id}")["version"] == 1


def _has(table: BoardPage, at: str, state: str) -> bool:
    return state in (table.place(at).get_attribute("class") or "").split()


def _focused(page) -> str | None:
    return page.evaluate("document.activeElement.dataset.at")


def test_place_to_attack_is_not_crossed_out(phone, server, opened):
    server.play(opened, "M@c1", "S@c6", "c1>L@c3", "c6>M@c4")
    table = BoardPage(server, phone(), opened)
    table.tap("c1")
    table.says("must")
    assert _has(table, "c1", "is-refused")
    assert not _has(table, "c4", "is-refused")


TOWERS = "roll=4,5 b2-c3 a5-b2 b3-b2 d3-d4 e1-d3 d4-d3"
"""Events whose last one has five consequences."""


@pytest.mark.parametrize(
    ("wide", "high"), [(360, 640), pytest.param(390, 844, marks=pytest.mark.slow)]
)
def test_tap_expands_a_long_report(screens, server, wide, high):
    page = screens(**{**PHONE, "viewport": {"width": wide, "height": high}})
    names = {"1": "Ann of the Very Long Name", "2": "Bo of an Even Longer Name"}
    opened = server.open("blockade", players=names)
    server.play(opened, *TOWERS.split())
    BoardPage(server, page, opened)
    said, told, board = (page.locator(f".{part}") for part in ("said", "told", "board svg"))
    assert told.inner_text().startswith("Put a large black on ")
    assert "a large black goes on it" in told.inner_text()
    page.locator(".said[tabindex]").wait_for()  # the module that expands it is there
    before = board.first.bounding_box()
    assert said.bounding_box()["y"] + said.bounding_box()["height"] <= before["y"]
    said.tap()
    assert said.evaluate("one => one.scrollHeight <= one.clientHeight + 1")
    report = said.bounding_box()
    assert report["y"] < before["y"] < report["y"] + report["height"]
    assert board.first.bounding_box() == before


KICKED_BACK = """
a2-b2 f8-g7 a3-b4 g7-f6 b4-c3 f6-e7 a1^c3 e7-d6 a3^a1 d6-c6 c3-c4 c6-b6 a1^c3 ^c5 ^e3 . b6-b5
e3-d3 b5-c5 d3-c3 c5-d6 a3-b4 d6-e7 a2^c2 ^c4 e7-d6 a2^c2 . d6-e7 c4^e6 ^e8 ^g8 . e7-e6 c3-c4
e6-f6 c2-c3 f6-f7 g8^e8 ^g6 . h7^h5 ^f7 g6-f6 f7-e6 c4-c5 e6-d6 c5-c6 d6-c5 c6^c4 ^e6 ^g6 .
h6-h5 f6^h6 ^h8 . c5^a3 ^c1 ^a1 . L@a2 S@a2
"""
"""After these events the first seat has to put back a medium, and holds no large."""


def test_chooser_buttons_draw_whole_pyramids(phone, server):
    """The board draws only strips of a stack, and only rings of a nest."""
    opened = server.open("power-play", players={"1": "Jet", "2": "Red"})
    server.play(opened, *KICKED_BACK.split())
    table = BoardPage(server, phone(), opened)
    heights = table.page.locator(".chooser .thing svg .pb-piece").evaluate_all(
        "all => all.map((one) => one.getBBox()).map(({ width, height }) => height / width)"
    )
    assert len(heights) == 3
    assert min(heights) > 0.8
