from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.browser.serving import ARGUMENTS, CHROMIUM, DESKTOP, PHONE, Server, serving


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    if CHROMIUM is None:
        pytest.skip("there is no chromium here")
    playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    with playwright.sync_playwright() as running:
        started = running.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield started
        started.close()


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with serving() as running:
        yield running


class Opener:
    """Opens pages in contexts of their own; at the end nothing may stand in their consoles."""

    def __init__(self, browser: Any, server: Server) -> None:
        self.browser = browser
        self.server = server
        self.contexts: list[Any] = []
        self.said: list[str] = []
        self.expected: list[str] = []
        """Parts of what may be said, where a test provokes it."""

    def __call__(self, device: dict[str, Any], **more: Any) -> Any:
        context = self.browser.new_context(base_url=self.server.url, **device, **more)
        context.set_default_timeout(10_000)
        self.contexts.append(context)
        page = context.new_page()
        page.on("console", self._listen)
        page.on("pageerror", lambda error: self.said.append(str(error)))
        return page

    def _listen(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.said.append(message.text)

    def close(self) -> None:
        for context in self.contexts:
            context.close()
        unexpected = [
            words for words in self.said if not any(part in words for part in self.expected)
        ]
        assert unexpected == []


@pytest.fixture
def opener(browser: Any, server: Server) -> Iterator[Opener]:
    opening = Opener(browser, server)
    yield opening
    opening.close()


@pytest.fixture
def phone(opener: Opener) -> Any:
    """A page on an emulated phone, 360 by 740, touched."""
    return opener(PHONE)


@pytest.fixture
def desktop(opener: Opener) -> Any:
    """A page in a window of 1280 by 800."""
    return opener(DESKTOP)
