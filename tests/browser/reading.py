"""A match as it is read in a browser: what the page shows, and ways to work it."""

from __future__ import annotations

import json
from typing import Any

from domain.entry import tokens
from tests.browser.serving import Opened, Server
from tests.replay.formats.html.matches import long_match

PLAYERS = {"1": "Jet", "2": "Red"}


def moves(slug: str, count: int) -> list[str]:
    """Return the tokens of the first events of a long match that is by the rules."""
    match = long_match(slug)
    return [tokens.write(match.game, ply.event) for ply in match.line[:count]]


def recorded(server: Server, count: int, slug: str = "poptrix", **body: Any) -> Opened:
    """Record so many events of that match."""
    match = server.open(slug, players=PLAYERS, **body)
    server.play(match, *moves(slug, count))
    return match


class Reading:
    """The page on which a match is read."""

    def __init__(self, server: Server, page: Any, match: Opened, token: str | None = None) -> None:
        self.server, self.page, self.match = server, page, match
        if token:
            page.goto(f"{server.url}/join/{match.id}/{token}")

    def at(self, address: str = "", shown: int | str | None = None) -> Reading:
        """Open the page, and wait until a board is there."""
        self.page.goto("about:blank")
        self.page.goto(f"{self.server.url}/m/{self.match.id}/replay{address}")
        self.page.wait_for_selector(".controls:visible")
        if shown is not None:
            self.stands(shown)
        return self

    @property
    def here(self) -> str:
        """The stop that the address names."""
        return str(self.page.evaluate("location.hash.slice(1)"))

    @property
    def board(self) -> dict[str, str]:
        """What the board shows, by place, as screen readers say it."""
        told = self.page.evaluate(
            """() => JSON.stringify(Object.fromEntries(
            [...document.querySelectorAll('.stage .board .pb-cell')]
            .map((cell) => [cell.dataset.at, cell.getAttribute('aria-label')])))"""
        )
        return dict(json.loads(told))

    @property
    def listed(self) -> list[str]:
        """The moves of the main line, as the list has them."""
        links = self.page.locator('.list [data-line=""] > a')
        return list(links.all_inner_texts())

    def stands(self, stop: int | str) -> None:
        """Wait until the board of a stop is shown, and the list marks it."""
        ply = str(stop).rpartition("@")[2]
        self.page.wait_for_function(
            """([stop, ply]) => location.hash === '#' + stop
            && document.getElementById(stop)?.querySelector('[aria-current]')
            && document.querySelector('.stage .frame').dataset.ply === ply""",
            arg=[str(stop), ply],
        )

    def go(self, button: str) -> None:
        self.page.locator(f".controls [data-go={button}]").click()

    def tool(self, name: str) -> None:
        self.page.locator(f"[data-tool={name}]").click()

    def place(self, at: str) -> Any:
        """The spot of a place that takes taps."""
        return self.page.locator(f'.stage .board .pb-cell[data-at="{at}"] .pb-hit')

    def stop(self, name: int | str) -> Any:
        """A move in the list."""
        return self.page.locator(f'.list [id="{name}"]')
