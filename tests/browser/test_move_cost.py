"""A move costs its mover one round trip and few bytes."""

from __future__ import annotations

from typing import Any

import pytest

from tests.browser.board_page import BoardPage
from tests.browser.replay_page import first_tokens, record_match

MAX_BYTES = 3_500
"""The limit of bytes for a move: its answer with headers, and the news of it."""

BEFORE = 20
"""The number of events before the measured moves."""

GAMES = [
    "power-play",
    *(
        pytest.param(game, marks=pytest.mark.slow)
        for game in ("poptrix", "blockade", "cube-pyramid")
    ),
]


HOLD_AHEAD = """{
  const { setTimeout: real } = window;
  window.setTimeout = (run, ms) => (ms === 3000 ? 0 : real(run, ms));
}"""
"""Do not fetch the boards ahead, which a page does when nobody moves for three seconds."""


class Traffic:
    """The requests of a page, and the bytes that it receives."""

    def __init__(self, page: Any) -> None:
        self.requests: list[str] = []
        self.received = 0
        session = page.context.new_cdp_session(page)
        session.send("Network.enable")
        session.on("Network.requestWillBeSent", self._sent)
        session.on("Network.loadingFinished", self._finished)
        session.on("Network.dataReceived", self._streamed)
        self._here: set[str] = set()

    def _sent(self, event: dict[str, Any]) -> None:
        self._here.add(event["requestId"])
        self.requests.append(event["request"]["method"])
        self.received += len(event["request"].get("postData", ""))

    def _finished(self, event: dict[str, Any]) -> None:
        self.received += event["encodedDataLength"]

    def _streamed(self, event: dict[str, Any]) -> None:
        if event["requestId"] not in self._here:  # the stream was opened before
            self.received += event["dataLength"]


@pytest.mark.parametrize("game", GAMES)
def test_move_costs_one_round_trip_and_few_bytes(game, phone, server):
    first, token = first_tokens(game, BEFORE + 1)[-2:]
    opened = record_match(server, BEFORE - 1, game)
    page = phone()
    page.add_init_script(HOLD_AHEAD)
    table = BoardPage(server, page, opened)
    table.enter(first)  # the modules that a first move loads
    page.wait_for_timeout(500)
    traffic = Traffic(page)
    table.enter(token)
    page.wait_for_timeout(500)  # late answers count too
    print(f"{game}: {traffic.received} bytes")
    assert traffic.requests == ["POST"]
    assert 500 < traffic.received < MAX_BYTES
    assert table.version == BEFORE + 1
    # The page's own board equals the fetched one.
    drawn = page.evaluate(
        """async () => {
          const part = ({ dataset, ariaLabel, innerHTML }) =>
            [dataset.at, dataset.marks, ariaLabel, innerHTML.replaceAll(' style=""', "")];
          const parts = (root) => [...root.querySelectorAll(".board .pb-cell")].map(part);
          const answer = await fetch(location.pathname + "/frame");
          const head = new DOMParser().parseFromString(await answer.text(), "text/html");
          return [JSON.stringify(parts(document)), JSON.stringify(parts(head))];
        }"""
    )
    assert drawn[0] == drawn[1]
