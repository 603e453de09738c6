"""Numbers with their nouns."""

from __future__ import annotations


def count(number: int, one: str, many: str = "") -> str:
    """Return a number with its noun, by default with an s for many: "1 ply", "2 events"."""
    return f"{number} {one if number == 1 else many or f'{one}s'}"
