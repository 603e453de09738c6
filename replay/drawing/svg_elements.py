"""Write SVG: numbers, escaped text, and elements as strings."""

from __future__ import annotations

from typing import NamedTuple

from replay.tags.name_rules import JOINERS


class Box(NamedTuple):
    """A drawn part: its size in user units and its elements, with the origin at the upper left."""

    width: float
    height: float
    body: str

    def scaled(self, factor: float) -> Box:
        """Return the same part scaled by a factor."""
        body = f'<g transform="scale({number(factor)})">{self.body}</g>'
        return Box(self.width * factor, self.height * factor, body)


def number(value: float) -> str:
    """Write a coordinate with at most two decimals, never as `-0`."""
    return format(round(value, 2) + 0.0, "g")


def printable(text: str) -> str:
    """Replace every character that neither XML nor a terminal accepts by a space."""
    return "".join(each if each.isprintable() or each in JOINERS else " " for each in text)


def escape(text: str) -> str:
    """Return text that is safe between tags and inside double quotes."""
    text = printable(text).replace("&", "&amp;").replace("<", "&lt;")
    return text.replace(">", "&gt;").replace('"', "&quot;")


def at(x: float, y: float, body: str) -> str:
    """Translate a drawing to a place."""
    return f'<g transform="translate({number(x)} {number(y)})">{body}</g>'


def path(css: str, d: str) -> str:
    """Draw a path with a class."""
    return f'<path class="{css}" d="{d}"/>'


def polygon(css: str, *points: tuple[float, float]) -> str:
    """Draw a closed shape through the points, with a class."""
    corners = "L".join(f"{number(x)} {number(y)}" for x, y in points)
    return path(css, f"M{corners}Z")


def circle(css: str, x: float, y: float, radius: float) -> str:
    """Draw a circle with a class."""
    return f'<circle class="{css}" cx="{number(x)}" cy="{number(y)}" r="{number(radius)}"/>'


def rectangle(
    css: str, x: float, y: float, width: float, height: float, *, round_: float = 0
) -> str:
    """Draw a rectangle with a class and, if asked for, rounded corners."""
    corners = f' rx="{number(round_)}"' if round_ else ""
    return (
        f'<rect class="{css}" x="{number(x)}" y="{number(y)}" width="{number(width)}"'
        f' height="{number(height)}"{corners}/>'
    )


def words(css: str, x: float, y: float, size: float, text: str) -> str:
    """Write text whose middle height is y, and whose middle (or start, by the class) is at x."""
    # Central baselines differ between renderers; a third of the size is half a capital's height.
    return (
        f'<text class="{css}" x="{number(x)}" y="{number(y + size * 0.355)}"'
        f' font-size="{number(size)}">{escape(text)}</text>'
    )
