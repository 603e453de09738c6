"""Draw single pieces: pyramids from the side, cubes, balls, flat pieces; and badges.

Pieces are drawn for a cell of 64 units, with the middle of their base at the origin, so the
drawings of equal pieces are equal and cached.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator
from typing import Final

from domain.scene import Colour, Piece
from replay.drawing.colours import PAINTS
from replay.drawing.descriptions import bare_code
from replay.drawing.flat_pieces import flat
from replay.drawing.svg_elements import at, circle, escape, path, polygon, words

CELL: Final = 64.0
"""The side of an ordinary cell."""

BASE: Final = (0.0, 28.0, 38.0, 49.0)
HEIGHT: Final = (0.0, 31.0, 41.0, 51.0)
"""The width and the height of a pyramid, by pips."""

LETTER: Final = (0.0, 11.5, 15.0, 18.0)
PIP: Final = 3.1

TIP: Final = 0.3
"""The part of a pyramid's height whose pattern shows the seat."""


def paint(thing: Piece, body: str) -> str:
    """Wrap a piece's drawing in its fill and ink, and its code for pages that move it."""
    return (
        f'<g class="pb-piece pb-{thing.colour}" data-piece="{escape(bare_code(thing))}">{body}</g>'
    )


@functools.lru_cache(maxsize=512)
def piece(thing: Piece) -> str:
    """Draw any piece with its badges, with its base at the origin."""
    if thing.shape == "ball":
        return at(0, -CELL / 2 + 6, loose(thing, 16))
    if thing.shape == "cube":
        return at(0, -CELL / 2 + 6, cube(thing.colour, 27))
    if thing.shape == "pyramid":
        return pyramid(thing)
    return paint(thing, at(0, -CELL / 2 + 6, flat(thing)))


def pyramid(thing: Piece, flat: float = 1.0) -> str:
    """Draw a pyramid from the side; `flat` scales its height.

    Its letter is above its pips; badges come last.
    """
    width, height = BASE[thing.size], HEIGHT[thing.size] * flat
    body = polygon("pb-body", (-width / 2, 0), (0, -height), (width / 2, 0))
    body += polygon("pb-shade", (width * 0.2, 0), (0, -height), (width / 2, 0))
    body += "".join(pips(thing.size, 0, -6))
    body += _tip(thing.colour, width * TIP / 2, height)
    size = LETTER[thing.size] * (1 + flat) / 2
    body += words("pb-letter", 0, -10.5 - size * 0.4, size, PAINTS[thing.colour].letter)
    return paint(thing, body + "".join(_badges(thing, height)))


def _tip(colour: Colour, half: float, height: float) -> str:
    """Draw the tip by seat: plain, light, dark, or half and half; bands mark seats from 5 on."""
    seat = int(colour.removeprefix("seat")) - 1 if colour.startswith("seat") else 0
    low = -height * (1 - TIP)
    left, top, right = (-half, low), (0.0, -height), (half, low)
    tips = (
        "",
        polygon("pb-tip-light", left, top, right),
        polygon("pb-tip-dark", left, top, right),
        polygon("pb-tip-light", left, top, right) + polygon("pb-tip-dark", (0, low), top, right),
    )
    bands = "".join(f"M{-half:g} {low + 4 * band:g}H{half:g}" for band in range(1, seat // 4 + 1))
    return tips[seat % 4] + (path("pb-band-line", bands) if bands else "")


def pips(count: int, x: float, y: float, radius: float = PIP) -> Iterator[str]:
    """Draw a row of dots around a point."""
    for index in range(count):
        yield circle("pb-pip", x + (index - (count - 1) / 2) * radius * 2.9, y, radius)


def _badges(thing: Piece, height: float) -> Iterator[str]:
    sides = iter(((19.0, -40.0), (-19.0, -40.0), (25.0, -18.0), (-25.0, -18.0)))
    for badge in thing.badges:
        if badge == "cap":
            yield _cap(BASE[thing.size], height)
        else:
            x, y = next(sides, (0.0, 0.0))
            yield at(x, y, ball(10.5) if badge == "ball" else _badge(badge))


def _cap(width: float, height: float) -> str:
    """Draw a pointed hat with a brim over the tip."""
    brim = -height * 0.64
    half = width * 0.18 + 3
    hat = polygon("pb-cap", (-half, brim), (0, -height - 5), (half, brim))
    line = f"M{-half - 4:g} {brim:g}H{half + 4:g}"
    return f'<g class="pb-badge-cap">{hat}{path("pb-brim", line)}{path("pb-braid", line)}</g>'


def loose(thing: Piece, radius: float) -> str:
    """Draw a ball on its own, around the origin."""
    return paint(thing, ball(radius))


def ball(radius: float) -> str:
    """Draw a football around the origin."""
    corners = [
        (math.sin(angle) * radius, -math.cos(angle) * radius)
        for angle in (index * math.tau / 5 for index in range(5))
    ]
    seams = "".join(
        f"M{x * 0.4:.2f} {y * 0.4:.2f}L{x * 0.95:.2f} {y * 0.95:.2f}" for x, y in corners
    )
    patch = polygon("pb-seam", *((x * 0.42, y * 0.42) for x, y in corners))
    drawn = circle("pb-ball", 0, 0, radius) + patch + path("pb-seam", seams)
    return f'<g class="pb-badge-ball">{drawn}</g>'


def _badge(name: str) -> str:
    """Draw `halted` as a stop sign, and an unknown badge as its first letter."""
    if name == "halted":
        sign = polygon("pb-halt", *_ring(8, 11.5, math.pi / 8))
        bar = '<rect class="pb-halt-bar" x="-7" y="-2.2" width="14" height="4.4"/>'
        return f'<g class="pb-badge-halted">{sign}{bar}</g>'
    letter = words("pb-shield-text", 0, 0, 12, name[:1].upper())
    return f'<g class="pb-badge-other">{circle("pb-shield", 0, 0, 10)}{letter}</g>'


def _ring(count: int, radius: float, turn: float) -> Iterator[tuple[float, float]]:
    for index in range(count):
        angle = turn + index * math.tau / count
        yield radius * math.sin(angle), -radius * math.cos(angle)


@functools.lru_cache(maxsize=64)
def cube(colour: Colour, edge: float) -> str:
    """Draw a cube as its three upper faces, with its near corner at the origin.

    A dark cube also has a line inside each face, for readers and printers without colour.
    """
    hexagon = tuple(_ring(6, edge, 0))
    top, right_top, right, bottom, left, left_top = hexagon
    near = (0.0, 0.0)
    faces = {
        "pb-gleam": (near, left_top, top, right_top),
        "pb-dusk": (near, left_top, left, bottom),
        "pb-night": (near, right_top, right, bottom),
    }
    body = polygon("pb-body", *hexagon)
    body += "".join(polygon(css, *corners) for css, corners in faces.items())
    if colour == "dark":
        body += "".join(polygon("pb-inset", *_shrink(corners)) for corners in faces.values())
    spokes = "".join(f"M0 0L{x:.2f} {y:.2f}" for x, y in (right_top, bottom, left_top))
    return paint(Piece("cube", colour), body + path("pb-crease", spokes))


def _shrink(corners: tuple[tuple[float, float], ...]) -> Iterator[tuple[float, float]]:
    x = sum(corner[0] for corner in corners) / len(corners)
    y = sum(corner[1] for corner in corners) / len(corners)
    for corner in corners:
        yield x + (corner[0] - x) * 0.62, y + (corner[1] - y) * 0.62
