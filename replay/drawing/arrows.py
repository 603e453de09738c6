"""Draw arrows between places: moves, pushes, hops, passes and failed moves.

The arrows of annotations (`note`) begin with a ring.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from domain.scene import Arrow
from replay.drawing.svg_elements import circle, escape, number, path, polygon

Point = tuple[float, float]

TRIM: Final = {
    "pass": (14.0, 18.0),
    "failed": (20.0, 6.0),
    "push": (22.0, 12.0),
    "note": (9.0, 9.0),
}
"""The distances of an arrow's ends from the middles of its squares."""

ASIDE: Final = 4.0
"""The offset of an arrow to its right, so that opposite arrows do not cover each other."""


def arrows(ways: Iterable[Arrow], places: Mapping[str, Point]) -> Iterator[str]:
    """Draw the arrows whose start lies on this panel."""
    for way in ways:
        start = places.get(way.start)
        if way.kind == "note" and way.end not in places:
            continue  # the panel that has both ends draws it
        if start is not None:
            end = places.get(way.end, start)
            colour = f" pb-seat{way.seat}" if way.seat else ""
            shape = _stuck(start) if end == start else _way(way.kind, start, end)
            yield f'<g class="pb-way pb-way-{escape(way.kind)}{colour}">{shape}</g>'


def _way(kind: str, start: Point, end: Point) -> str:
    length = math.dist(start, end)
    along = ((end[0] - start[0]) / length, (end[1] - start[1]) / length)
    before, after = TRIM.get(kind, (12.0, 16.0))
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
    return line + _head("pb-head-open", tip, along) + _cross(middle)


def _stuck(place: Point) -> str:
    """Draw a failed move without a destination, such as off the board."""
    return _cross((place[0], place[1] + 18))


def _cross(place: Point) -> str:
    d = f"M{_at((place[0] - 6, place[1] - 6))}l12 12M{_at((place[0] + 6, place[1] - 6))}l-12 12"
    return path("pb-cross-halo", d) + path("pb-cross", d)
