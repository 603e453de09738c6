"""Take pictures of every page, on a phone and on a desktop, in light and in dark.

    python -m tests.browser.pictures OUT_DIR [--only NAME ...]
    python -m tests.browser.pictures OUT_DIR --compare COMMIT [--only NAME ...]
    python -m tests.browser.pictures --readme

The first writes `OUT_DIR/phone-light/home.png` and so on, and reports pages that are wider than the
screen or log an error. The second takes the first screen of each page on a phone, of another commit
and of this checkout; where they differ, `OUT_DIR/changed` has both side by side, and beside them
what changed in red. The third makes the pictures of README.md and `docs`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any
from urllib.error import HTTPError

from PIL import Image, ImageChops
from playwright.sync_api import Browser, sync_playwright

from bench import checkouts
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

ON_A_PHONE = ("phone-light", "phone-dark")

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

GAP = 8
"""Pixels between two pictures that are compared."""
SAME = 8
"""The most by which a channel of a colour may differ in the same picture."""

LOADED = """async () => {
  for (const image of document.images) image.loading = "eager";
  await Promise.all([...document.images].map((image) => image.decode().catch(() => null)));
}"""


def main(arguments: list[str]) -> int:
    """Take the requested pictures; return status 1 if a page has a fault."""
    parser = argparse.ArgumentParser(prog="python -m tests.browser.pictures", description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--only", nargs="+", default=[])
    parser.add_argument("--compare", metavar="COMMIT")
    parser.add_argument("--readme", action="store_true")
    asked = parser.parse_args(arguments)
    if asked.readme == (asked.folder is not None) or (asked.readme and asked.compare):
        parser.error("name a folder, or --readme")
    if asked.compare:
        return _compare(asked.compare, asked.only, asked.folder)
    with run_server("--demo") as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        there = list(page_cases(server))
        if asked.readme:
            faults = _readme(browser, server, there)
            _sheet(browser)
        else:
            faults = _walk(browser, server, _wanted(there, asked.only), asked.folder)
        browser.close()
    if asked.readme:  # these need an event loop of their own, which Playwright has not left before
        terminal.draw(PICTURES / "terminal.svg")
        terminal.draw_screens(PICTURES)
    print("\n".join(faults), end="\n" if faults else "")
    return bool(faults)


def _wanted(there: list[PageCase], only: Collection[str]) -> list[PageCase]:
    return [each for each in there if not only or each.name in only]


def _walk(
    browser: Browser,
    server: Server,
    there: list[PageCase],
    folder: Path,
    looks: Collection[str] = LOOKS,
    *,
    whole: bool = True,
) -> list[str]:
    faults = []
    for look in looks:
        (folder / look).mkdir(parents=True, exist_ok=True)
        for sight in there:
            file = folder / look / f"{sight.name}.png"
            faults += _picture(browser, server, look, sight, file, whole=whole)
    return faults


def _compare(ref: str, only: Collection[str], folder: Path) -> int:
    """Take the pictures of a commit and of this checkout, and report how much of each changed."""
    with checkouts.commit(ref) as other, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        for side, source in (("before", other), ("after", ROOT)):
            with run_server("--demo", source=source) as server:
                there = _wanted(_known(server), only)
                _walk(browser, server, there, folder / side, ON_A_PHONE, whole=False)
        browser.close()
    changed = sorted(_changes(folder), reverse=True)
    print("\n".join(f"{share:7.2%}  {name}" for share, name in changed if share))
    return 0


def _known(server: Server) -> list[PageCase]:
    """Return the page cases up to one that asks for what an earlier commit lacks."""
    there = []
    try:
        for each in page_cases(server):
            there.append(each)
    except HTTPError as error:
        print(f"after {there[-1].name}: {error} at {error.url}", file=sys.stderr)
    return there


def _changes(folder: Path) -> Iterator[tuple[float, str]]:
    """Lay the pictures side by side, and yield the changed share of each and its name."""
    for look in ON_A_PHONE:
        (folder / "changed" / look).mkdir(parents=True, exist_ok=True)
        for after in (folder / "after" / look).glob("*.png"):
            before, changed = (folder / side / look / after.name for side in ("before", "changed"))
            if before.exists():
                yield lay(before, after, changed), f"{look}/{after.stem}"


def lay(before: Path, after: Path, changed: Path) -> float:
    """Lay two pictures of one size side by side, and what changed; return its share of the pixels.

    Nothing is written for the same picture.
    """
    old, new = (Image.open(each).convert("RGB") for each in (before, after))
    apart = ImageChops.difference(old, new)
    most = ImageChops.lighter(ImageChops.lighter(*apart.split()[:2]), apart.split()[2])
    where = most.point([255 * (value > SAME) for value in range(256)])
    share = where.histogram()[255] / (new.width * new.height)
    if share:
        marked = Image.blend(new, Image.new("RGB", new.size, "white"), 0.6)
        marked.paste((200, 0, 0), mask=where)
        sheet = Image.new("RGB", (3 * new.width + 2 * GAP, new.height), "grey")
        for number, picture in enumerate((old, new, marked)):
            sheet.paste(picture, (number * (new.width + GAP), 0))
        sheet.save(changed)
    return share


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
