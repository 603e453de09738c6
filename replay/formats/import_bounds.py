"""Limits of an import: a few hundred kilobytes of text can hold thousands of forks."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

FEWER: Final = "import fewer records at a time, or leave variations out"


class Bounds(Struct, frozen=True):
    """The limits of one import; 0 means no limit.

    `variations` counts those of text records and the forks of archives, `depth` their nesting,
    `events` all events including those of variations.
    """

    variations: int = 0
    depth: int = 0
    events: int = 0


UNBOUNDED: Final = Bounds()


class Tally:
    """Counts variations and events while they are read; methods return why one is too many."""

    def __init__(self, bounds: Bounds) -> None:
        self._bounds = bounds
        self._variations = 0
        self._events = 0

    def add_variation(self, depth: int) -> str | None:
        """Count a variation or a fork; one that leaves the main line has depth 1."""
        self._variations += 1
        most, deepest = self._bounds.variations, self._bounds.depth
        if deepest and depth > deepest:
            return f"variations nest at most {deepest} deep here; leave the deeper ones out"
        if most and self._variations > most:
            return f"at most {most} variations are imported at once, and here is one more; {FEWER}"
        return None

    def add_event(self) -> str | None:
        """Count an event."""
        self._events += 1
        most = self._bounds.events
        if most and self._events > most:
            return f"at most {most} events are imported at once, and here is one more; {FEWER}"
        return None
