"""Other lines: branching off and playing on, correcting moves, comparing versions."""

from __future__ import annotations

import re

import pytest

from tests.browser.replay_page import PLAYERS, ReplayPage, first_tokens, record_match
from tests.waiting import eventually

pytestmark = pytest.mark.slow

OPENING = ("M@c1", "M@e6", "c1>L@c3", "e6>L@c6", "c1>L@d1", "e6>L@e5")


@pytest.fixture
def match(server):
    match = server.open(players=PLAYERS)
    server.play(match, *OPENING)
    return match


@pytest.fixture
def host(server, phone, match):
    return ReplayPage(server, phone(), match, match.host)


def branch(reading, kind, name=""):
    reading.tool("fork")
    dialog = reading.page.get_by_role("dialog")
    dialog.get_by_label(kind).check()
    dialog.get_by_label("Name").fill(name)
    dialog.get_by_role("button", name="Go").click()
    reading.page.wait_for_url(re.compile(rf"/m/(?!{reading.match.id})\w+$"))
    return reading.page.url.rpartition("/")[2]


def enter(reading, fork, *tokens):
    body = {"events": [{"text": token} for token in tokens]}
    origin = {"Origin": reading.server.url}
    address = f"{reading.server.url}/matches/{fork}/events"
    answer = reading.page.request.post(address, data=body, headers=origin)
    assert answer.ok, answer.text()


def test_variation_is_tried_named_promoted_and_hidden(server, host):
    host.at("#2", shown=2)
    fork = branch(host, "Try it out", "The other side")
    assert host.page.locator(".board .pb-cell").count() == 30
    enter(host, fork, "c1>L@d1")
    host.at(f"#{fork}@3", shown=f"{fork}@3")
    assert "large of Jet" in host.board["d1"]
    host.go("previous")
    host.stands(2)
    tree = host.page.locator(".tree")
    assert "after move 2, c1>L@d1, instead of c1>L@c3" in tree.inner_text()
    tree.get_by_role("button", name="Name").click()
    host.page.get_by_role("dialog").get_by_label("Name").fill("By the left")
    host.page.get_by_role("dialog").get_by_role("button", name="Save").click()
    tree.get_by_text("By the left").wait_for()
    tree.get_by_role("button", name="Make main line").click()
    tree.get_by_text("main line").wait_for()
    tree.get_by_role("button", name="Hide").click()
    tree.get_by_text("hidden").wait_for()
    assert host.page.locator(".variation").count() == 0


def test_tap_on_the_tree_waits_for_its_module(host):
    host.at("#2", shown=2)
    branch(host, "Try it out", "Aside")
    held = []
    host.page.route("**/replay/forks.js", lambda route: held.append(route))
    with host.page.expect_request("**/replay/forks.js"):
        host.at("#2", shown=2)
        host.page.locator(".tree").get_by_role("button", name="Hide").click()
    eventually(lambda: host.page.title() and held).pop().continue_()
    host.page.locator(".tree").get_by_text("hidden").wait_for()


def test_reader_plays_on_from_any_position(server, phone, match):
    reader = ReplayPage(server, phone(), match).at("#3", shown=3)
    fork = branch(reader, "Play on from here")
    enter(reader, fork, "e6>L@e5")
    assert server.line(match)[-1] == OPENING[-1]
    told = server.get(f"/matches/{fork}")
    assert (told["kind"], told["plies"]) == ("match", 4)


def test_compared_lines_have_marked_differences(server, host):
    host.at("#2", shown=2)
    fork = branch(host, "Try it out", "Aside")
    enter(host, fork, "c1>L@d1")
    host.at("#2", shown=2)
    host.page.locator(".tree").get_by_role("link", name="Compare").click()
    page = host.page
    page.wait_for_selector(".pair")
    page.wait_for_load_state()
    assert "Alike up to move 2" in page.locator(".apart").inner_text()
    assert page.locator('.side:visible [data-at="c3"][data-marks~="differs"]').count() == 1
    page.get_by_text("Aside").last.click()
    page.keyboard.press("Escape")
    page.get_by_label("Step on").click()
    page.wait_for_url("**ply=4")
    assert page.locator(".changes tr").count() > 2


def test_wrong_move_is_corrected_on_the_board(server, host, match):
    host.at("#3", shown=3).tool("amend")
    host.page.wait_for_selector(".panel")
    host.place("c1").tap()
    host.page.locator(".panel").get_by_role("button", name="large", exact=True).click()
    host.place("d1").tap()
    report = host.page.get_by_role("dialog")
    report.get_by_role("heading", name="Move 3 was really: c1 large to d1").wait_for()
    assert "1 move after it stays; 2 later moves must be entered again" in report.inner_text()
    assert server.line(match) == list(OPENING)
    report.get_by_role("button", name="Correct it").click()
    host.stands(3)
    assert host.listed == ["Start", "M@c1", "M@e6", "c1>L@d1", "e6>L@c6"]
    assert "corrected" in host.stop(3).inner_text()
    host.at("?all=true#log")
    log = host.page.locator("#log")
    assert log.locator("s").all_inner_texts() == ["c1>L@c3", "c1>L@d1", "e6>L@e5"]
    log.get_by_role("link", name="As it was before").click()
    host.stands(6)
    assert "As it is now" in host.page.locator(".notice").inner_text()
    host.page.get_by_role("link", name="Side by side").click()
    host.page.wait_for_selector(".pair")


@pytest.mark.parametrize("given", [False, True])
def test_correction_names_the_move_that_sets_the_board(server, phone, given):
    match = server.open(players=PLAYERS)
    server.play(match, "M@c1", "S@c6", "c1>L@c3")
    stood = {"text": "2:c6>S@c5", "stood": True}
    position = {"position": "2s2/2s2/5/2L2/5/2M2 5S3M4L 3s5m5l 1 5"} if given else {}
    server.post(f"/matches/{match.id}/events", {"events": [stood | position]}, match.host)
    host = ReplayPage(server, phone(), match, match.host)
    host.at("#3", shown=3).tool("amend")
    host.page.wait_for_selector(".panel")
    host.place("c1").tap()
    host.page.locator(".panel").get_by_role("button", name="large", exact=True).click()
    host.place("d1").tap()
    report = host.page.get_by_role("dialog")
    report.get_by_role("heading", name="Move 3 was really: c1 large to d1").wait_for()
    named = "Move 4 sets the position: the board does not change from there on."
    assert (named in report.inner_text()) == given
    report.get_by_role("button", name="Correct it").click()
    host.page.wait_for_function("() => document.body.innerText.includes('corrected')")
    told = server.get(f"/matches/{match.id}/position")["position"]
    assert told.startswith("2s2/2s2/5/2L2/5/2M2" if given else "2s2/2s2/5/5/5/2ML1")


def test_correction_reports_a_missing_network(host):
    host.page.route("**/entry*", lambda route: route.abort())
    host.at("#3", shown=3).tool("amend")
    alert = host.page.get_by_role("alert")
    alert.wait_for()
    assert "No network just now" in alert.inner_text()


def test_illegal_correction_is_refused_with_reason(server, host, match):
    host.at("#3", shown=3).tool("amend")
    host.page.get_by_text("Write it instead").click()
    host.page.get_by_label("The move, as in the list").fill("c1>S@a6")
    host.page.get_by_role("button", name="Enter").click()
    host.page.get_by_role("alert").wait_for()
    assert "POP-" in host.page.get_by_role("alert").inner_text()
    host.page.get_by_role("button", name="Cancel").click()
    host.stands(3)
    assert server.line(match) == list(OPENING)


def test_surplus_move_is_deleted_by_keyboard(server, host, match):
    host.at("#6", shown=6)
    page = host.page
    host.open_tools()
    page.locator("[data-tool=amend]").focus()
    page.keyboard.press("Enter")
    page.get_by_role("button", name="This was never played").focus()
    page.keyboard.press("Enter")
    page.get_by_text("Nothing comes after it").wait_for()
    page.get_by_role("button", name="Correct it").focus()
    page.keyboard.press("Enter")
    host.stands(5)
    assert host.listed == ["Start", *OPENING[:5]]


def test_forgotten_round_is_inserted(server, host, match):
    host.at("#3", shown=3).tool("amend")
    host.page.get_by_role("button", name="A move is missing before it").click()
    host.page.get_by_role("heading", name="Move 3 was forgotten: …").wait_for()
    _enter(host, "c1", "small", "a1")
    report = host.page.get_by_role("dialog")
    report.get_by_text("No move after it stays; 4 later moves must be entered again").wait_for()
    report.get_by_role("button", name="Another move followed it").click()
    host.page.get_by_role("heading", name="Move 4 was forgotten: …").wait_for()
    _enter(host, "e6", "small", "e4")
    report.get_by_text("All 4 moves after it stay").wait_for()
    assert server.line(match) == list(OPENING)
    report.get_by_role("button", name="Correct it").click()
    host.page.get_by_text("Corrected.").wait_for()
    host.stands(4)
    assert host.listed == ["Start", *OPENING[:2], "c1>S@a1", "e6>S@e4", *OPENING[2:]]


def _enter(host, launcher: str, size: str, to: str) -> None:
    host.page.wait_for_selector(".panel")
    host.place(launcher).tap()
    host.page.locator(".panel").get_by_role("button", name=size, exact=True).click()
    host.place(to).tap()


def test_last_move_is_corrected_in_six_taps(server, phone, match):
    page = phone()
    page.goto(f"{server.url}/join/{match.id}/{match.host}")
    panel = page.locator(".panel")
    for target in (
        page.locator("[data-more]"),
        page.get_by_role("link", name="We wrote that down wrongly"),
        page.locator('[data-mode=correcting] .pb-cell[data-at="e6"]'),
        panel.get_by_role("button", name="small", exact=True),
        page.locator('[data-mode=correcting] .pb-cell[data-at="e4"]'),
        page.get_by_role("button", name="Correct it"),
    ):
        target.tap()
    page.get_by_text("Corrected.").wait_for()
    page.get_by_role("link", name="e6>S@e4").first.wait_for()
    assert "e6>L@e5" not in server.line(match)


def test_amend_address_opens_the_correction_of_a_move(server, host):
    host.page.goto(f"{server.url}/m/{host.match.id}/replay?amend=4")
    host.page.get_by_role("heading", name="Move 4 was really").wait_for()
    assert "amend" not in host.page.url


def test_wrong_ruling_is_corrected_by_the_other_results(server, phone):
    match = server.open(players={"1": "Bernd", "2": "Emil"})
    ruling = {"result": "won", "winner": 1}
    server.post(f"/matches/{match.id}/rulings", ruling, match.host)
    host = ReplayPage(server, phone(), match, match.host)
    host.page.goto(f"{server.url}/m/{match.id}/replay?amend=1#1")
    offered = host.page.locator(".panel > .row").first.get_by_role("button")
    offered.first.wait_for()
    assert offered.all_inner_texts() == [
        "Bernd won",
        "Emil won",
        "A draw",
        "Not finished",
        "Cancel",
    ]
    offered.nth(1).tap()
    host.page.get_by_role("button", name="Correct it").tap()
    host.page.get_by_text("Corrected.").wait_for()
    assert host.listed == ["Start", "ruled=+2"]


def test_tap_in_the_list_goes_on_correcting(server, phone, match):
    host = ReplayPage(server, phone(), match, match.host)
    host.page.goto(f"{server.url}/m/{match.id}/replay?amend=4#4")
    host.page.get_by_role("heading", name="Move 4 was really").wait_for()
    host.page.locator('.list [data-ply="2"] > a').tap()
    host.page.get_by_role("heading", name="Move 2 was really").wait_for()
    host.page.locator(".panel").get_by_role("button", name="Cancel").tap()
    host.page.locator(".panel").wait_for(state="detached")
    host.page.locator('.list [data-ply="3"] > a').tap()
    host.stands(3)
    assert host.page.locator(".panel").count() == 0


WRITTEN = {
    "score-sheet": (["1:12", "2:8", "1:3"], "Write the right number of Ben", "9", "2:9"),
    "free-board": (["w@a1", "b@c3", "w@b2"], "the list has it, like b@c3", "b@c2", "b@c2"),
}


@pytest.mark.parametrize("slug", WRITTEN)
def test_moves_that_are_not_listed_are_written(server, phone, slug):
    tokens, before, typed, right = WRITTEN[slug]
    match = server.open(slug, players={"1": "Ann", "2": "Ben"})
    server.play(match, *tokens)
    page = phone()
    host = ReplayPage(server, page, match, match.host)
    page.goto(f"{server.url}/m/{match.id}/replay?amend=2#2")
    page.get_by_text(before).wait_for()
    for piece in page.locator(".stage .pb-cell:has(.pb-piece) .pb-hit").all()[:1]:
        piece.tap()
        page.get_by_text("That cannot be tapped here; write it.").wait_for()
    page.locator(".panel input").fill(typed)
    page.get_by_role("button", name="Enter").tap()
    page.get_by_role("button", name="Correct it").tap()
    page.get_by_text("Corrected.").wait_for()
    assert host.listed == ["Start", tokens[0], right, tokens[2]]


@pytest.mark.parametrize(
    "slug", ["poptrix", "blockade", "power-play", "cube-pyramid", "pyramid-ball"]
)
def test_page_draws_every_move_like_the_server(server, desktop, slug):
    match = record_match(server, 40, slug)
    reading = ReplayPage(server, desktop(reduced_motion="reduce"), match).at("#0", shown=0)
    for ply in range(1, len(first_tokens(slug, 40)) + 1):
        reading.stop(ply).locator("a").first.click()
        reading.stands(ply)
        wanted = reading.page.request.get(f"{server.url}/m/{match.id}/frame?ply={ply}").text()
        assert all(f'aria-label="{label}"' in wanted for label in reading.board.values())
