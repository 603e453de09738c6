"""Draw marks on places; colour never is the only sign."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from domain.scene import Mark
from replay.drawing.svg_elements import circle, escape, path, polygon, rectangle, words

FRAMED: Final = {"to": "pb-to", "from": "pb-from", "ball": "pb-to"}
"""The marks that highlight their whole square, with their frame's class."""

SIGN: Final = {"due": "!", "failed": "/", "removed": "×", "differs": "≠"}
"""The signs on the flags of other marks; an unknown mark shows its initial."""


def by_place(marks: Iterable[Mark]) -> dict[str, list[str]]:
    """Return the kinds of marks by place, without duplicates.

    >>> by_place([Mark("c3", "to"), Mark("c3", "ball"), Mark("c3", "to")])
    {'c3': ['to', 'ball']}
    """
    kinds: dict[str, list[str]] = {}
    for at, kind in dict.fromkeys((mark.at, mark.kind) for mark in marks):
        kinds.setdefault(at, []).append(kind)
    return kinds


Outline = Callable[[str, float, float], str]
"""Draws the outline of a cell, from its class, its inset and the radius of its corners."""


def glow(kind: str, outline: Outline) -> str:
    """Highlight the bare square of a cell."""
    return outline("pb-glow", 1, 0) if kind in FRAMED else ""


def frame(kind: str, outline: Outline) -> str:
    """Draw the outline of a mark, under the pieces of the cell."""
    if kind == "removed":
        return ""
    return f'<g class="pb-mark-{escape(kind)}">{outline(_frame(kind), 2, 3)}</g>'


def _frame(kind: str) -> str:
    return FRAMED.get(kind, "pb-due")


def over(kind: str, width: float, height: float) -> str:
    """Draw a mark over the pieces: a cross for `removed`, a flag for the kinds without a frame."""
    if kind == "removed":
        return _cross(width, height)
    return "" if kind in FRAMED else flag(kind, 12, height - 12)


def beside(kind: str, width: float, height: float) -> str:
    """Draw the flag small in a corner, so that it does not hide the pieces."""
    drawn = "" if kind in FRAMED else flag(kind, width - 12, height - 12)
    return f'<g class="pb-mark-removed">{drawn}</g>' if kind == "removed" else drawn


def flag(kind: str, x: float, y: float) -> str:
    """Draw a disc with the sign of a mark."""
    letter = SIGN.get(kind, kind[:1].upper())
    return circle("pb-flag", x, y, 9) + words("pb-shield-text", x, y, 13, letter)


def _cross(width: float, height: float) -> str:
    x, y = width / 2, height / 2
    d = f"M{x - 15:g} {y - 15:g}l30 30M{x + 15:g} {y - 15:g}l-30 30"
    return f'<g class="pb-mark-removed">{path("pb-cross-halo", d)}{path("pb-cross", d)}</g>'


def around(kind: str, corners: tuple[tuple[float, float], ...]) -> str:
    """Draw a mark as the outline of a polygon around the origin."""
    if kind == "removed":
        return _cross(0, 0)
    outline = polygon(_frame(kind), *corners)
    due = "" if kind in FRAMED else flag(kind, 0, -20)
    return f'<g class="pb-mark-{escape(kind)}">{outline}{due}</g>'


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
