"""Limits of an import: a few hundred kilobytes of text can hold thousands of forks."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

FEWER: Final = "import fewer records at a time, or leave variations out"


class Bounds(Struct, frozen=True):
    """The limits of one import; 0 means no limit.

    `variations` counts the variations of text records and the forks of archives, `depth` their
    nesting, `events` the events of all lines.
    """

    variations: int = 0
    depth: int = 0
    events: int = 0


UNBOUNDED: Final = Bounds()


class Tally:
    """Counts variations and events while they are read; methods return why one is too many."""

    def __init__(self, bounds: Bounds = UNBOUNDED) -> None:
        self._bounds = bounds
        self.variations = 0
        self.events = 0
        self.guesses = 0
        """How many moves were tried in positions that are not known."""

    def take(self, variations: int, events: int) -> bool:
        """Count variations and events that were read elsewhere, unless they are too many."""
        variations, events = variations + self.variations, events + self.events
        bounds = self._bounds
        if (bounds.variations and variations > bounds.variations) or (
            bounds.events and events > bounds.events
        ):
            return False
        self.variations, self.events = variations, events
        return True

    def add_variation(self, depth: int) -> str | None:
        """Count a variation or a fork; a variation of the main line has depth 1."""
        self.variations += 1
        most, deepest = self._bounds.variations, self._bounds.depth
        if deepest and depth > deepest:
            return f"variations nest at most {deepest} deep here; leave the deeper ones out"
        if most and self.variations > most:
            return f"one import has at most {most} variations, and this one has more; {FEWER}"
        return None

    def add_event(self) -> str | None:
        """Count an event against the bounds of an import."""
        self.events += 1
        most = self._bounds.events
        if most and self.events > most:
            return f"one import has at most {most} events, and this one has more; {FEWER}"
        return None
