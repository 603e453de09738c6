"""Checks of every page by Chromium and axe-core: on phone and desktop, light and dark.

A page is opened once: its screen and its colours change under it, from one check to the next.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.browser.launch import Server
from tests.browser.page_cases import MIDGAME, PageCase, page_cases
from tests.browser.page_checks import (
    COVERED_TARGETS,
    OVERFLOWING,
    SCREENS,
    SMALL_IN_NARROW_LETTERS,
    SMALL_TARGETS,
    Visit,
    visit_page,
)

Faults = dict[str, list[str]]

SOME = ("board-blockade", "pad-program", "replay-poptrix")
"""The pages that the default suite checks, on a phone; the slow jobs check all."""

NAMES = (
    *("home", "new", *(f"new-{game}" for game in MIDGAME)),
    *(f"start-{game}" for game in ("poptrix", "power-play", "cube-pyramid")),
    *(f"board-{game}" for game in MIDGAME),
    *("board-looking-on", "board-more", "board-refused", "unjudged", "apart", "judged"),
    "stood",
    *("pad-dice", "pad-covered", "pad-program", "pad-program-open"),
    *(f"ended-{game}" for game in MIDGAME),
    *(f"replay-{game}" for game in MIDGAME),
    *("replay-comment", "replay-fork", "replay-amend", "replay-draw", "replay-correcting"),
    *(f"{kind}-{game}" for kind in ("tv", "embed") for game in MIDGAME),
    *("replay-unspoiled", "replay-log", "replay-as-it-stood", "beside", "invite", "share"),
    "scoresheets",
    *("share-phone", "phone"),
    *(f"adjust-{game}" for game in MIDGAME),
    *("adjust-not-yet", "adjust-sealed"),
    *(f"how-to-play-{game}" for game in MIDGAME),
    *(
        "evening",
        "evenings",
        "result",
        "library",
        "take-away",
        "library-search",
        "import",
        "explore",
        "statistics",
        "rules",
        "schema",
    ),
    *("unknown", "not-invited", "no-such-ply", "not-yours"),
)

CHECKS = {
    "small": SMALL_TARGETS,
    "small in narrow letters": SMALL_IN_NARROW_LETTERS,
    "covered": COVERED_TARGETS,
    "too wide": OVERFLOWING,
}

LAYOUT = {
    "phone": ("small", "small in narrow letters", "covered", "too wide"),
    "small phone": ("too wide",),
    "phone with type of twice the size": ("too wide",),
    "desktop": ("covered",),
    "desktop window at twice the size": ("covered", "too wide"),
}
"""The checks of the layout on each screen."""


@pytest.fixture(scope="module")
def server(demonstration: Server) -> Server:
    return demonstration


@pytest.fixture(scope="module")
def cases(server: Server) -> dict[str, PageCase]:
    return {case.name: case for case in page_cases(server)}


@pytest.fixture
def visit(chromium: Any, server: Server, cases: dict[str, PageCase], name: str) -> Iterator[Visit]:
    with visit_page(chromium, server, cases[name]) as visit:
        yield visit


@pytest.fixture(scope="module")
def axe_script() -> str:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe")
    script: str = axe.Axe().axe_script
    return script


def messages(visit: Visit) -> Faults:
    """Return what the page logged, its violations of the policy, and requests to others."""
    return {"logs": visit.unexpected, "fails": visit.failed, "asks others": visit.elsewhere}


def layout(visit: Visit, screen: str) -> Faults:
    """Return the parts that are too wide on a screen, or badly touched or focused there."""
    visit.show(SCREENS[screen])
    return {f"{screen}: {check}": visit.page.evaluate(CHECKS[check]) for check in LAYOUT[screen]}


def colours(visit: Visit, script: str, screen: str, *schemes: str) -> Faults:
    """Return what axe-core finds; it adds elements to the page."""
    visit.show(SCREENS[screen])
    return {f"{screen}: {scheme}": visit.axe_faults(script, scheme) for scheme in schemes}


def none_of(faults: Faults) -> None:
    assert {kind: found for kind, found in faults.items() if found} == {}


@pytest.mark.parametrize("name", SOME)
def test_page_has_no_fault_on_a_phone(visit, axe_script):
    faults = layout(visit, "phone") | layout(visit, "small phone")
    none_of(faults | colours(visit, axe_script, "phone", "dark") | messages(visit))


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_page_has_no_fault_on_any_screen(visit, axe_script):
    faults: Faults = {}
    for screen in LAYOUT:
        faults |= layout(visit, screen)
    for screen in ("desktop", "phone"):
        faults |= colours(visit, axe_script, screen, "dark", "light")
    none_of(faults | messages(visit))


@pytest.mark.slow
def test_every_page_case_is_checked(cases):
    assert set(cases) == set(NAMES)
