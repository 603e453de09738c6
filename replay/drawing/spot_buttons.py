"""Write the locations beside a board as HTML for editing by hand: a row of things for each.

A thing is a button with the `data-at` of its location and its `data-what`; the row ends with a
button that puts the picked thing there. For a place of the board with several things, a template
has a button for each. The style sheet is `service/static/adjust.css`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from domain.editor import Location, Thing
from domain.names import UNNAMED, Names
from replay.drawing.pieces import piece
from replay.drawing.svg_elements import escape
from replay.drawing.tray_buttons import VIEW, disc

ROW: Final = (
    '<div class="pb-beside spot" role="group" data-at="{at}" aria-label="{title}">'
    "<h2>{disc}{title}</h2>"
    '<div class="pb-supplies">{things}</div>'
    '<button type="button" class="lay" data-lay="{at}" aria-label="Put it here, {words}">'
    "Put it here</button></div>"
)
NOTHING: Final = '<span class="none">nothing</span>'
PICK: Final = (
    '<button type="button" class="pb-pick" data-at="{at}" data-what="{what}"'
    ' aria-label="{label}" aria-pressed="false">{drawn}'
    '<span aria-hidden="true">×{count}</span></button>'
)
CHIP: Final = (
    '<button type="button" class="chip-thing pb-scene" data-what="{what}" aria-pressed="false">'
    "{drawn}<span>{words}</span></button>"
)


def rows(spots: Iterable[Location], names: Names = UNNAMED) -> str:
    """Write a row for every location beside the board."""
    written = "".join(_row(spot, names) for spot in spots if spot.beside)
    return f'<div class="pb-scene spots">{written}</div>' if written else ""


def _row(spot: Location, names: Names) -> str:
    words = escape(spot.words(names))
    things = "".join(_pick(spot, thing, names) for thing in spot.things) or NOTHING
    title = words[:1].upper() + words[1:]
    return ROW.format(
        at=escape(spot.at), disc=disc(spot.seat), title=title, words=words, things=things
    )


def _pick(spot: Location, thing: Thing, names: Names) -> str:
    label = f"{thing.words(names)}, {thing.count} {spot.words(names)}"
    return PICK.format(
        at=escape(spot.at),
        what=escape(thing.what),
        label=escape(label),
        drawn=_drawn(thing) or _word(thing),
        count=thing.count,
    )


def _word(thing: Thing) -> str:
    """Write a thing without a picture as a word; its row names the owner."""
    return f'<span class="word" aria-hidden="true">{escape(thing.name)}</span>'


def chips(spots: Iterable[Location], names: Names = UNNAMED) -> str:
    """Write a template of buttons for every place of the board that holds several things."""
    return "".join(
        f'<template data-at="{escape(spot.at)}">{"".join(_chips(spot, names))}</template>'
        for spot in spots
        if not spot.beside and len(spot.things) > 1
    )


def _chips(spot: Location, names: Names) -> Iterator[str]:
    """Write a button for each thing; if one seat owns all of them, the owner is not named."""
    shared = len({thing.seat for thing in spot.things}) == 1
    for thing in spot.things:
        yield _chip(thing, thing.name + thing.note if shared else thing.words(names))


def _chip(thing: Thing, called: str) -> str:
    several = f" ×{thing.count}" if thing.count > 1 else ""
    words = escape(called) + several
    return CHIP.format(what=escape(thing.what), drawn=_drawn(thing), words=words)


def _drawn(thing: Thing) -> str:
    if thing.piece is None:
        return ""
    return f'<svg viewBox="{VIEW}" aria-hidden="true">{piece(thing.piece)}</svg>'
