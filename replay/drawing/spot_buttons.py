"""What lies beside a board and can be moved by hand, as HTML: a row for each spot, things in it.

A thing is a button with `data-at` of its spot and `data-what`; the row ends with a button that
lays down there what was taken up. Where a place of the board holds several things, a template has
a button for each. The style sheet is `service/static/css/adjust.css`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from domain.rearranging import Spot, Thing
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


def rows(spots: Iterable[Spot], owners: Mapping[str, int]) -> str:
    """Write a row for every spot beside the board; `owners` are the seats of those that have one.

    Who plays is said in the words already.
    """
    written = "".join(_row(spot, owners.get(spot.at, 0)) for spot in spots if spot.words)
    return f'<div class="pb-scene spots">{written}</div>' if written else ""


def _row(spot: Spot, owner: int) -> str:
    words = escape(spot.words)
    things = "".join(_pick(spot, thing) for thing in spot.things) or NOTHING
    title = words[:1].upper() + words[1:]
    return ROW.format(at=escape(spot.at), disc=disc(owner), title=title, words=words, things=things)


def _pick(spot: Spot, thing: Thing) -> str:
    label = f"{thing.words}, {thing.count} {spot.words}"
    return PICK.format(
        at=escape(spot.at),
        what=escape(thing.what),
        label=escape(label),
        drawn=_drawn(thing) or _word(thing),
        count=thing.count,
    )


def _word(thing: Thing) -> str:
    """Write what has no picture; whose it is the row says."""
    word = escape(thing.words.partition(" of ")[0])
    return f'<span class="word" aria-hidden="true">{word}</span>'


def chips(spots: Iterable[Spot]) -> str:
    """Write a template of buttons for every place of the board that holds several things."""
    return "".join(
        f'<template data-at="{escape(spot.at)}">{"".join(map(_chip, spot.things))}</template>'
        for spot in spots
        if not spot.words and len(spot.things) > 1
    )


def _chip(thing: Thing) -> str:
    several = f" ×{thing.count}" if thing.count > 1 else ""
    words = escape(thing.words) + several
    return CHIP.format(what=escape(thing.what), drawn=_drawn(thing), words=words)


def _drawn(thing: Thing) -> str:
    if thing.piece is None:
        return ""
    return f'<svg viewBox="{VIEW}" aria-hidden="true">{piece(thing.piece)}</svg>'
