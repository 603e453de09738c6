"""Segments: which streams' events a fork reads. They follow from where streams fork."""

from __future__ import annotations

from collections.abc import Iterable

from replay.store.validation import LAST

Segment = tuple[int, int, int]
"""Versions `lo` to `hi` of a stream are events of a third one, or its own."""


def segments_by_stream(streams: Iterable[tuple[int, int | None, int]]) -> dict[int, list[Segment]]:
    """Return the segments of streams: number, parent and version of the fork, oldest first."""
    found: dict[int, list[Segment]] = {}
    for number, parent, base in streams:
        above = found.get(parent, []) if parent is not None else []
        shared = [(lo, min(hi, base), src) for lo, hi, src in above if lo <= base]
        found[number] = [*shared, (base + 1, LAST, number)]
    return found
