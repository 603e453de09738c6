"""The replay page of a match, and ways to operate it."""

from __future__ import annotations

import json
from typing import Any

from msgspec import to_builtins

from domain.entry import move_text
from tests.browser.launch import OpenedMatch, Server
from tests.replay.formats.html.matches import long_match

PLAYERS = {"1": "Jet", "2": "Red"}


def first_tokens(slug: str, count: int) -> list[str]:
    """Return the texts of the first events of a long match."""
    match = long_match(slug)
    return [move_text.write(match.game, ply.event) for ply in match.line[:count]]


def record_match(server: Server, count: int, slug: str = "poptrix", **body: Any) -> OpenedMatch:
    """Open a match with the options of that long match, and record its first events."""
    long = long_match(slug)
    options = to_builtins(long.game.set_options(long.options))
    match = server.open(slug, players=PLAYERS, options=options, **body)
    server.play(match, *first_tokens(slug, count))
    return match


class ReplayPage:
    def __init__(
        self, server: Server, page: Any, match: OpenedMatch, token: str | None = None
    ) -> None:
        self.server, self.page, self.match = server, page, match
        if token:
            page.goto(f"{server.url}/join/{match.id}/{token}")

    def at(self, address: str = "", shown: int | str | None = None) -> ReplayPage:
        """Open the page and wait for its board."""
        self.page.goto("about:blank")
        self.page.goto(f"{self.server.url}/m/{self.match.id}/replay{address}")
        self.page.wait_for_selector(".controls:visible")
        if shown is not None:
            self.stands(shown)
        return self

    @property
    def here(self) -> str:
        """The stop named in the address."""
        return str(self.page.evaluate("location.hash.slice(1)"))

    @property
    def board(self) -> dict[str, str]:
        """The labels of the board by place, as screen readers say them."""
        told = self.page.evaluate(
            """() => JSON.stringify(Object.fromEntries(
            [...document.querySelectorAll('.stage .board .pb-cell')]
            .map((cell) => [cell.dataset.at, cell.getAttribute('aria-label')])))"""
        )
        return dict(json.loads(told))

    @property
    def listed(self) -> list[str]:
        """The moves of the main line in the list."""
        links = self.page.locator('.list [data-line=""] > a')
        return list(links.all_inner_texts())

    def stands(self, stop: int | str) -> None:
        """Wait until the page shows the board of a stop and marks it in the list."""
        ply = str(stop).rpartition("@")[2]
        self.page.wait_for_function(
            """([stop, ply]) => location.hash === '#' + stop
            && document.getElementById(stop)?.querySelector('[aria-current]')
            && document.querySelector('.stage .frame').dataset.ply === ply""",
            arg=[str(stop), ply],
        )

    def go(self, button: str) -> None:
        key = self.page.locator(f".controls [data-go={button}]")
        if not key.is_visible():
            self.page.locator("[data-go=more]").click()
        key.click()

    def tool(self, name: str) -> None:
        self.open_tools()
        self.page.locator(f"[data-tool={name}]").click()

    def open_tools(self) -> None:
        """Open the tools for the move, where there are several."""
        closed = self.page.locator("details.tools:not([open]) summary")
        if closed.count():
            closed.click()

    def place(self, at: str) -> Any:
        """The tappable spot of a place."""
        return self.page.locator(f'.stage .board .pb-cell[data-at="{at}"] .pb-hit')

    def stop(self, name: int | str) -> Any:
        """A move in the list."""
        return self.page.locator(f'.list [id="{name}"]')
