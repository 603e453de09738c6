"""Draw the backgrounds of places: home rows, goals, starting squares, walls."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Final, NamedTuple

from domain.scene import Cell, Grid
from replay.drawing.svg_elements import circle, path, polygon, rectangle, words


class Ground(NamedTuple):
    """A kind of place and the seat that owns it (0: none)."""

    kind: str
    seat: int


def look(cell: Cell) -> Ground:
    """Return the background that a place is drawn with, from a name such as `home1`.

    >>> look(Cell("a1", 0, 0, ground="home1"))
    Ground(kind='home', seat=1)
    """
    kind = cell.ground.rstrip("0123456789")
    return Ground(cell.look or kind, int(cell.ground[len(kind) :] or 0))


def is_dark(panel: Grid, cell: Cell) -> bool:
    """Return whether a place is a dark square of a chequered board."""
    return panel.chequered and (cell.column + cell.row) % 2 == 0


@functools.lru_cache(maxsize=256)
def ground(known: Ground, width: float, height: float) -> str:
    """Draw the background of a place, with its upper left corner at the origin."""
    kind, seat = known
    draw = KINDS.get(kind)
    if draw is None:
        return ""
    colour = f"pb-seat{seat}" if seat else "pb-black"
    return f'<g class="pb-ground-{kind} {colour}">{draw(width, height, seat)}</g>'


def _home(width: float, height: float, seat: int) -> str:
    return rectangle("pb-tint", 0, 0, width, height) + _owner(seat)


def _start(width: float, height: float, seat: int) -> str:
    edge = rectangle("pb-tint-edge", 3, 3, width - 6, height - 6, round_=4)
    return _home(width, height, seat) + edge


def _corner(width: float, height: float, seat: int) -> str:
    inner = rectangle("pb-tint-edge", 8, 8, width - 16, height - 16, round_=3)
    return _start(width, height, seat) + inner


def _goal(width: float, height: float, seat: int) -> str:
    """Draw a net."""
    lines = [f"M{x:g} 0V{height:g}" for x in range(8, int(width), 8)]
    lines += [f"M0 {y:g}H{width:g}" for y in range(8, int(height), 8)]
    tint = rectangle("pb-tint", 0, 0, width, height)
    return tint + path("pb-net", "".join(lines)) + _owner(seat)


def _open(width: float, height: float, seat: int) -> str:
    return rectangle("pb-open", 5, 5, width - 10, height - 10, round_=5)


def _wall(width: float, height: float, seat: int) -> str:
    """Draw a wall all around, and a shield with the seat's number."""
    rubble = rectangle("pb-rubble", 0, 0, width, height)
    wall = rectangle("pb-wall", 4, 4, width - 8, height - 8)
    shield = polygon("pb-shield", (3, 3), (25, 3), (25, 18), (14, 28), (3, 18))
    return rubble + wall + shield + words("pb-shield-text", 14, 13.5, 15, str(seat))


def _star(width: float, height: float, seat: int) -> str:
    """Draw a dot where lines meet."""
    return circle("pb-star", width / 2, height / 2, 5)


def _owner(seat: int) -> str:
    if not seat:
        return ""
    return words("pb-owner", 8.5, 11, 13, str(seat))


TINTED: Final = ("home", "start", "corner", "goal")
"""The backgrounds in the colour of a seat, over which the tint of the last move lies."""

KINDS: Final[dict[str, Callable[[float, float, int], str]]] = {
    "home": _home,
    "start": _start,
    "corner": _corner,
    "goal": _goal,
    "open": _open,
    "due": _open,
    "closed": lambda width, height, seat: rectangle("pb-closed", 0, 0, width, height),
    "wall": _wall,
    "star": _star,
}
