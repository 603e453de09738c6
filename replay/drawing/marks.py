"""Places to point out. A mark never relies on its colour: dashes, dots, a cross, a flag."""

from __future__ import annotations

from replay.drawing.elements import circle, escape, path, polygon, rectangle, words


def glow(kind: str, width: float, height: float) -> str:
    """Light up the bare square of a cell of this size."""
    return rectangle("pb-glow", 1, 1, width - 2, height - 2) if kind in ("to", "from") else ""


def frame(kind: str, width: float, height: float) -> str:
    """Draw the outline of a mark, under the pieces of the cell."""
    if kind == "removed":
        return ""
    outline = rectangle(_frame(kind), 3.5, 3.5, width - 7, height - 7, round_=3)
    return f'<g class="pb-mark-{escape(kind)}">{outline}</g>'


def _frame(kind: str) -> str:
    return f"pb-{kind}" if kind in ("to", "from") else "pb-due"


def over(kind: str, width: float, height: float) -> str:
    """Draw the part that lies over the pieces: the cross of `removed`, the flag of `due`."""
    if kind == "removed":
        return _cross(width, height)
    if kind in ("to", "from"):
        return ""
    return flag(kind, width - 12, 12)


def flag(kind: str, x: float, y: float) -> str:
    """Draw a disc with an exclamation mark, or with the initial of a mark unknown here."""
    letter = "!" if kind == "due" else kind[:1].upper()
    return circle("pb-flag", x, y, 9) + words("pb-shield-text", x, y, 13, letter)


def _cross(width: float, height: float) -> str:
    x, y = width / 2, height / 2
    d = f"M{x - 15:g} {y - 15:g}l30 30M{x + 15:g} {y - 15:g}l-30 30"
    return f'<g class="pb-mark-removed">{path("pb-cross-halo", d)}{path("pb-cross", d)}</g>'


def around(kind: str, corners: tuple[tuple[float, float], ...]) -> str:
    """Draw a mark as the outline of any shape, around the origin."""
    if kind == "removed":
        return _cross(0, 0)
    outline = polygon(_frame(kind), *corners)
    due = "" if kind in ("to", "from") else flag(kind, 0, 0)
    return f'<g class="pb-mark-{escape(kind)}">{outline}{due}</g>'
