"""How long a tap waits: a move is stored and the new board is there, as the page asks for both.

    python -m tests.browser.answers [MOVES]

Plays so many moves of a long match of each game and prints milliseconds, as they pass at a client
on the same machine: for the move, for the board, for both; then what the server itself counted.
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

from tests.browser.reading import moves
from tests.browser.serving import Opened, Server, serving
from tests.browser.sights import MIDDLE

ROW = "{:>13} {:>6} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9}"
COUNTED = ("enter_events", "board_frame")
"""The operations as the server's own counters name them."""


class Page:
    """What a page does after a tap, over a connection that stays."""

    def __init__(self, server: Server, match: Opened) -> None:
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
        """Enter a move upon a version; return the seconds for it and for the board."""
        body = json.dumps({"events": [{"token": token}], "expected": version})
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
    """Play and print."""
    titles = [f"{what} {part}" for what in ("move", "board", "both") for part in ("p50", "p95")]
    print(ROW.format("game", "moves", *titles))
    with serving() as server:
        for game in MIDDLE:
            match = server.open(game)
            page = Page(server, match)
            taps = [page.tap(token, at) for at, token in enumerate(moves(game, count))]
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
    """Tell how many of the answers the server itself saw begin within 0.1 s, and of how many."""
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
