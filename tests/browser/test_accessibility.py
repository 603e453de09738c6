"""Every page as axe-core judges it, with what is done on it opened, on a phone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.browser.serving import PHONE, Server, serving
from tests.browser.sights import Sight, sights

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with serving("--demo") as running:
        yield running


@pytest.fixture(scope="module")
def judge() -> Any:
    return pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe").Axe()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_page_has_a_fault(chromium: Any, server: Server, judge: Any, scheme: str) -> None:
    found = []
    for sight in sights(server):
        # What axe adds to a page is its own; the page itself is held to its policy elsewhere.
        context = chromium.new_context(
            base_url=server.url, color_scheme=scheme, bypass_csp=True, **PHONE
        )
        page = context.new_page()
        _open(page, sight)
        for fault in judge.run(page).response["violations"]:
            places = [node["html"] for node in fault["nodes"]]
            found.append(f"{sight.name}: {fault['impact']} {fault['id']}: {places}")
        context.close()
    assert found == []


def _open(page: Any, sight: Sight) -> None:
    if sight.join:
        page.goto(sight.join)
    page.goto(sight.path)
    page.wait_for_load_state("load")
    page.wait_for_timeout(500)  # modules fill in what can be tapped
    if sight.act:
        sight.act(page)
