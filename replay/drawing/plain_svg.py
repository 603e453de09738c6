"""Resolve the styles of a drawing for renderers without custom properties or media queries.

The style sheet of pictures names colours by variables that the class of a piece sets. Each rule
that uses one is repeated here for every class that sets it.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from replay.drawing.colours import LIGHT, PAINTS, STYLE

RULE: Final = re.compile(r"([^{}]+)\{([^{}]*)\}")
VARIABLE: Final = re.compile(r"var\(--pb-(\w+)(?:,([^()]*))?\)")
FAMILIES: Final = "Arial,Helvetica,'Liberation Sans','Noto Sans',"
"""Font families with a bold face, instead of the ones that only a browser knows."""

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

    The sheet has only the rules that apply: a renderer tries each one on every element.
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
