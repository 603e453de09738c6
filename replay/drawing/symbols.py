"""Symbols of games: SVG files of their seeds that have paths and nothing else."""

from __future__ import annotations

import functools
import re
from typing import Final
from xml.etree import ElementTree

from replay import rules_text
from replay.drawing.svg_elements import number, path
from replay.errors import Damaged

SIZE: Final = 56.0
"""The side of the square in which a symbol is drawn."""

STROKE: Final = 1.6
LONGEST: Final = 20_000
"""The characters of the longest file."""

NAME: Final = re.compile(r"([\w.]+)/([\w-]+)/([\w-]+)")
SVG: Final = "{http://www.w3.org/2000/svg}"
ATTRIBUTES: Final = {
    "d": re.compile(r"[\sMmLlHhVvCcSsQqTtAaZz0-9eE.,+-]+"),
    "fill": re.compile("none"),
    "fill-rule": re.compile("evenodd|nonzero"),
}
"""The attributes of a path, with their values. A path with `fill="none"` is a line."""

VIEW: Final = re.compile(r"(-?[\d.]+)[ ,]+(-?[\d.]+)[ ,]+([\d.]+)[ ,]+([\d.]+)")


@functools.lru_cache(maxsize=256)
def symbol(name: str) -> str:
    """Draw a symbol by its name, `chess.seeds/chess/knight`, in the colours of its piece.

    Raises `Usage` if the file is missing, and `Damaged` if it is not safe.
    """
    parts = NAME.fullmatch(name)
    if parts is None:
        raise Damaged(f"{name!r} is not a valid symbol; use PACKAGE/GAME/NAME")
    package, game, file = parts.groups()
    text = rules_text.seed(package, game, f"symbols/{file}.svg")
    try:
        return _drawn(_root(text))
    except ValueError as error:
        raise Damaged(f"symbol {name!r} is not valid: {error}") from None


def _root(text: str) -> ElementTree.Element:
    if len(text) > LONGEST or "<!" in text:
        raise ValueError(f"use an SVG file of at most {LONGEST} characters without <!…>")
    try:
        return ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        raise ValueError(f"it is not XML: {error}") from None


def _drawn(root: ElementTree.Element) -> str:
    """Draw the paths around the origin."""
    view = VIEW.fullmatch(root.get("viewBox", ""))
    if root.tag != f"{SVG}svg" or view is None or not all(map(float, view.groups()[2:])):
        raise ValueError("its root must be <svg> with a viewBox of four numbers")
    left, top, width, height = map(float, view.groups())
    scale = SIZE / max(width, height)
    middle = f"{number(-left - width / 2)} {number(-top - height / 2)}"
    shape = f'transform="scale({scale:.4g}) translate({middle})"'
    return f'<g {shape} stroke-width="{STROKE / scale:.3g}">{"".join(map(_path, root))}</g>'


def _path(element: ElementTree.Element) -> str:
    if element.tag != f"{SVG}path" or len(element):
        raise ValueError(f"it has <{element.tag.removeprefix(SVG)}>; use only paths")
    for attribute, value in element.items():
        allowed = ATTRIBUTES.get(attribute)
        if allowed is None or not allowed.fullmatch(value):
            raise ValueError(f'{attribute}="{value}" is not allowed; use {", ".join(ATTRIBUTES)}')
    css = "pb-figure-line" if element.get("fill") else "pb-figure"
    rule = ' fill-rule="evenodd"' if element.get("fill-rule") == "evenodd" else ""
    return path(css, " ".join(element.get("d", "").split())).replace("/>", f"{rule}/>")
