"""Checks of every page by Chromium and axe-core: on phone and desktop, light and dark."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.launch import Server
from tests.browser.page_cases import MIDGAME, page_cases
from tests.browser.page_checks import SCREENS, Faults, check_page

SOME = {"home", "board-blockade", "pad-program", "replay-poptrix", "adjust-poptrix"}
SOME |= {"tv-blockade", "embed-pyramid-ball", "share"}
SOME |= {f"how-to-play-{game}" for game in MIDGAME}
"""The pages that the default suite checks; the slow jobs check all."""

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


def pages(*kinds: str, always: str = "phone-dark") -> Any:
    """Return the parameters: every page on each of these screens."""
    return pytest.mark.parametrize(
        ("name", "kind"),
        [
            pytest.param(
                name,
                kind,
                id=f"{name}-{kind}",
                marks=[] if name in SOME and kind == always else [pytest.mark.slow],
            )
            for kind in kinds
            for name in NAMES
        ],
    )


@pytest.fixture(scope="module")
def server(demonstration: Server) -> Server:
    return demonstration


@pytest.fixture(scope="module")
def looked(chromium: Any, server: Server) -> Callable[[str, str], Faults]:
    """Check a page on a screen once, for all tests about it."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe").Axe()
    there = {sight.name: sight for sight in page_cases(server)}
    found: dict[tuple[str, str], Faults] = {}

    def looked(name: str, kind: str) -> Faults:
        if (name, kind) not in found:
            found[name, kind] = check_page(chromium, server, there[name], kind, axe)
        return found[name, kind]

    return looked


@pages(*SCREENS)
def test_axe_finds_no_fault(looked, name, kind):
    assert looked(name, kind).axe == []


@pages(*SCREENS)
def test_a_page_logs_nothing_breaks_no_policy_and_asks_nobody_else(looked, name, kind):
    found = looked(name, kind)
    assert (found.logged, found.failed, found.elsewhere) == ([], [], [])


@pages("phone-light", "phone-dark")
def test_touch_targets_are_as_large_as_a_finger(looked, name, kind):
    assert looked(name, kind).small == []


@pages(*SCREENS)
def test_a_focused_control_is_not_under_a_bar(looked, name, kind):
    assert looked(name, kind).covered == []


@pages("phone-light", "phone-dark")
def test_pages_are_no_wider_than_a_small_phone(looked, name, kind):
    assert looked(name, kind).wider == {360: [], 320: []}


@pytest.mark.slow
def test_every_page_case_is_checked(server):
    assert {sight.name for sight in page_cases(server)} == set(NAMES)
