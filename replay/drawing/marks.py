"""Draw marks on places and arrows between them; colour never is the only sign.

The arrows of annotations (`note`) begin with a ring.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

from domain.scene import Arrow, Mark
from replay.drawing.svg_elements import circle, escape, number, path, polygon, rectangle, words

FRAMED: Final = {"to": "pb-to", "from": "pb-from", "ball": "pb-to"}
"""The marks that highlight their whole square, with their frame's class."""

SIGN: Final = {"due": "!", "failed": "/", "removed": "×", "differs": "≠"}
"""The signs on the flags of other marks; an unknown mark shows its initial."""


def by_place(marks: Iterable[Mark]) -> dict[str, list[str]]:
    """Return the kinds of marks by place, without duplicates."""
    kinds: dict[str, list[str]] = {}
    for at, kind in dict.fromkeys((mark.at, mark.kind) for mark in marks):
        kinds.setdefault(at, []).append(kind)
    return kinds


Outline = Callable[[str, float, float], str]
"""Draws the outline of a cell: its class, how far inside of the cell it is, how round."""


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
    """Draw a mark over the pieces: the cross of `removed`, the flag of others."""
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


Point = tuple[float, float]

TRIM: Final = {
    "pass": (14.0, 24.0),
    "hop": (12.0, 28.0),
    "failed": (20.0, 6.0),
    "push": (22.0, 12.0),
    "note": (9.0, 9.0),
}
"""The distances of an arrow's ends from the middles of its squares."""

BESIDE: Final = (12.0, 28.0)
"""Those of a move: its head is beside the piece that moved."""

ASIDE: Final = 4.0
"""The offset of an arrow to its right, so that opposite arrows do not cover each other."""


def arrows(ways: Iterable[Arrow], places: Mapping[str, Point]) -> Iterator[str]:
    """Draw the arrows whose start lies on this panel."""
    for way in ways:
        start = places.get(way.start)
        if way.kind != "failed" and way.end not in places:
            continue  # only a panel that has both ends draws it
        if start is not None:
            end = places.get(way.end, start)
            colour = f" pb-seat{way.seat}" if way.seat else ""
            shape = _stuck(start) if end == start else _way(way.kind, start, end)
            ends_ = f' data-way="{escape(way.start)} {escape(way.end)}"'
            yield f'<g class="pb-way pb-way-{escape(way.kind)}{colour}"{ends_}>{shape}</g>'


def _way(kind: str, start: Point, end: Point) -> str:
    length = math.dist(start, end)
    along = ((end[0] - start[0]) / length, (end[1] - start[1]) / length)
    before, after = TRIM.get(kind, BESIDE)
    tail = _off(start, along, before)
    tip = _off(end, along, -after)
    if kind in ("pass", "hop"):
        return _curve(kind, tail, tip, length)
    if kind == "note":
        tail, tip = _off(start, along, before, 0), _off(end, along, -after, 0)
        line = f"M{_at(_off(tail, along, 5, 0))}L{_at(_off(tip, along, -9, 0))}"
        return _line(line, kind) + circle("pb-head-open", *tail, 5) + _head("pb-head", tip, along)
    if kind == "failed":
        return _cut(tail, tip, along)
    line = f"M{_at(tail)}L{_at(_off(tip, along, -7, 0))}"
    if kind == "push":
        # A bar across the tail stands for the pushing hand.
        line += f"M{_at(_off(tail, along, 0, 8))}L{_at(_off(tail, along, 0, -8))}"
    size = 1.25 if kind == "push" else 1.0
    return _line(line, kind) + _head("pb-head", tip, along, size)


def _off(point: Point, along: Point, forward: float, aside: float = ASIDE) -> Point:
    x, y = along
    return point[0] + x * forward - y * aside, point[1] + y * forward + x * aside


def _at(point: Point) -> str:
    return f"{number(point[0])} {number(point[1])}"


def _line(d: str, kind: str) -> str:
    return path("pb-halo", d) + path(f"pb-arrow pb-arrow-{kind}", d)


def _head(css: str, tip: Point, along: Point, size: float = 1.0) -> str:
    back = _off(tip, along, -14 * size, 0)
    left, right = _off(back, along, 0, 8 * size), _off(back, along, 0, -8 * size)
    return polygon(css, tip, left, right)


def _curve(kind: str, tail: Point, tip: Point, length: float) -> str:
    """Draw a flight, bent to the side: a ball's with an open head, a hop's with a full one."""
    middle = ((tail[0] + tip[0]) / 2, (tail[1] + tip[1]) / 2)
    straight = ((tip[0] - tail[0]) / length, (tip[1] - tail[1]) / length)
    bend = _off(middle, straight, 0, -0.22 * length)
    into = (tip[0] - bend[0], tip[1] - bend[1])
    size = math.hypot(*into) or 1.0
    along = (into[0] / size, into[1] / size)
    d = f"M{_at(tail)}Q{_at(bend)} {_at(_off(tip, along, -10, 0))}"
    return _line(d, kind) + _head("pb-head-open" if kind == "pass" else "pb-head", tip, along)


def _cut(tail: Point, tip: Point, along: Point) -> str:
    """Draw a failed move: dashed, with an open head, crossed out."""
    middle = ((tail[0] + tip[0]) / 2 - along[0] * 4, (tail[1] + tip[1]) / 2 - along[1] * 4)
    line = _line(f"M{_at(tail)}L{_at(_off(tip, along, -10, 0))}", "failed")
    return line + _head("pb-head-open", tip, along) + _failed_cross(middle)


def _stuck(place: Point) -> str:
    """Draw a failed move without a destination, such as off the board."""
    return _failed_cross((place[0], place[1] + 18))


def _failed_cross(place: Point) -> str:
    d = f"M{_at((place[0] - 6, place[1] - 6))}l12 12M{_at((place[0] + 6, place[1] - 6))}l-12 12"
    return path("pb-cross-halo", d) + path("pb-cross", d)
