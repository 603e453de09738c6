"""Draw the marks of annotations on a place: a ring around its pieces, or a label above them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from domain.scene import Mark
from replay.drawing.svg_elements import circle, rectangle, words

NOTES: Final = ("circle", "label")
"""The kinds of mark drawn here."""

LETTER: Final = 9.5
"""The width of a letter of a label."""


def noted(marks: Iterable[Mark]) -> Mapping[str, Sequence[Mark]]:
    """Return the annotation marks by place, without duplicates."""
    found: dict[str, list[Mark]] = defaultdict(list)
    for mark in dict.fromkeys(marks):
        if mark.kind in NOTES:
            found[mark.at].append(mark)
    return found


def notes(marks: Iterable[Mark], width: float, height: float) -> str:
    """Draw annotation marks over a cell of this size, its upper left corner at the origin."""
    return "".join(
        _ring(width, height) if mark.kind == "circle" else _label(mark.text, width)
        for mark in marks
    )


def _ring(width: float, height: float) -> str:
    x, y, radius = width / 2, height / 2, min(width, height) / 2 - 3
    halo, ring = circle("pb-ring-halo", x, y, radius), circle("pb-ring", x, y, radius)
    return f'<g class="pb-mark-circle">{halo}{ring}</g>'


def _label(text: str, width: float) -> str:
    wide = LETTER * len(text) + 8
    plate = rectangle("pb-plate", (width - wide) / 2, 2, wide, 17, round_=4)
    return (
        f'<g class="pb-mark-label">{plate}{words("pb-plate-text", width / 2, 10.5, 14, text)}</g>'
    )
