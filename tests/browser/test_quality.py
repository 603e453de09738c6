"""Every page as browsers, thumbs and axe-core judge it: on phone and desktop, light and dark."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.looking import LOOKS, Found, look
from tests.browser.serving import Server
from tests.browser.sights import MIDDLE, sights

SOME = {"home", "board-blockade", "pad-program", "replay-poptrix", "adjust-poptrix"}
"""The pages that are looked at whenever tests are run; CI looks at all."""

NAMES = (
    *("home", "new", *(f"new-{game}" for game in MIDDLE)),
    *(f"start-{game}" for game in ("poptrix", "power-play", "cube-pyramid")),
    *(f"board-{game}" for game in MIDDLE),
    *("board-looking-on", "board-more", "board-refused"),
    *("pad-dice", "pad-covered", "pad-program", "pad-program-open"),
    *(f"ended-{game}" for game in MIDDLE),
    *(f"replay-{game}" for game in MIDDLE),
    *("replay-comment", "replay-fork", "replay-amend", "replay-draw", "replay-correcting"),
    *("replay-log", "replay-as-it-stood", "beside", "invite", "share"),
    *(f"adjust-{game}" for game in MIDDLE),
    *("adjust-not-yet", "adjust-sealed"),
    *("library", "library-search", "import", "explore", "statistics", "rules", "schema"),
    *("unknown", "not-invited", "no-such-ply", "not-yours"),
)


def pages(*kinds: str, always: str = "phone-dark") -> Any:
    """Name every page on each of these screens."""
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
def looked(chromium: Any, server: Server) -> Callable[[str, str], Found]:
    """Look at a page on a screen, once for all that is asked about it."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe").Axe()
    there = {sight.name: sight for sight in sights(server)}
    found: dict[tuple[str, str], Found] = {}

    def looked(name: str, kind: str) -> Found:
        if (name, kind) not in found:
            found[name, kind] = look(chromium, server, there[name], kind, axe)
        return found[name, kind]

    return looked


@pages(*LOOKS)
def test_axe_finds_no_fault(looked, name, kind):
    assert looked(name, kind).axe == []


@pages(*LOOKS)
def test_a_page_logs_nothing_breaks_no_policy_and_asks_nobody_else(looked, name, kind):
    found = looked(name, kind)
    assert (found.logged, found.failed, found.elsewhere) == ([], [], [])


@pages("phone-light", "phone-dark")
def test_touch_targets_are_as_large_as_a_finger(looked, name, kind):
    assert looked(name, kind).small == []


@pages(*LOOKS)
def test_a_focused_control_is_not_under_a_bar(looked, name, kind):
    assert looked(name, kind).covered == []


@pages("phone-light", "phone-dark")
def test_pages_are_no_wider_than_a_small_phone(looked, name, kind):
    assert looked(name, kind).wider == {360: [], 320: []}


@pytest.mark.slow
def test_every_page_that_is_seen_is_looked_at(server):
    assert {sight.name for sight in sights(server)} == set(NAMES)
