"""Plybook in a browser's tab, with a part of a core for the whole browser."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter
from typing import Final

from platformdirs import user_cache_path

from bench.quota import family, limited
from bench.row import Figure, NotMeasured, Row, Sample
from service.tab.building import build
from tests.browser.launch import CHROMIUM, run_browser
from tests.browser.tab import ENTER_ALL, Tab, host
from tests.contract import test_recorded_cases as recorded

PERIOD: Final = 100_000
"""Microseconds in which the browser may use its part of a core."""
PAGES: Final = ("", "library", "m/{}", "m/{}/replay", "m/{}/share") * 4

SHOW: Final = """async (addresses) => {
  const frame = document.querySelector("iframe");
  const took = [];
  for (const address of addresses) {
    const begun = performance.now();
    frame.contentWindow.location.assign(address);
    await new Promise((resolve) => (frame.onload = resolve));
    took.push(performance.now() - begun);
  }
  return took;
}"""


@dataclass(frozen=True)
class Pocket(Row):
    """A browser may use a part of a core, with all its processes. Without a network it opens the
    tab anew until a page is shown, enters the moves of a recorded match one by one, and shows five
    pages four times. The memory is the tab's share (PSS) after that. The time of the processor is
    given to the browser first, so that other work hardly matters.
    """

    percent: int = 25

    @property
    def figures(self) -> Sequence[Figure]:
        part = f"a tab, {self.percent} % of a core"
        return (
            Figure(f"{part}, until ready", "s", at_most=8),
            Figure(f"{part}, a move, median", "ms"),
            Figure(f"{part}, a move, 95 %", "ms", at_most=150),
            Figure(f"{part}, a page, 95 %", "ms", at_most=500),
            Figure("a tab, memory of its process", "MiB"),
        )

    @contextmanager
    def prepared(self) -> Iterator[Sample]:
        if not (CHROMIUM and find_spec("playwright") and shutil.which("npm")):
            raise NotMeasured("a tab needs Chromium, Playwright, Node.js and npm")
        with (
            tempfile.TemporaryDirectory() as folder,
            limited(PERIOD * self.percent // 100, PERIOD) as members,
            run_browser() as browser,
        ):
            build(Path(folder, "site"), user_cache_path("plybook") / "site")
            with host(Path(folder)) as address:
                tab = Tab(browser, f"{address}/site/")
            tab.context.set_offline(True)
            [parent] = tab.processes("browser")
            for process in family(parent):
                members.write_text(str(process))
            yield lambda: measured(tab)


def measured(tab: Tab) -> Sequence[float]:
    tab.page.close()
    begun = perf_counter()
    tab.page = tab.open()
    ready = perf_counter() - begun
    record = recorded.text("poptrix", "games.ply").split("\n[Game ")[0]
    match = recorded.opened(tab.server(), "poptrix", record)
    moves = tab.frame.evaluate(ENTER_ALL, tab.entry(match, recorded.tokens(record)))
    pages = tab.page.evaluate(SHOW, [tab.address + page.format(match.id) for page in PAGES])
    memory = max(map(share_of_memory, tab.processes("renderer")))
    return ready, median(moves), quantiles(moves, n=20)[-1], quantiles(pages, n=20)[-1], memory


def share_of_memory(process: int) -> float:
    """Return the mebibytes of a process; of those that it shares, its part."""
    rolled = Path(f"/proc/{process}/smaps_rollup").read_text()
    found = re.search(r"^Pss: *(\d+) kB$", rolled, re.MULTILINE)
    assert found
    return int(found[1]) / 1024
