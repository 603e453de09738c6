"""Draw several pieces on one square: a fanned stack, a nest from above, bound and flat pieces."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Final

from domain.scene import Cell, Piece
from replay.drawing.colours import PAINTS
from replay.drawing.flat_pieces import FLAT_SHAPES
from replay.drawing.pieces import BASE, CELL, HEIGHT, loose, paint, piece, pips, pyramid
from replay.drawing.svg_elements import at, circle, polygon, rectangle, words

FLAT: Final = (0.0, 0.97, 0.84, 0.8)
"""The height of the top of a stack relative to a single pyramid, by pips."""

STEP: Final = 15.0
"""The largest visible strip of a covered pyramid."""

THIN: Final = 11.0
"""The smallest visible strip of a covered pyramid."""

EDGE: Final = 5.0
HIGHEST: Final = 22.0
"""The largest visible edge of a covered flat piece, and of all covered pieces together."""

RING: Final = (0.0, 21.0, 38.0, 55.0)
"""The side of a pyramid seen from above, by pips."""


def pieces(cell: Cell, width: float, height: float) -> str:
    """Draw the pieces on a cell of this size, its upper left corner at the origin."""
    if not cell.pieces:
        return ""
    balls = [thing for thing in cell.shown if thing.shape == "ball"]
    others = tuple(thing for thing in cell.shown if thing.shape != "ball")
    counted = at(width / 2, height / 2, count_pill(cell.height, 18, -21)) if cell.height else ""
    if not others:
        return at(width / 2, height / 2 + CELL / 2 - 6, "".join(map(piece, balls))) + counted
    arrangement = "stack" if cell.height else cell.arrangement
    drawn = _arrange(others, arrangement, width, height) + counted
    return drawn + "".join(at(width - 13, height - 13, loose(ball, 10.5)) for ball in balls)


def reach(things: Sequence[Piece]) -> float:
    """Return how far pieces reach to both sides of the middle of their cell."""
    return max((BASE[thing.size] or BASE[3] for thing in things), default=0.0) / 2


@functools.lru_cache(maxsize=2048)
def _arrange(things: tuple[Piece, ...], arrangement: str, width: float, height: float) -> str:
    if arrangement == "nest" and len(things) > 1:
        return at(width / 2, height / 2, f'<g class="pb-turn">{nest(things)}</g>')
    if arrangement == "bound":
        drawn = at(-width / 2, -height / 2, bound(things, width, height))
        return at(width / 2, height / 2, f'<g class="pb-turn">{drawn}</g>')
    if things[-1].shape in FLAT_SHAPES:
        return at(width / 2, height / 2, heap(things))
    if len(things) > 1 or height > CELL:
        scale = width / CELL * 1.04
        return at(width / 2, height - 9, f'<g transform="scale({scale:g})">'
                  f"{fan(things, (height - 15) / scale)}</g>")  # fmt: skip
    return at(width / 2, height - 6, piece(things[0]))


def heap(things: Sequence[Piece]) -> str:
    """Draw flat pieces around the origin, with an edge of each covered piece, and their number."""
    step = min(EDGE, HIGHEST / len(things))
    lowest = CELL / 2 - 6 + step * (len(things) - 1) / 2
    body = "".join(at(0, lowest - step * index, piece(thing)) for index, thing in enumerate(things))
    if len(things) == 1:
        return body
    return f'<g class="pb-turn">{body}{count_pill(len(things), 18, -21)}</g>'


def fan(things: Sequence[Piece], height: float) -> str:
    """Draw a stack from the side, based at the origin, with a visible strip of every piece."""
    *covered, top = things
    if not covered:
        return piece(top)
    flat = _flat(top, height - THIN * len(covered))
    step = min(STEP, (height - HEIGHT[top.size] * flat) / len(covered))
    strips = (at(0, -step * index, _strip(thing, step)) for index, thing in enumerate(covered))
    crest = pyramid(top, flat) if top.shape == "pyramid" else piece(top)
    return "".join(strips) + at(0, -step * len(covered), crest)


def _flat(top: Piece, height: float) -> float:
    """Return the scale of the top piece for the height that is left, within limits."""
    return max(FLAT[top.size] * 0.76, min(FLAT[top.size], height / (HEIGHT[top.size] or CELL)))


@functools.lru_cache(maxsize=512)
def _strip(thing: Piece, step: float) -> str:
    """Draw the lowest part of a pyramid with its letter and pips side by side."""
    width = BASE[thing.size]
    upper = width * (1 - (step + 1) / HEIGHT[3] * 0.8)
    top = -step - 1
    body = polygon("pb-body", (-width / 2, 0), (-upper / 2, top), (upper / 2, top), (width / 2, 0))
    body += polygon(
        "pb-shade", (width * 0.36, 0), (upper * 0.34, top), (upper / 2, top), (width / 2, 0)
    )
    size = min(11.0, step * 0.98)
    left = -1.8 * thing.size - 2.2
    body += words("pb-letter", left, -step / 2, size, PAINTS[thing.colour].letter)
    body += "".join(
        pips(thing.size, left + 5.5 + 3.4 * thing.size, -step / 2, min(2.5, step * 0.24))
    )
    return paint(thing, body)


def nest(things: Sequence[Piece]) -> str:
    """Draw pyramids inside each other from above, around the origin, outermost first."""
    body = "".join(_ring(thing) for thing in things)
    chip = circle("pb-chip", -21.5, 21.5, 9.5)
    letter = words("pb-letter", -21.5, 21.5, 14.5, PAINTS[things[0].colour].letter)
    owner = f'<g class="pb-{things[0].colour}">{chip}{letter}</g>'
    return f'<g class="pb-nest">{body}</g>{owner}{_strength(things, 23, -23)}'


def _ring(thing: Piece) -> str:
    half = RING[thing.size] / 2
    body = rectangle("pb-body", -half, -half, 2 * half, 2 * half, round_=2)
    body += polygon("pb-gleam", (-half, -half), (0, 0), (-half, half))
    body += polygon("pb-shade", (half, -half), (0, 0), (half, half))
    body += polygon("pb-dusk", (-half, half), (0, 0), (half, half))
    y = 0.0 if thing.size == 1 else half - 4.4
    return paint(thing, body + "".join(pips(thing.size, 0, y, 2.7)))


def bound(things: Sequence[Piece], width: float, height: float) -> str:
    """Draw bound pieces: a stack from the side inside a heavy frame."""
    frame = rectangle("pb-band", 5.5, 5.5, width - 11, height - 11, round_=11)
    scale = 0.92
    stack = f'<g transform="scale({scale:g})">{fan(things, (height - 17) / scale)}</g>'
    stack = at(width / 2, height - 9.5, stack)
    strength = at(width / 2, height / 2, _strength(things, 21, -21))
    return f'<g class="pb-bound">{frame}{stack}</g>{strength}'


def _strength(things: Sequence[Piece], x: float, y: float) -> str:
    """Write the sum of all pips on a dark pill."""
    return f'<g class="pb-strength">{count_pill(sum(thing.size for thing in things), x, y)}</g>'


def count_pill(number: int, x: float, y: float) -> str:
    """Write a number on a dark pill."""
    half = max(8, 4 * len(str(number)))
    pill = rectangle("pb-shield", x - half, y - 8, 2 * half, 16, round_=5)
    return pill + words("pb-shield-text", x, y, 13, str(number))
