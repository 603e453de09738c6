"""Draw arrows between places: they end next to the pieces there, and run behind pieces between.

The arrows of annotations (`note`) begin with a ring.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from domain.scene import Arrow
from replay.drawing.svg_elements import circle, escape, number, path, polygon

Point = tuple[float, float]


class Reach(NamedTuple):
    """The middle of a place, and how far its pieces reach from there to both sides, up and down."""

    x: float
    y: float
    wide: float = 0.0
    high: float = 0.0


class Ray(NamedTuple):
    """A line from a point in a direction; its points are named by their distance."""

    start: Point
    along: Point

    def at(self, far: float, aside: float = 0.0) -> Point:
        """Return the point at a distance along the line, and `aside` to the right of it."""
        return _off(self.start, self.along, far, aside)

    def across(self, spot: Reach) -> tuple[float, float] | None:
        """Return where the line enters and leaves the pieces of a place, if it meets them."""
        near, far = -math.inf, math.inf
        reaches = (spot.x, spot.wide), (spot.y, spot.high)
        for (middle, reach), start, step in zip(reaches, self.start, self.along, strict=True):
            if abs(step) > SLANT:
                ends = sorted((middle - start + side) / step for side in (-reach, reach))
                near, far = max(near, ends[0]), min(far, ends[1])
            elif abs(middle - start) >= reach:
                return None
        return (near, far) if near < far else None


SLANT: Final = 1e-6

TRIM: Final = {
    "pass": (14.0, 24.0),
    "hop": (12.0, 28.0),
    "failed": (20.0, 6.0),
    "push": (22.0, 12.0),
    "note": (9.0, 9.0),
}
"""The least distances of an arrow's ends from the middles of its squares."""

BESIDE: Final = (12.0, 28.0)
"""The least distances of the ends of a move's arrow, whose head is next to the piece that moved."""

ASIDE: Final = 4.0
"""The offset of an arrow to its right, so that opposite arrows do not cover each other."""

SHORTEST: Final = 22.0
"""The least length of an arrow, even between pieces that leave less room."""

SEEN: Final = 4.0
"""The least length of a part of a line, between two pieces, that is worth drawing."""


def arrows(ways: Iterable[Arrow], places: Mapping[str, Reach]) -> Iterator[str]:
    """Draw the arrows that start on this panel."""
    held = [spot for spot in places.values() if spot.wide]
    for way in ways:
        start = places.get(way.start)
        if way.kind != "failed" and way.end not in places:
            continue  # only a panel that has both ends draws it
        if start is not None:
            end = places.get(way.end, start)
            colour = f" pb-seat{way.seat}" if way.seat else ""
            shape = _stuck(start) if end is start else _way(way.kind, start, end, held)
            ends_ = f' data-way="{escape(way.start)} {escape(way.end)}"'
            yield f'<g class="pb-way pb-way-{escape(way.kind)}{colour}"{ends_}>{shape}</g>'


def _way(kind: str, start: Reach, end: Reach, held: Sequence[Reach]) -> str:
    length = math.dist(start[:2], end[:2])
    along = ((end.x - start.x) / length, (end.y - start.y) / length)
    ray = Ray(_off(start[:2], along, 0, 0 if kind == "note" else ASIDE), along)
    before, after = TRIM.get(kind, BESIDE)
    if kind in ("pass", "hop"):
        return _curve(kind, ray.at(before), ray.at(length - after), length)
    if kind == "failed":
        return _cut(ray.at(before), ray.at(length - after), along)
    tail, tip = _beside(ray, start, end, before, length - after)
    between = [spot for spot in held if spot not in (start, end)]
    size = 1.25 if kind == "push" else 1.0
    drawn = _straight(kind, ray, between, tail, tip)
    return drawn + _head("pb-head", ray.at(tip), along, size)


def _beside(ray: Ray, start: Reach, end: Reach, tail: float, tip: float) -> tuple[float, float]:
    """Return the ends of a line, moved out of the pieces at both, but not too near each other."""
    behind, before = ray.across(start), ray.across(end)
    tail = max(tail, behind[1]) if behind else tail
    tip = min(tip, before[0]) if before else tip
    spread = max(0.0, SHORTEST - (tip - tail)) / 2
    return tail - spread, tip + spread


def _straight(kind: str, ray: Ray, between: Iterable[Reach], tail: float, tip: float) -> str:
    """Draw a line up to its head; a note begins with a ring, a pushing hand with a bar."""
    first, last = (tail + 5, tip - 9) if kind == "note" else (tail, tip - 7)
    hidden = filter(None, map(ray.across, between))
    parts = _seen(first, last, sorted(hidden))
    d = "".join(f"M{_at(ray.at(one))}L{_at(ray.at(other))}" for one, other in parts)
    if kind == "push":
        d += f"M{_at(ray.at(tail, 8))}L{_at(ray.at(tail, -8))}"
    ring = circle("pb-head-open", *ray.at(tail), 5) if kind == "note" else ""
    return _line(d, kind) + ring


def _seen(
    first: float, last: float, hidden: Iterable[tuple[float, float]]
) -> Iterator[tuple[float, float]]:
    """Yield the parts of a line that no piece hides, from its first point on."""
    for near, far in hidden:
        if min(near, last) - first >= SEEN:
            yield first, min(near, last)
        first = max(first, far)
    if last - first >= SEEN:
        yield first, last


def _off(point: Point, along: Point, forward: float, aside: float = ASIDE) -> Point:
    x, y = along
    return point[0] + x * forward - y * aside, point[1] + y * forward + x * aside


def _at(point: Point) -> str:
    return f"{number(point[0])} {number(point[1])}"


def _line(d: str, kind: str) -> str:
    if not d:
        return ""
    return path("pb-halo", d) + path(f"pb-arrow pb-arrow-{kind}", d)


def _head(css: str, tip: Point, along: Point, size: float = 1.0) -> str:
    back = _off(tip, along, -14 * size, 0)
    left, right = _off(back, along, 0, 8 * size), _off(back, along, 0, -8 * size)
    return polygon(css, tip, left, right)


def _curve(kind: str, tail: Point, tip: Point, length: float) -> str:
    """Draw a curve for a flight: an open head for a ball, a full head for a hop."""
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


def _stuck(place: Reach) -> str:
    """Draw a failed move without a destination, such as off the board."""
    return _failed_cross((place.x, place.y + 18))


def _failed_cross(place: Point) -> str:
    d = f"M{_at((place[0] - 6, place[1] - 6))}l12 12M{_at((place[0] + 6, place[1] - 6))}l-12 12"
    return path("pb-cross-halo", d) + path("pb-cross", d)
