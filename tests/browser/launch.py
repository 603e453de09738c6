"""A server in its own process, as people run it, and a browser."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.paths import ROOT
from tests.waiting import PATIENCE

CHROMIUM = (
    os.environ.get("CHROMIUM")
    or shutil.which("chromium-headless-shell")
    or shutil.which("chromium")
)
"""Debian's Chromium, as Playwright's own needs a download.

The one without windows opens a page in two thirds of the time.
"""

DISABLED_FEATURES = (
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
    "AimEnabled",
    "AvoidCorsURLLoaderRestartOnRedirect",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsFirstBalancedModeAutoEnable",
    "HttpsUpgrades",
    "LensOverlay",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PaintHolding",
    "PreconnectToSearch",
    "TcpPortRandomizationWin",
    "ThirdPartyStoragePartitioning",
)
"""The features that Playwright switches off in Chromium, for this list replaces its own.

The first two are added: they make two hidden pages of the address bar for every window, which costs
more than most of the tested pages.
"""

ARGUMENTS = [
    f"--disable-features={','.join(DISABLED_FEATURES)}",
    "--no-sandbox",
    "--disable-gpu",
    "--in-process-gpu",
    "--process-per-site",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--ignore-certificate-errors",
    "--host-resolver-rules=MAP *.test 127.0.0.1, MAP club.example 127.0.0.1",
]
"""These names resolve to this machine: `phone.test`, an address without the rights of a secure
context, `rebound.test`, which was a server of another site before, and `club.example`, the host of
the documented nginx.
"""

PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 664},
    "device_scale_factor": 2,
    "has_touch": True,
    "is_mobile": True,
}
DESKTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}


class OpenedMatch(NamedTuple):
    id: str
    host: str
    seats: dict[str, str]


class Server(NamedTuple):
    """A running server and its address, like `http://127.0.0.1:40000`."""

    url: str
    database: Path

    def post(self, path: str, body: Any, token: str | None = None, method: str = "POST") -> Any:
        headers = {"Content-Type": "application/json"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        data = json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, headers, method=method)
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)

    def delete(self, path: str, token: str) -> None:
        self.post(path, {}, token, "DELETE")

    def get(self, path: str, token: str | None = None) -> Any:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        request = urllib.request.Request(self.url + path, headers=headers)
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)

    def open(self, game: str = "poptrix", **body: Any) -> OpenedMatch:
        told = self.post("/matches", {"game": game, **body})
        return OpenedMatch(told["match"], told["tokens"]["host"], told["tokens"]["seats"])

    def play(self, match: OpenedMatch, *tokens: str) -> None:
        events = [{"text": token} for token in tokens]
        self.post(f"/matches/{match.id}/events", {"events": events}, match.host)

    def line(self, match: OpenedMatch) -> list[str]:
        """Return the tokens of the line, as a spectator reads them."""
        log = self.get(f"/matches/{match.id}/events")
        return [each["text"] for each in log["events"] if each["stands"] and each["text"]]


UNLIMITED = ("--requests-per-minute", "0", "--matches-per-hour", "0")
"""All tests send from one address, so the limits are off."""


@contextmanager
def run_server(*arguments: str, source: Path | None = None) -> Iterator[Server]:
    """Run `plybook serve` without limits over a new database until the block ends.

    `source` is a folder with a copy of the packages to run.
    """
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "book.db"
        command = [sys.executable, "-m", "cli", "serve", "--port", "0", "--db", str(database)]
        command += ["--host-name", "127.0.0.1", "--host-name", "phone.test"]
        process = subprocess.Popen(
            [*command, *UNLIMITED, *arguments], stdout=subprocess.PIPE, text=True, cwd=source
        )
        assert process.stdout is not None
        try:
            lines = iter(process.stdout.readline, "")
            line = next(line for line in lines if line.startswith("Plybook is at "))
            yield Server(line.split()[3].rstrip("/"), database)
        finally:
            process.terminate()
            process.wait(PATIENCE)
            process.stdout.close()


@contextmanager
def run_server_with(game: str) -> Iterator[Server]:
    """Run a server with a game of one file of `tests/browser`, like `rerolls_game.py`."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(ROOT))
        patch.setenv("PLYBOOK_GAMES", str(ROOT / "tests" / "browser" / game))
        with run_server() as running:
            yield running


@contextmanager
def run_browser() -> Iterator[Any]:
    """Run a browser until the block ends, or skip the test without one.

    While it runs, no other code can use `asyncio`.
    """
    playwright = pytest.importorskip("playwright.sync_api", reason="needs Playwright")
    if CHROMIUM is None:
        pytest.skip("browser tests need Chromium (apt-get install chromium-headless-shell)")
    with playwright.sync_playwright() as running:
        browser = running.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


def new_context(browser: Any, **look: Any) -> Any:
    """Open a context whose pages have as much time as a busy machine needs."""
    context = browser.new_context(**look)
    context.set_default_timeout(1000 * PATIENCE)
    return context
