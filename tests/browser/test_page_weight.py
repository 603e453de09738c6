"""The first page of a match is small, and its layout is stable."""

from __future__ import annotations

from typing import Any

import pytest

from replay import rules_text
from replay.formats.ply.reader import read_records
from replay.registry import find
from tests.browser.board_page import BoardPage
from tests.browser.games import written
from tests.browser.launch import OpenedMatch
from tests.browser.test_move_cost import HOLD_AHEAD

MAX_BYTES = 60_000
"""The limit of transferred bytes, headers included: the document and everything it loads."""

SECRET = {"pad_draft.js", "pads.js", "secrets.js", "walks.js"}
"""The modules that only games with secret moves need, and only a player's own phone at once."""

SHIFT = 0.02
"""The largest layout shift that recording may cause, as browsers measure it."""

WATCH = """
window.shifts = [];
new PerformanceObserver((list) => {
  for (const { value, sources } of list.getEntries()) {
    const moved = sources.map(({ node }) => node?.outerHTML?.slice(0, 80) ?? node?.nodeName);
    shifts.push([value, moved]);
  }
}).observe({ type: "layout-shift", buffered: true });
"""

PLACES = """
() => Object.fromEntries([...document.querySelectorAll(".who, .said, .board, .beside, .ways")]
  .filter((part) => part.checkVisibility({ visibilityProperty: true }))
  .map((part) => [part.className, part.getBoundingClientRect().y]))
"""

FIRST = {
    "poptrix": ["M@c1", "S@c6", "c1>L@c2"],
    "blockade": ["roll=3,5"],
    "power-play": ["a2-b2"],
    "cube-pyramid": ["l@A11", "d@A15"],
}


def games(always: str, *others: str) -> Any:
    slow = [pytest.param(game, marks=pytest.mark.slow) for game in others]
    return pytest.mark.parametrize("game", [always, *slow])


@pytest.fixture
def opened(server, game) -> OpenedMatch:
    return server.open(game, players={"1": "Jet", "2": "Red"})


@games("poptrix", "blockade", "power-play", "cube-pyramid", "pyramid-ball")
def test_first_page_of_a_match_is_light(game, opened, phone, server, capsys):
    page = phone()
    # The invitation only redirects; the page it leads to is weighed.
    page.context.request.get(f"{server.url}/join/{opened.id}/{opened.host}")
    sizes = _transferred(page, f"{server.url}/m/{opened.id}")
    total = sum(sizes.values())
    with capsys.disabled():
        kinds = {kind: _sum(sizes, kind) for kind in (".js", ".css", ".svg")}
        told = ", ".join(f"{kind} {size}" for kind, size in kinds.items())
        print(f"\n{game}: {total} bytes in {len(sizes)} answers ({told})")
    assert 10_000 < total < MAX_BYTES
    assert all(_sum(sizes, kind) for kind in (".js", ".css"))
    names = {address.rpartition("/")[2] for address in sizes}
    assert names & SECRET == ({"secrets.js"} if game == "pyramid-ball" else set())


@games("pyramid-ball", "poptrix", "blockade", "power-play", "cube-pyramid")
def test_first_page_of_replay_is_light(game, phone, server):
    (record,) = read_records(rules_text.demo(find(game)))
    opened = server.open(game, options=record.game.set_options(record.match.options))
    server.play(opened, *written(record))
    page = phone()
    page.context.request.get(f"{server.url}/join/{opened.id}/{opened.host}")
    address = f"{server.url}/m/{opened.id}/replay"
    total = sum(_transferred(page, address, ".controls:not([hidden])").values())
    assert 10_000 < total < MAX_BYTES


def _sum(sizes: dict[str, int], kind: str) -> int:
    return sum(size for address, size in sizes.items() if address.endswith(kind))


def _transferred(page: Any, address: str, ready: str = ".desk .foot") -> dict[str, int]:
    """Return the number of bytes of each address, loaded into an empty cache."""
    asked: dict[str, str] = {}
    sizes: dict[str, int] = {}

    def sent(event: dict[str, Any]) -> None:
        asked[event["requestId"]] = event["request"]["url"]

    def loaded(event: dict[str, Any]) -> None:
        sizes[asked[event["requestId"]]] = event["encodedDataLength"]

    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.on("Network.requestWillBeSent", sent)
    session.on("Network.loadingFinished", loaded)
    page.add_init_script(HOLD_AHEAD)
    page.goto(address, wait_until="load")
    page.locator(ready).wait_for(state="attached")
    page.wait_for_timeout(300)
    return sizes


@games("poptrix", "blockade", "power-play", "cube-pyramid")
def test_layout_does_not_shift_while_recording(game, opened, phone, server):
    page = phone()
    page.add_init_script(WATCH)
    table = BoardPage(server, page, opened)
    for token in FIRST[game]:
        table.enter(token)
        page.wait_for_timeout(400)  # the pieces are still moving
    assert _moved(page) == []


def test_half_a_page_shows_nothing_that_moves(phone, server):
    """A slow phone paints before it has read the whole document."""
    opened = server.open("blockade")
    address = f"{server.url}/m/{opened.id}"

    def cut(route: Any) -> None:
        route.fulfill(body=route.fetch().text().partition('<section class="desk"')[0])

    seen = []
    for half in (True, False):
        page = phone(java_script_enabled=not half)
        page.context.request.get(f"{server.url}/join/{opened.id}/{opened.host}")
        if half:
            page.route(address, cut)
        page.goto(address)
        page.locator(".board" if half else ".desk .foot").wait_for()
        seen.append(page.evaluate(PLACES))
    before, after = seen
    assert before
    assert before == {name: after[name] for name in before}


@pytest.mark.slow
@games("pyramid-ball")
def test_program_pad_does_not_shift_while_filled(game, opened, phone, server):
    page = phone()
    page.add_init_script(WATCH)
    table = BoardPage(server, page, opened, opened.seats["1"])
    table.press(walk="M")
    page.evaluate("shifts.length = 0")
    table.program("S=FLR,M=LLF,L=LBF,pass=2S")
    page.wait_for_timeout(200)
    assert _moved(page) == []


def _moved(page: Any) -> list[Any]:
    """Return the layout shifts if they exceed the limit."""
    shifts: list[Any] = page.evaluate("shifts")
    return shifts if sum(value for value, _ in shifts) >= SHIFT else []
