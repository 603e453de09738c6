"""A tab that is killed at random moments while moves are entered loses no acknowledged one."""

from __future__ import annotations

import io
from collections.abc import Iterator
from random import Random

import pytest

from replay.formats.archive.reader import verify_archive
from tests.browser.launch import run_browser
from tests.browser.tab import ENTER_ALL, Tab, host
from tests.contract import test_recorded_cases as recorded
from tests.service.tab.site import built_site

pytestmark = [pytest.mark.slow, pytest.mark.faults]

LEAST = 50
"""Kills while moves are entered, however short the time is."""


@pytest.fixture(scope="module")
def tab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tab]:
    """A tab without a network."""
    site = built_site(tmp_path_factory)
    with run_browser() as browser:
        with host(site.parent) as address:
            tab = Tab(browser, f"{address}/{site.name}/")
        tab.context.set_offline(True)
        yield tab


def test_killed_tabs_lose_no_acknowledged_move(tab, budget, figures):
    rng, kills = Random(), 0
    acknowledged: dict[str, int] = {}
    while len(acknowledged) < LEAST or budget.left > 0:
        if rng.random() < 0.8:  # the others are killed while they start
            tab.wait(tab.page)
            match, version = kill_under_entry(tab, rng)
            acknowledged[match] = version
        else:
            tab.page.wait_for_timeout(rng.randrange(3000))
            tab.kill()
        kills += 1
        tab.page = tab.context.new_page()
        tab.page.goto(tab.address)
    tab.wait(tab.page)
    archive = io.BytesIO(tab.client().get("archive").content)
    found = {each.match: each.events for each in verify_archive(archive)}
    lost = sum(max(0, version - found.get(match, -1)) for match, version in acknowledged.items())
    moves = sum(acknowledged.values())
    entering = len(acknowledged)
    figures("killed tabs", kills=kills, under_entry=entering, acknowledged=moves, lost=lost)
    assert not lost


def kill_under_entry(tab: Tab, rng: Random) -> tuple[str, int]:
    """Return the match whose moves were entered, and its last version that the page was told."""
    record = rng.choice(recorded.text("poptrix", "games.ply").split("\n[Game "))
    match = recorded.opened(tab.server(), "poptrix", record)
    said = ["version 0"]
    tab.page.on("console", lambda told: said.append(told.text))
    entry = tab.entry(match, recorded.tokens(record))
    tab.frame.evaluate(f"(entry) => void ({ENTER_ALL})(entry)", entry)
    tab.page.wait_for_timeout(rng.randrange(500))
    tab.kill()
    return match.id, max(int(text.split()[1]) for text in said if text.startswith("version"))
