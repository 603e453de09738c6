"""Without a network play goes on: the board shows waiting moves, and legal ones while known."""

from __future__ import annotations

import itertools
import re

import pytest

from tests.browser.board_page import BoardPage
from tests.browser.games import shortest, written
from tests.browser.test_offline import KEPT, wait_for

SIZES = [(390, 664), (360, 640)]
WAITING = "match => JSON.parse(localStorage[`plybook-outbox-${match}`] ?? '[]').length"
IDLE, SLOW = 3000, 4000
"""Milliseconds until a page fetches the boards ahead, and until it waits for no answer."""


@pytest.fixture(params=SIZES[:1])
def common(request, phone):
    """Return a function that opens a page of a common phone."""
    width, height = request.param
    return lambda **look: phone(viewport={"width": width, "height": height}, **look)


def leave(server, page, match, token=None) -> BoardPage:
    """Open the board, and cut the network once the boards ahead have come."""
    page.clock.install()
    with ahead(page):
        table = BoardPage(server, page, match, token)
        page.wait_for_timeout(200)
        page.clock.fast_forward(IDLE)
    cut(table)
    return table


def ahead(page):
    """Wait for all of the boards ahead, not only for the beginning of the answer."""
    return page.expect_request_finished(lambda request: request.url.endswith("/ahead"))


def cut(table) -> None:
    table.page.context.set_offline(True)
    table.says("No connection")


def back(table, version) -> None:
    table.page.context.set_offline(False)
    table.settled(version)


def enter(table, token: str) -> None:
    """Enter a move by offered legal moves if there are any, else by taps on its places."""
    waiting = table.page.evaluate(WAITING, table.match.id)
    _, body = token.split(":")
    if table.doing()["seats"]:
        table._choose(token[0], body)
    elif body == ".":
        table.press(choose=".")
    elif body.startswith("roll="):
        table.page.get_by_text("Dice", exact=True).tap()
        for die, face in enumerate(body[5:].split(",")):
            table.page.locator(f'.face[data-die="{die}"][data-face="{face}"]').tap()
    else:
        table.tap(*re.findall(r"[A-Za-z]\d+|[SMLld](?=@)", body))
        table.press(write="")
    moves = "1 move waits" if not waiting else f"{waiting + 1} moves wait"
    table.says(f"No connection: {moves}")


def in_turn(table) -> str | None:
    return table.page.locator(".players [aria-current]").get_attribute("data-seat")


def pieces(table, at: str) -> list[str]:
    there = table.place(at).locator(".pb-piece")
    return there.evaluate_all("all => all.map(({ dataset }) => dataset.piece)")


@pytest.mark.slow
@pytest.mark.parametrize("common", SIZES, indirect=True)
def test_match_goes_on_without_network(common, server):
    line = written(shortest("poptrix"))
    opened = server.open(players={"1": "Ann", "2": "Ben"})
    table = leave(server, common(), opened)
    known = []
    for token, following in itertools.pairwise([*line, "1:"]):
        known.append(bool(table.doing()["seats"]))
        enter(table, token)
        assert in_turn(table) == following[0]
        if "@" in token:
            assert f"{token[token.index('@') - 1]}{token[0]}" in pieces(table, token[-2:])
    assert known[:3] == [True] * 3
    table.page.locator("[data-undo]").tap()
    table.says("No connection: 9 moves wait")
    assert pieces(table, "e6") == ["L2"]
    assert in_turn(table) == "2"
    enter(table, line[-1])
    back(table, len(line))
    assert [f":{token}" for token in server.line(opened)] == [token[1:] for token in line]
    table.says("Ann won")


@pytest.mark.parametrize(
    ("game", "line", "scores"),
    [
        pytest.param(
            "blockade",
            "1:roll=4,5 1:b2-c3 1:a5-b2 1:b3-b2 1:. 2:roll=3,6",
            ["0/5 ▲"] * 2,
            marks=pytest.mark.slow,
        ),
        pytest.param(
            "power-play",
            "1:a2-b2 2:f8-g7 1:a3-b4 2:g7-f6",
            ["0 of 18 lost"] * 2,
            marks=pytest.mark.slow,
        ),
        pytest.param(
            "cube-pyramid",
            "1:d@A11 2:l@A12 1:d@A13 2:d@A14",
            ["0 faces", "1 face"],
            marks=pytest.mark.slow,
        ),
    ],
)
def test_turns_of_each_game_are_drawn_and_stored(common, server, game, line, scores):
    opened = server.open(game)
    table = leave(server, common(), opened)
    tokens = line.split()
    for token in tokens:
        assert in_turn(table) == token[0]
        enter(table, token)
    assert table.page.locator(".players .score > :first-child").all_inner_texts() == scores
    back(table, len(tokens))
    assert server.line(opened) == [token[2:] for token in tokens]


def test_boards_that_did_not_come_are_fetched_again(common, server):
    page, busy = common(), [{"status": 503, "json": {}}]
    page.route("**/ahead", lambda route: route.fulfill(**busy.pop()) if busy else route.continue_())
    page.clock.install()
    with ahead(page):
        table = BoardPage(server, page, server.open(players={"1": "Ann", "2": "Ben"}))
        page.wait_for_timeout(200)
        page.clock.fast_forward(IDLE)
    with ahead(page):
        page.wait_for_timeout(200)
        page.clock.fast_forward(2 * IDLE)
    cut(table)
    enter(table, "1:M@c1")
    table.says("Ben is to place")


def test_other_phones_follow_when_network_is_back(common, phone, server):
    opened = server.open(players={"1": "Ann", "2": "Ben"})
    ann = leave(server, common(), opened, opened.seats["1"])
    ben = BoardPage(server, phone(), opened, opened.seats["2"])
    enter(ann, "1:M@c1")
    # On her own phone Ann enters no move of Ben.
    ann.says("Ben is to place")
    assert ann.doing()["seats"] == []
    assert not pieces(ben, "c1")
    back(ann, 1)
    ben.settled(1)
    assert pieces(ben, "c1") == ["M1"]
    ben.enter("S@c6")
    ann.settled(2)


def begin_slow_move(common, server):
    """Tap a move that the server does not answer; return the match, its page and the request."""
    opened = server.open(players={"1": "Ann", "2": "Ben"})
    page, held = common(), []
    page.clock.install()
    with ahead(page):
        table = BoardPage(server, page, opened)
        page.wait_for_timeout(200)
        page.clock.fast_forward(IDLE)
    page.route("**/events", lambda route: route.continue_() if held else held.append(route))
    with page.expect_request("**/events"):
        table.tap("M", "c1")
    page.clock.fast_forward(SLOW)
    table.says("No connection: 1 move waits")
    return opened, table, held


def test_play_continues_while_the_server_is_silent(common, server):
    opened, table, held = begin_slow_move(common, server)
    enter(table, "2:S@c6")
    assert pieces(table, "c1") + pieces(table, "c6") == ["M1", "S2"]
    held[0].continue_()
    table.settled(2)
    assert server.line(opened) == ["M@c1", "S@c6"]


@pytest.mark.parametrize(
    "refusal", [None, pytest.param({"status": 409, "json": {}}, marks=pytest.mark.slow)]
)
def test_move_undone_on_its_way_is_gone(common, server, refusal):
    opened, table, held = begin_slow_move(common, server)
    table.press(undo="")
    table.says("Ann is to place")
    assert table.page.locator(".desk .state").inner_text() == "No connection"
    table.tap("M", "b1")
    table.says("No connection: 1 move waits")
    assert pieces(table, "b1") == ["M1"]
    if refusal:
        held[0].fulfill(**refusal)
    else:
        held[0].continue_()
    table.settled(1 if refusal else 3)
    assert pieces(table, "b1") == ["M1"]
    assert not pieces(table, "c1")
    assert table.page.locator(".outbox, .refusal").count() == 0
    assert server.line(opened) == ["M@b1"]


def test_program_is_locked_in_without_network(common, server):
    opened = server.open("pyramid-ball", players={"1": "Jet", "2": "Red"})
    page = common()
    page.clock.install()
    with ahead(page):
        table = BoardPage(server, page, opened)
        # Pads are loaded with the first program.
        table.open_pad("1")
        table.page.locator("form.program").wait_for()
        page.clock.fast_forward(IDLE)
    page.context.set_offline(True)
    table.seal("1", "S=FF.,M=...,L=...")
    table.says("No connection: 1 move waits")
    table.says("Jet has made their secret choice")
    table.seal("2", "S=FF.,M=...,L=...")
    table.says("No connection: 2 moves wait")
    back(table, 2)
    assert len(server.line(opened)) == 2


def test_board_ahead_survives_a_reload(common, server):
    opened = server.open(players={"1": "Ann", "2": "Ben"})
    page = common(service_workers="allow")
    page.goto(f"{server.url}/join/{opened.id}/{opened.host}")
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.reload()
    table = leave(server, page, opened)
    enter(table, "1:M@c1")
    for part in ("", "/ahead"):
        wait_for(page, KEPT, f"/m/{opened.id}{part}")
    page.reload()
    table.says("Ben is to place")
    assert pieces(table, "c1") == ["M1"]
    enter(table, "2:S@c6")
    back(table, 2)
    assert server.line(opened) == ["M@c1", "S@c6"]
