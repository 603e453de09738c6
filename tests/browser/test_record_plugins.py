"""Random matches of plug-ins, score sheets and a free board are entered by taps, to their ends."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

from plybook.game import PACK
from tests.browser.board_page import BoardPage
from tests.browser.launch import OpenedMatch, Server, run_server
from tests.conformance.door import PLUGINS, install
from tests.paths import ROOT

pytestmark = pytest.mark.slow

SHEET = """
slug = "five-dice"
title = "Five dice"
rounds = 1
rows = [{ name = "ones", title = "Ones", least = -99999 }, { name = "chance", least = -99999 }]
bonus = [{ title = "Bonus", rows = ["ones", "chance"], least = 10, points = 35 }]
"""
NAMES = ("Ann & Ben", "Cy", "Di", "Eve")
MOST_TAPS = 1000
COVER = "dialog.cover [data-cover]"
OFFERED = """
.desk .pad button[type=button]:enabled:not([aria-pressed=true], .is-pale, .program *, .ending *),
.board :is(.is-open, .is-target)[data-at],
main[data-game=free-board] .board:not(:has(.is-chosen)) [data-at]:has(.pb-piece)
"""
"""What a page offers. On a free board any piece may be tapped."""
NEXT_CLICK = """() => ({ heard: Promise.race([
  new Promise((done) => addEventListener("click", () => done(), { capture: true, once: true })),
  new Promise((done) => setTimeout(done, 2000)),
]) })"""
"""The next click on the page; none comes if the page is drawn anew under the finger."""
FAULTS = """() => {  // rows of chips and of extras scroll sideways
  const seen = (one) => one.getClientRects().length > 0;
  const buttons = [...document.querySelectorAll(".desk button")].filter(seen);
  const cut = (one) => one.scrollWidth > one.clientWidth + 1
    || (one.getBoundingClientRect().right > innerWidth + 1 && !one.closest(".chips, .extras"));
  const board = document.querySelector(".board");
  return [
    ...buttons.filter(cut).map((one) => `${one.innerText} is cut off`),
    ...(buttons.length > 60 ? [`${buttons.length} buttons`] : []),
    ...(document.documentElement.scrollWidth > innerWidth ? ["the page is too wide"] : []),
    ...(board.querySelector(".pb-hit") && board.scrollHeight > board.clientHeight + 1
      ? ["the board is cut off"] : []),
  ];
}"""


class Match(NamedTuple):
    """A match to play; without an `end` it stops after so many `moves`."""

    game: str
    seats: int = 2
    end: str = ""
    moves: int = MOST_TAPS
    own_phones: bool = False
    dice: str = "table"
    options: dict[str, Any] = {}  # noqa: RUF012  # nothing changes it


MATCHES = {
    "tic-tac-toe": Match("tic-tac-toe", end="TIC-"),
    "backgammon": Match("backgammon", end="BAC-"),
    "backgammon-rolled": Match("backgammon", end="BAC-", own_phones=True, dice="service"),
    "chess": Match("chess", moves=20),
    "go": Match("go", moves=24, options={"size": 9}),
    "hive": Match("hive", moves=30),
    "homeworlds": Match("homeworlds", end="HOM-7"),
    "homeworlds-4": Match("homeworlds", 4, "HOM-7"),
    "whist": Match("whist", 4, "WHI-5", own_phones=True, dice="service"),
    "whist-typed": Match("whist", 4, "WHI-5"),
    "hearts": Match("hearts", 4, "HRT-6", own_phones=True, dice="service", options={"limit": 25}),
    "hearts-typed": Match("hearts", 4, own_phones=True, moves=14),
    "hearts-on-one": Match("hearts", 4, moves=14),
    "bridge": Match("bridge", 4, "BRI-8", own_phones=True, dice="service"),
    "bridge-unseen": Match("bridge", 4, "BRI-8", options={"hands": "unseen"}),
    "sheet": Match("score-sheet", 3, "SHT-3", options={"rounds": 3}),
    "sheet-on-phones": Match("score-sheet", 2, "SHT-3", own_phones=True, options={"rounds": 2}),
    "sheet-without-end": Match("score-sheet", 2, moves=6),
    "five-dice": Match("five-dice", 2, "SHT-3"),
    "free-board": Match("free-board", moves=12, options={"size": 3}),
    "free-board-8": Match("free-board", moves=3, options={"pieces": "chess", "start": "usual"}),
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Run a server with all plug-ins, and with a custom score sheet."""
    site: Path = tmp_path_factory.mktemp("plugins")
    for game in PLUGINS:
        install(ROOT / "plugins" / game, site)
    sheet = site / "five-dice.toml"
    sheet.write_text(SHEET)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", os.pathsep.join((str(site), str(ROOT))))
        patch.setenv("PLYBOOK_GAMES", str(sheet))
        with run_server() as running:
            yield running


class Player:
    """A person with a phone who taps anything that is offered, and types where they must."""

    def __init__(self, table: BoardPage, server: Server, match: OpenedMatch, rng: Random) -> None:
        self.page, self.table, self.server = table.page, table, server
        self.match, self.rng = match, rng
        self.pack = list(PACK)

    def act(self) -> None:
        """Tap a thing that is offered, or type a move."""
        assert self.page.evaluate(FAULTS) == []
        covers, things = (
            self.page.locator(some).locator("visible=true") for some in (COVER, OFFERED)
        )
        if (form := self.page.locator("form:is(.program, .typed):has(input)")).count():
            self.type(form.first)
        elif (form := self.page.locator("form.program:has(.card-key)")).count():
            self.lock_in(form)
        elif offered := covers.element_handles() or things.element_handles():
            click = self.page.evaluate_handle(NEXT_CLICK)
            try:
                self.rng.choice(offered).tap()
                # A phone clicks a moment after the finger is up.
                click.evaluate("({ heard }) => heard")
            except Exception as error:
                # The move of another player may have drawn the page again.
                if "not attached" not in str(error):
                    raise

    def legal(self, form: Any) -> str:
        """Return a legal move of the seat of a form, without its seat."""
        seat = form.get_attribute("data-seat")
        path = f"/matches/{self.match.id}/legal?seat={seat}"
        legal = self.server.get(path, self.match.seats[seat])["legal"][seat]
        return self.rng.choice(legal).removeprefix(f"{seat}:")

    def type(self, form: Any) -> None:
        """Type a legal move of a seat."""
        line = form.locator("input:not([type=checkbox])")
        line.fill(self.legal(form))
        form.get_by_role("button", name=re.compile("Lock in|Enter")).tap()

    def lock_in(self, form: Any) -> None:
        """Tap a hand, dealt from the pack, or cards to pass, and lock them in."""
        if "hand" in form.get_attribute("aria-label"):
            chosen = [self.pack.pop() for _ in range(13)]
        else:
            chosen = re.findall("..", self.legal(form).removeprefix("pass="))
        for card in chosen:
            form.locator(f'[data-card="{card}"]').tap()
        form.get_by_role("button", name="Lock in").tap()


@pytest.mark.parametrize("name", MATCHES)
def test_random_match_is_entered_by_taps(name, phone, server):
    kind, rng = MATCHES[name], Random(name)
    players = {str(seat + 1): NAMES[seat] for seat in range(kind.seats)}
    settings = {"dice": kind.dice, "options": kind.options}
    match = server.open(kind.game, seats=kind.seats, players=players, **settings)
    tokens = match.seats.values() if kind.own_phones else [match.host]
    tables = [BoardPage(server, phone(), match, token) for token in tokens]
    people = [Player(table, server, match, rng) for table in tables]
    rng.shuffle(people[0].pack)
    for each in people:
        each.pack = people[0].pack
    for _ in range(MOST_TAPS):
        state = server.get(f"/matches/{match.id}")
        for table in tables:
            table.settled(state["version"])
        if state["outcome"] or state["plies"] >= kind.moves:
            break
        for each in people:
            each.act()
    assert (state["outcome"] or {"clause": ""})["clause"].startswith(kind.end)
    host = BoardPage(server, phone(), match)
    for version, step in enumerate(("undo", "redo"), state["version"] + 1):
        host.press(**{step: ""})
        host.settled(version)
    assert server.get(f"/matches/{match.id}")["plies"] == state["plies"]
    host.page.get_by_role("link", name="Look back").first.tap()
    host.page.locator(f'.frame[data-ply="{state["plies"]}"]').wait_for()
    checked = [sys.executable, "-m", "cli", "verify", match.id, "--db", str(server.database)]
    assert subprocess.run(checked, check=False).returncode == 0


def test_small_place_is_entered_by_a_second_tap(phone, server):
    match = server.open("go", options={"size": 19})
    table = BoardPage(server, phone(viewport={"width": 360, "height": 640}), match)
    table.place("Q16").tap()
    table.says("Q16: tap it again, or tap Done.")
    table.place("D4").tap()
    table.says("D4: tap it again, or tap Done.")
    assert server.get(f"/matches/{match.id}")["plies"] == 0
    table.place("D4").tap()
    table.settled(1)
    table.place("Q4").tap()
    table.page.get_by_role("button", name="Done").tap()
    table.settled(2)
    log = server.get(f"/matches/{match.id}/events")["events"]
    assert [event["text"] for event in log] == ["D4", "Q4"]


def test_large_place_is_entered_by_one_tap(phone, server):
    match = server.open("go", options={"size": 9})
    table = BoardPage(server, phone(viewport={"width": 360, "height": 640}), match)
    table.place("D4").tap()
    table.settled(1)


def test_double_is_smaller_than_the_dice(phone, server):
    match = server.open("backgammon")
    server.play(match, "roll=3,1", "8/5", "6/5")
    page = BoardPage(server, phone(), match).page
    page.locator('[data-move$="double"]').wait_for()
    dice, double = (
        page.locator(some).bounding_box() for some in (".desk .dice", '[data-move$="double"]')
    )
    assert double["y"] > dice["y"]
    assert double["width"] < dice["width"] / 2
    assert double["height"] <= dice["height"]
