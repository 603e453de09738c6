"""The page that adjusts the position, operated by taps."""

from __future__ import annotations

from typing import Any

from tests.browser.launch import OpenedMatch, Server


class Adjusting:
    """The adjust page as the host sees it."""

    def __init__(self, server: Server, page: Any, match: OpenedMatch) -> None:
        self.page = page
        page.goto(f"{server.url}/join/{match.id}/{match.host}")
        page.goto(f"{server.url}/m/{match.id}/adjust")
        page.locator(".board .pb-cell[tabindex='0']").wait_for()

    @classmethod
    def at(cls, page: Any) -> Adjusting:
        """Return the page that a link has led to."""
        adjusting = cls.__new__(cls)
        adjusting.page = page
        page.locator(".board .pb-cell[tabindex='0']").wait_for()
        return adjusting

    def tap(self, *things: str) -> None:
        """Tap places of the board, supplies (`stash1 S`) and rows (`out`)."""
        for thing in things:
            self.find(thing).click()

    def find(self, thing: str) -> Any:
        at, _, what = thing.partition(" ")
        if what:
            return self.page.locator(f'.spot [data-at="{at}"][data-what="{what}"]')
        place = self.page.locator(f'.board .pb-cell[data-at="{at}"] .pb-hit')
        return place if place.count() else self.page.locator(f'[data-lay="{at}"]')

    def press(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).click()

    def says(self, words: str) -> None:
        """Wait until the description of the held thing contains these words."""
        self.page.locator(".hand .said", has_text=words).wait_for()

    def tells(self, words: str) -> None:
        """Wait until a message of the page or the form contains these words."""
        self.page.locator(
            f".whose:has-text('{words}'), .notice:has-text('{words}')"
        ).first.wait_for()

    def label(self, at: str) -> str:
        """Return what a screen reader says of a place."""
        place = self.page.locator(f'.board .pb-cell[data-at="{at}"]')
        return str(place.get_attribute("aria-label"))

    def stands(self, words: str) -> None:
        """Wait until a place has this label, its name first: `d4, large of Jet`."""
        self.page.locator(f'.board .pb-cell[aria-label^="{words}"]').wait_for()

    def save(self, reason: str) -> None:
        self.page.get_by_label("Reason").fill(reason)
        self.press("Save")
