"""Write SVG: numbers, escaped text, elements and rows; resolve styles for simple renderers.

The style sheet of pictures names colours by variables that the class of a piece sets. A rule that
uses a variable is repeated here for every class that sets the variable.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from replay.drawing.colours import LIGHT, PAINTS, STYLE
from replay.texts import JOINERS


class Box(NamedTuple):
    """A drawn part: its size in user units and its elements, with the origin at the upper left."""

    width: float
    height: float
    body: str

    def scaled(self, factor: float) -> Box:
        """Return the same part scaled by a factor."""
        body = f'<g transform="scale({number(factor)})">{self.body}</g>'
        return Box(self.width * factor, self.height * factor, body)


@functools.lru_cache(maxsize=4096)  # a board has few different coordinates
def number(value: float) -> str:
    """Write a coordinate of SVG with at most two decimals, never as `-0`.

    >>> number(0.126), number(3.0), number(-0.001)
    ('0.13', '3', '0')
    """
    return format(round(value, 2) + 0.0, "g")


def printable(text: str) -> str:
    """Replace by a space every character that XML, or a terminal, cannot show."""
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() or each in JOINERS else " " for each in text)


@functools.lru_cache(maxsize=1024)  # the names of places and pieces come again
def escape(text: str) -> str:
    """Return text that is safe between tags and inside double quotes.

    >>> escape('"Ann" & <Bob>')
    '&quot;Ann&quot; &amp; &lt;Bob&gt;'
    """
    text = printable(text).replace("&", "&amp;").replace("<", "&lt;")
    return text.replace(">", "&gt;").replace('"', "&quot;")


def at(x: float, y: float, body: str) -> str:
    """Translate a drawing to a place.

    >>> at(1.5, 2, circle("ball", 0, 0, 3))
    '<g transform="translate(1.5 2)"><circle class="ball" cx="0" cy="0" r="3"/></g>'
    """
    return f'<g transform="translate({number(x)} {number(y)})">{body}</g>'


def path(css: str, d: str) -> str:
    """Draw a path with a class."""
    return f'<path class="{css}" d="{d}"/>'


def polygon(css: str, *points: tuple[float, float]) -> str:
    """Draw a closed shape through the points, with a class.

    >>> polygon("arrow", (0, 0), (4, 0), (2, 3))
    '<path class="arrow" d="M0 0L4 0L2 3Z"/>'
    """
    corners = "L".join(f"{number(x)} {number(y)}" for x, y in points)
    return path(css, f"M{corners}Z")


def circle(css: str, x: float, y: float, radius: float) -> str:
    """Draw a circle with a class."""
    return f'<circle class="{css}" cx="{number(x)}" cy="{number(y)}" r="{number(radius)}"/>'


@functools.lru_cache(maxsize=1024)  # the places of a board have the same outlines
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
    """Write text with half its height at y, and its middle (or start, as the class says) at x."""
    # Central baselines differ between renderers; a third of the size is half a capital's height.
    return (
        f'<text class="{css}" x="{number(x)}" y="{number(y + size * 0.355)}"'
        f' font-size="{number(size)}">{escape(text)}</text>'
    )


def flow(boxes: Sequence[Box], width: float, gap: float) -> Box:
    """Arrange boxes in as few rows as fit the width, every row centred, and stack the rows.

    >>> flow([Box(4, 2, ""), Box(4, 3, ""), Box(4, 1, "")], width=9, gap=1).height
    5.0
    """
    y = 0.0
    parts = []
    for row in _rows(boxes, width, gap):
        x = (width - sum(box.width for box in row) - gap * (len(row) - 1)) / 2
        for box in row:
            parts.append(at(x, y, box.body))
            x += box.width + gap
        y += max(box.height for box in row) + gap
    return Box(width, max(0.0, y - gap), "".join(parts))


def _rows(boxes: Sequence[Box], width: float, gap: float) -> Iterator[list[Box]]:
    row: list[Box] = []
    for box in boxes:
        if row and sum(other.width + gap for other in row) + box.width > width + 0.01:
            yield row
            row = []
        row.append(box)
    if row:
        yield row


RULE: Final = re.compile(r"([^{}]+)\{([^{}]*)\}")
VARIABLE: Final = re.compile(r"var\(--pb-(\w+)(?:,([^()]*))?\)")
FAMILIES: Final = "Arial,Helvetica,'Liberation Sans','Noto Sans',"
"""Font families with a bold face, instead of families that only browsers know."""

OWN: Final = ("fill", "on")
"""The variables that the class of a piece sets."""


CLASSES: Final = re.compile(r"\.(pb-[\w-]+)")
USED: Final = re.compile('class="([^"]*)"')


class Rule(NamedTuple):
    """A rule of the style sheet: its selector, the classes in the selector, its declarations."""

    selector: str
    classes: frozenset[str]
    body: str


def plain(drawing: str) -> str:
    """Return the drawing in its light colours, with a style sheet of fixed values.

    The sheet has only the rules that apply: a renderer tries every rule on every element.
    """
    used = frozenset(name for names in USED.findall(drawing) for name in names.split())
    sheet = "".join(f"{each.selector}{{{each.body}}}" for each in _rules() if each.classes <= used)
    return re.sub(r"<style>.*?</style>", f"<style>{sheet}</style>", drawing, flags=re.DOTALL)


@functools.cache
def _rules() -> tuple[Rule, ...]:
    sheet = re.sub(r"@media[^{]*\{(?:[^{}]*\{[^{}]*\})*\}", "", STYLE)
    return tuple(
        Rule(selector, frozenset(CLASSES.findall(selector)), body)
        for selectors, body in _fix_rules(sheet)
        for selector in selectors.split(",")
    )


def _fix_rules(sheet: str) -> Iterator[tuple[str, str]]:
    for selector, body in RULE.findall(sheet):
        body = ";".join(part for part in body.split(";") if not part.startswith("--"))
        if body:
            yield selector, _resolve(body, LIGHT)
        if any(f"--pb-{name}" in body for name in OWN):
            for colour, paint in PAINTS.items():
                values = LIGHT | {"fill": paint.fill, "on": paint.ink}
                within = ",".join(f".pb-{colour} {each}" for each in selector.split(","))
                yield within, _resolve(body, values)


def _resolve(body: str, values: Mapping[str, str]) -> str:
    fixed = VARIABLE.sub(lambda found: values.get(found[1], found[2] or "#000"), body)
    return fixed.replace("system-ui,", FAMILIES)
