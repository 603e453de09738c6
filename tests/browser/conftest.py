"""A real server and a real browser: Chromium by Playwright, on a phone's screen or a desk's."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from shutil import which
from typing import Any, NamedTuple

import httpx
import pytest

api = pytest.importorskip("playwright.sync_api", reason="browser tests need playwright")

CHROMIUM = which("chromium") or which("chromium-browser")
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
DESK = {"viewport": {"width": 1280, "height": 800}}


class Opened(NamedTuple):
    id: str
    host: str
    seats: dict[str, str]


class Server:
    """`plybook serve` in a process of its own, on a free port."""

    def __init__(self, db: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "cli", "serve", "--port", "0", "--db", str(db)],
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"PYTHONUNBUFFERED": "1"},
        )
        assert self.process.stdout is not None
        found = re.search(r"http://[\d.]+:\d+", self.process.stdout.readline())
        assert found is not None
        self.url = found[0]
        self.client = httpx.Client(base_url=self.url, timeout=30)

    def open(self, game: str = "poptrix", **body: Any) -> Opened:
        """Open a match of Jet and Red."""
        body = {"game": game, "players": {"1": "Jet", "2": "Red"}, **body}
        answer = self.client.post("/matches", json=body).json()
        return Opened(answer["match"], answer["tokens"]["host"], answer["tokens"]["seats"])

    def play(self, match: Opened, *tokens: str) -> dict[str, Any]:
        """Enter events from elsewhere, as another device would."""
        events = [{"token": token} for token in tokens]
        headers = {"Authorization": f"Bearer {match.host}"}
        answer = self.client.post(
            f"/matches/{match.id}/events", json={"events": events}, headers=headers
        )
        assert answer.status_code == 200, answer.text
        return answer.json()

    def line(self, match: Opened) -> list[str | None]:
        """The tokens that stand, as anybody may read them."""
        log = self.client.get(f"/matches/{match.id}/events").json()
        return [each["token"] for each in log["events"] if each["stands"] and each["token"]]

    def stop(self) -> None:
        self.client.close()
        self.process.send_signal(signal.SIGINT)
        self.process.wait(timeout=20)
        assert self.process.stdout is not None
        self.process.stdout.close()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("browser") / "book.db")
    yield running
    running.stop()


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    if CHROMIUM is None:
        pytest.skip("browser tests need Chromium (apt-get install chromium)")
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(ARGUMENTS))
        yield browser
        browser.close()


@pytest.fixture
def screens(chromium: Any) -> Iterator[Callable[..., Any]]:
    """Give pages in contexts of their own. A page that logs an error fails its test.

    What the network does when it is told to be away is no fault of a page.
    """
    contexts: list[Any] = []
    faults: list[str] = []

    def screen(**look: Any) -> Any:
        context = chromium.new_context(**look)
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
    if said.type == "error" and not said.text.startswith("Failed to load resource"):
        faults.append(said.text)


@pytest.fixture
def phone(screens: Callable[..., Any]) -> Callable[..., Any]:
    """Give the page of a phone; each is a phone of its own."""
    return lambda **look: screens(**PHONE, **look)


@pytest.fixture
def desktop(screens: Callable[..., Any]) -> Callable[..., Any]:
    """Give the page of a large screen."""
    return lambda **look: screens(**DESK, **look)
