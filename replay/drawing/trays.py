"""Draw trays: supplies with their counts, and lines of text."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from typing import Final

from domain.scene import Colour, Supply, Tray
from replay.drawing.pieces import BASE, piece
from replay.drawing.svg_elements import Box, at, circle, flow, rectangle, words

PAD: Final = 12.0
GAP: Final = 12.0
TITLE: Final = 26.0
FONT: Final = 14.0
LINE: Final = 19.0
LETTER: Final = FONT * 0.53
"""A generous average of a letter's width, because fonts cannot be measured here."""

SWATCH: Final = 12.0
"""The distance of two colours of a seat."""

ROW: Final = 40.0
SMALL: Final = 0.66


def trays(panels: Sequence[Tray], width: float) -> Box:
    """Draw cards, two in a row if each needs no more than half the width."""
    return flow(list(_cards(panels, width)), width, GAP)


def _cards(panels: Sequence[Tray], width: float) -> Iterator[Box]:
    half = (width - GAP) / 2
    waiting = list(panels)
    while waiting:
        pair = waiting[:2]
        if len(pair) == 2 and all(_needs(panel) <= half for panel in pair):
            yield from _row(pair, half)
            del waiting[:2]
        else:
            yield from _row(pair[:1], width)
            del waiting[:1]


def _row(panels: Sequence[Tray], width: float) -> Iterator[Box]:
    """Draw cards of equal height."""
    contents = [_content(panel, width) for panel in panels]
    height = max(content.height for content in contents)
    for content in contents:
        card = rectangle("pb-card", 0.5, 0.5, width - 1, height - 1, round_=8)
        yield Box(width, height, f'<g class="pb-tray">{card}{content.body}</g>')


def _content(panel: Tray, width: float) -> Box:
    """Draw a tray for a card of this width; long lines are folded."""
    parts: list[str] = list(_heading(panel))
    y = PAD + TITLE
    if panel.supplies:
        supplies, y = _supplies(panel.supplies, y, width)
        parts += supplies
    for line in panel.lines:
        for part in _fold(line, width):
            parts.append(words("pb-line", PAD, y + LINE / 2, FONT, part))
            y += LINE
    return Box(width, y + PAD / 2, "".join(parts))


def _needs(panel: Tray) -> float:
    """Return the width of a card that folds no line and has its supplies in one row."""
    longest = max(map(len, (panel.title + "    ", *panel.lines)))
    supplies = sum(map(_room, panel.supplies))
    return max(longest * LETTER, supplies) + 2 * PAD


def _fold(line: str, width: float) -> list[str]:
    return textwrap.wrap(line, max(12, int((width - 2 * PAD) / LETTER))) or [""]


def _heading(panel: Tray) -> Iterator[str]:
    x = PAD
    if panel.seat:
        yield from _swatches(panel.own_colours) if panel.own_colours else (_chip(panel.seat),)
        x += 24 + SWATCH * max(0, len(panel.own_colours) - 1)
    yield words("pb-title", x, PAD + 8, 15, panel.title)


def _chip(seat: int) -> str:
    """Draw the number of a seat on its colour."""
    chip = circle("pb-chip", PAD + 8, PAD + 8, 9)
    number = words("pb-letter", PAD + 8, PAD + 8, 12, str(seat))
    return f'<g class="pb-seat{seat}">{chip}{number}</g>'


def _swatches(colours: Sequence[Colour]) -> Iterator[str]:
    """Draw the colours of a seat's pieces, each partly covering the one before."""
    for place, colour in enumerate(colours):
        swatch = circle("pb-chip", PAD + 8 + SWATCH * place, PAD + 8, 9)
        yield f'<g class="pb-{colour}">{swatch}</g>'


def _supplies(supplies: tuple[Supply, ...], y: float, width: float) -> tuple[list[str], float]:
    """Draw pieces in rows, and return the lower edge of the last row."""
    parts = []
    x = PAD
    room = width - 2 * PAD
    spread = min(14.0, max(0.0, room - sum(map(_room, supplies))) / len(supplies))
    for supply in supplies:
        needed = _room(supply)
        if x + needed > PAD + room + 0.1 and x > PAD:
            x, y = PAD, y + ROW
        parts.append(at(x, y, _supply(supply)))
        x += needed + spread
    return parts, y + ROW + 4


def _width(supply: Supply) -> float:
    return (BASE[supply.piece.size] or 54.0) * SMALL


def _room(supply: Supply) -> float:
    return _width(supply) + 15 + 9 * len(str(supply.count))


def _supply(supply: Supply) -> str:
    half = _width(supply) / 2
    base = 36.0 if supply.piece.shape == "pyramid" else 41.0
    shape = at(half, base, f'<g transform="scale({SMALL:g})">{piece(supply.piece)}</g>')
    count = words("pb-line", 2 * half + 4, 24, FONT, f"×{supply.count}")
    return f'<g class="pb-supply{"" if supply.count else " pb-none"}">{shape}{count}</g>'
