"""A real server and a real browser: Chromium by Playwright, on a phone's screen or a desk's."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.browser.serving import DESKTOP, PHONE, Server, browsing, serving


@pytest.fixture(scope="package")
def server() -> Iterator[Server]:
    """Serve a book to all these tests; each opens matches of its own."""
    with serving() as running:
        yield running


@pytest.fixture(scope="package")
def demonstration() -> Iterator[Server]:
    """Serve a book with the demonstration matches."""
    with serving("--demo") as running:
        yield running


@pytest.fixture(scope="package")
def chromium() -> Iterator[Any]:
    """Give a browser to all these tests."""
    with browsing() as browser:
        yield browser


@pytest.fixture
def screens(chromium: Any) -> Iterator[Callable[..., Any]]:
    """Give pages in contexts of their own. A page that logs an error fails its test."""
    contexts: list[Any] = []
    faults: list[str] = []

    def screen(**look: Any) -> Any:
        context = chromium.new_context(**look)
        context.set_default_timeout(45_000)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda said: _note(said, faults))
        page.on("pageerror", lambda error: faults.append(str(error)))
        return page

    yield screen
    for context in contexts:
        context.close()
    assert not faults


def _note(said: Any, faults: list[str]) -> None:
    # The browser itself logs every answer of 400 and more, and every failing of the network.
    if said.type in ("error", "warning") and not said.text.startswith("Failed to load resource"):
        faults.append(said.text)


@pytest.fixture
def phone(screens: Callable[..., Any]) -> Callable[..., Any]:
    """Give the page of a phone, 360 by 740, touched; each is a phone of its own."""
    return lambda **look: screens(**PHONE, **look)


@pytest.fixture
def desktop(screens: Callable[..., Any]) -> Callable[..., Any]:
    """Give a page in a window of 1280 by 800."""
    return lambda **look: screens(**DESKTOP, **look)
