"""Checks of every page by Chromium and axe-core: on phone and desktop, light and dark.

A page is opened once on each device, for all tests about it: they leave it as they find it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.browser.launch import Server
from tests.browser.page_cases import MIDGAME, PageCase, page_cases
from tests.browser.page_checks import (
    COVERED_TARGETS,
    DEVICES,
    OVERFLOWING,
    SMALL_TARGETS,
    Visit,
    visit_page,
)

SOME = {"home", "board-blockade", "pad-program", "replay-poptrix", "adjust-poptrix"}
SOME |= {"tv-blockade", "embed-pyramid-ball", "share"}
SOME |= {f"how-to-play-{game}" for game in MIDGAME}
"""The pages that the default suite checks, on a phone; the slow jobs check all."""

NAMES = (
    *("home", "new", *(f"new-{game}" for game in MIDGAME)),
    *(f"start-{game}" for game in ("poptrix", "power-play", "cube-pyramid")),
    *(f"board-{game}" for game in MIDGAME),
    *("board-looking-on", "board-more", "board-refused", "quiet", "quiet-judged", "stood"),
    *("pad-dice", "pad-covered", "pad-program", "pad-program-open"),
    *(f"ended-{game}" for game in MIDGAME),
    *(f"replay-{game}" for game in MIDGAME),
    *("replay-comment", "replay-fork", "replay-amend", "replay-draw", "replay-correcting"),
    *(f"{kind}-{game}" for kind in ("tv", "embed") for game in MIDGAME),
    *("replay-unspoiled", "replay-log", "replay-as-it-stood", "beside", "invite", "share"),
    *(f"adjust-{game}" for game in MIDGAME),
    *("adjust-not-yet", "adjust-sealed"),
    *(f"how-to-play-{game}" for game in MIDGAME),
    *("library", "library-search", "import", "explore", "statistics", "rules", "schema"),
    *("unknown", "not-invited", "no-such-ply", "not-yours"),
)


PAGES = {
    device: [
        pytest.param(
            (name, device),
            id=f"{name}-{device}",
            marks=[] if name in SOME and device == "phone" else [pytest.mark.slow],
        )
        for name in NAMES
    ]
    for device in DEVICES
}
on_phones = pytest.mark.parametrize("visit", PAGES["phone"], indirect=True)
on_both = pytest.mark.parametrize("visit", PAGES["phone"] + PAGES["desktop"], indirect=True)


@pytest.fixture(scope="module")
def server(demonstration: Server) -> Server:
    return demonstration


@pytest.fixture(scope="module")
def cases(server: Server) -> dict[str, PageCase]:
    return {case.name: case for case in page_cases(server)}


@pytest.fixture(scope="module")
def visit(
    chromium: Any, server: Server, cases: dict[str, PageCase], request: pytest.FixtureRequest
) -> Iterator[Visit]:
    name, device = request.param
    with visit_page(chromium, server, cases[name], device) as visit:
        yield visit


@pytest.fixture(scope="module")
def axe_script() -> str:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe")
    script: str = axe.Axe().axe_script
    return script


@on_both
def test_a_page_logs_nothing_breaks_no_policy_and_asks_nobody_else(visit):
    assert (visit.unexpected, visit.failed, visit.elsewhere) == ([], [], [])


@on_phones
def test_touch_targets_are_as_large_as_a_finger(visit):
    assert visit.page.evaluate(SMALL_TARGETS) == []


@on_both
def test_a_focused_control_is_not_under_a_bar(visit):
    assert visit.page.evaluate(COVERED_TARGETS) == []


@on_phones
def test_pages_are_no_wider_than_a_small_phone(visit):
    assert visit.page.evaluate(OVERFLOWING) == []
    with visit.window(320, 740):
        assert visit.page.evaluate(OVERFLOWING) == []


@pytest.mark.slow
@on_phones
def test_pages_are_no_wider_in_type_of_twice_the_size(visit):
    with visit.large_type():
        assert visit.page.evaluate(OVERFLOWING) == []


@pytest.mark.slow
@pytest.mark.parametrize("visit", PAGES["desktop"], indirect=True)
def test_pages_stay_usable_in_a_window_at_twice_the_size(visit):
    with visit.window(640, 400):
        assert visit.page.evaluate(OVERFLOWING) == []
        assert visit.page.evaluate(COVERED_TARGETS) == []


@on_both
@pytest.mark.parametrize("scheme", ["dark", pytest.param("light", marks=pytest.mark.slow)])
def test_axe_finds_no_fault(visit, axe_script, scheme):
    """The last test of a page, as axe-core adds elements to it."""
    assert visit.axe_faults(axe_script, scheme) == []


@pytest.mark.slow
def test_every_page_case_is_checked(cases):
    assert set(cases) == set(NAMES)
