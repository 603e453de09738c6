"""A real server and a real browser: Chromium by Playwright, on a phone or a desktop."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.browser.launch import (
    DESKTOP,
    PHONE,
    OpenedMatch,
    Server,
    new_context,
    run_browser,
    run_server,
)


@pytest.fixture(scope="package")
def server() -> Iterator[Server]:
    """A server that all these tests share; each opens its own matches."""
    with run_server() as running:
        yield running


@pytest.fixture(scope="package")
def demonstration() -> Iterator[Server]:
    """A server with the demonstration matches."""
    with run_server("--demo") as running:
        yield running


@pytest.fixture
def opened(server: Server) -> OpenedMatch:
    """A new match of Poptrix between Jet and Red."""
    return server.open(players={"1": "Jet", "2": "Red"})


@pytest.fixture(scope="package")
def chromium() -> Iterator[Any]:
    """A browser that all these tests share."""
    with run_browser() as browser:
        yield browser


@pytest.fixture
def screens(chromium: Any) -> Iterator[Callable[..., Any]]:
    """Return a function that opens pages in separate contexts; a logged error fails the test."""
    contexts: list[Any] = []
    faults: list[str] = []

    def screen(**look: Any) -> Any:
        context = new_context(chromium, **{"service_workers": "block"} | look)
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
    # The browser itself logs every answer of 400 and more, and every network failure; Playwright
    # logs that it blocks service workers. They would answer what tests refuse by a route.
    usual = ("Failed to load resource", "Service Worker registration blocked")
    if said.type in ("error", "warning") and not said.text.startswith(usual):
        faults.append(said.text)


@pytest.fixture
def phone(screens: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that opens the page of another phone, 390 by 664, with touch."""
    return lambda **look: screens(**{**PHONE, **look})


@pytest.fixture
def desktop(screens: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that opens a page in a window of 1280 by 800."""
    return lambda **look: screens(**DESKTOP, **look)
