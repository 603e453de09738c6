"""Measure how long a tap takes: the page stores a move and asks for the new board.

    python -m tests.browser.tap_latency [MOVES]

Plays some moves of a long match of each game and prints milliseconds at a client on the same
machine, for the move, for the board and for both; then the server's own counts.
"""

from __future__ import annotations

import http.client
import json
import re
import sys
from collections.abc import Iterator
from statistics import quantiles
from time import perf_counter
from urllib.parse import urlsplit

from tests.browser.launch import OpenedMatch, Server, run_server
from tests.browser.page_cases import MIDGAME
from tests.browser.replay_page import first_tokens

ROW = "{:>13} {:>6} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9}"
COUNTED = ("enter_events", "board_frame")
"""The names of the operations in the server's metrics."""


class Page:
    """The requests of a page after a tap, over a persistent connection."""

    def __init__(self, server: Server, match: OpenedMatch) -> None:
        self._path = f"/matches/{match.id}/events"
        self._frame = f"/m/{match.id}/frame"
        self._headers = {
            "Accept-Encoding": "gzip",
            "Content-Type": "application/json",
            "Cookie": f"plybook-{match.id}={match.host}",
            "Origin": server.url,
        }
        self._connection = http.client.HTTPConnection(urlsplit(server.url).netloc)

    def tap(self, token: str, version: int) -> tuple[float, float]:
        """Enter a move at a version; return the seconds for it and for the board."""
        body = json.dumps({"events": [{"text": token}], "expected": version})
        return self._timed("POST", self._path, body), self._timed("GET", self._frame)

    def _timed(self, method: str, path: str, body: str | None = None) -> float:
        start = perf_counter()
        self._connection.request(method, path, body, self._headers)
        answer = self._connection.getresponse()
        told = answer.read()
        if answer.status != 200:
            raise SystemExit(f"{method} {path}: {answer.status} {told[:200]!r}")
        return perf_counter() - start


def main(count: int) -> None:
    titles = [f"{what} {part}" for what in ("move", "board", "both") for part in ("p50", "p95")]
    print(ROW.format("game", "moves", *titles))
    with run_server() as server:
        for game in MIDGAME:
            match = server.open(game)
            page = Page(server, match)
            taps = [page.tap(token, at) for at, token in enumerate(first_tokens(game, count))]
            rows = [(move, board, move + board) for move, board in taps]
            columns = zip(*rows, strict=True)
            figures = [f"{each:.1f}" for column in columns for each in _middle(column)]
            print(ROW.format(game, len(taps), *figures))
        print(*_counted(server), sep="\n")


def _middle(seconds: tuple[float, ...]) -> tuple[float, float]:
    """Return the median and the 95th percentile, in milliseconds."""
    cuts = quantiles(seconds, n=100)
    return cuts[49] * 1000, cuts[94] * 1000


def _counted(server: Server) -> Iterator[str]:
    """Yield how many answers began within 0.1 s by the server's own metrics, and of how many."""
    connection = http.client.HTTPConnection(urlsplit(server.url).netloc)
    connection.request("GET", "/metrics")
    told = connection.getresponse().read().decode()
    for name in COUNTED:
        within, total = (
            re.search(rf'_bucket{{le="{bound}",operation="{name}"}} (\d+)', told)
            for bound in (r"0\.1", r"\+Inf")
        )
        if within and total:
            yield f"{name}: {within[1]} of {total[1]} within 0.1 s"


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 60)
