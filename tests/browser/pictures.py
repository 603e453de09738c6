"""Take pictures of every page, on a phone and on a desktop, in light and in dark.

    python -m tests.browser.pictures OUT_DIR [--only NAME ...]
    python -m tests.browser.pictures --readme

The first writes `OUT_DIR/phone-light/home.png` and so on, and reports pages that are wider than the
screen or log an error. The second makes the pictures of README.md and `docs`.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

from replay.book import Book
from replay.formats.html.score_sheet import write_sheet
from replay.store import temporary_store
from tests.browser import terminal
from tests.browser.launch import (
    ARGUMENTS,
    CHROMIUM,
    DESKTOP,
    PHONE,
    Server,
    new_context,
    run_server,
)
from tests.browser.page_cases import PageCase, page_cases
from tests.cli.screen.snapshots import replayed
from tests.paths import ROOT

LOOKS: dict[str, dict[str, Any]] = {
    "phone-light": {**PHONE, "color_scheme": "light"},
    "phone-dark": {**PHONE, "color_scheme": "dark"},
    "desktop-light": {**DESKTOP, "color_scheme": "light"},
    "desktop-dark": {**DESKTOP, "color_scheme": "dark"},
}

PICTURES = ROOT / "docs" / "pictures"
README = {
    "board.png": ("phone-light", "board-poptrix"),
    "new.png": ("phone-light", "new"),
    "replay.png": ("phone-dark", "replay-cube-pyramid"),
    "program.png": ("phone-light", "pad-program"),
}
"""The pictures of README.md: file, screen and page case."""

COLOURS = 128
"""Few colours are enough for pages, and make small files."""

LOADED = """async () => {
  for (const image of document.images) image.loading = "eager";
  await Promise.all([...document.images].map((image) => image.decode().catch(() => null)));
}"""


def main(arguments: list[str]) -> int:
    """Take the requested pictures; return status 1 if a page has a fault."""
    parser = argparse.ArgumentParser(prog="python -m tests.browser.pictures", description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--only", nargs="+", default=[])
    parser.add_argument("--readme", action="store_true")
    asked = parser.parse_args(arguments)
    if asked.readme == (asked.folder is not None):
        parser.error("name a folder, or --readme")
    with run_server("--demo") as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        there = list(page_cases(server))
        if asked.readme:
            faults = _readme(browser, server, there)
            _sheet(browser)
        else:
            wanted = [each for each in there if not asked.only or each.name in asked.only]
            faults = _walk(browser, server, wanted, asked.folder)
        browser.close()
    if asked.readme:  # these need an event loop of their own, which Playwright has not left before
        terminal.draw(PICTURES / "terminal.svg")
        terminal.draw_screens(PICTURES)
    print("\n".join(faults), end="\n" if faults else "")
    return bool(faults)


def _walk(browser: Browser, server: Server, there: list[PageCase], folder: Path) -> list[str]:
    faults = []
    for look in LOOKS:
        (folder / look).mkdir(parents=True, exist_ok=True)
        for sight in there:
            faults += _picture(browser, server, look, sight, folder / look / f"{sight.name}.png")
    return faults


def _readme(browser: Browser, server: Server, there: list[PageCase]) -> list[str]:
    faults = []
    named = {sight.name: sight for sight in there}
    for name, (look, sight) in README.items():
        faults += _picture(browser, server, look, named[sight], PICTURES / name, whole=False)
        _shrink(PICTURES / name)
    return faults


def _sheet(browser: Browser) -> None:
    """Take the picture of a score sheet."""
    store = temporary_store()
    app = replayed(Book(store, now=lambda: 0), "poptrix")
    page = browser.new_page(viewport={"width": 760, "height": 700})
    page.set_content(write_sheet(app.playback.line.book, app.playback.line.record))
    page.screenshot(path=PICTURES / "sheet.png", full_page=True)
    page.close()
    store.close()
    _shrink(PICTURES / "sheet.png")


def _shrink(file: Path) -> None:
    picture = Image.open(file).convert("RGB")
    picture.quantize(COLOURS).save(file, optimize=True)


def _picture(
    browser: Browser, server: Server, look: str, sight: PageCase, file: Path, *, whole: bool = True
) -> list[str]:
    """Take a picture of a page, whole or as large as the screen; return its faults."""
    settings = {**LOOKS[look], "device_scale_factor": 1}
    context = new_context(browser, base_url=server.url, reduced_motion="reduce", **settings)
    page = context.new_page()
    said: list[str] = []
    page.on("console", lambda told: said.append(told.text) if told.type == "error" else None)
    page.on("pageerror", lambda error: said.append(str(error)))
    if sight.join:
        page.goto(sight.join)
    page.goto(sight.path)
    page.wait_for_load_state("load")
    page.wait_for_timeout(300)
    try:
        if sight.act:
            sight.act(page)
            page.wait_for_timeout(300)
        if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            said.append("wider than the screen")
        page.evaluate(LOADED)
        page.screenshot(path=file, full_page=whole)
    except Exception as error:  # the other pages get their pictures all the same
        said.append(str(error).splitlines()[0])
    context.close()
    return [f"{look}/{sight.name}: {words}" for words in said if "status of 40" not in words]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
