"""Draw flat pieces around the origin: discs, letters, cards, symbols and tiles.

Their owner is seen without colours too: by the number of the seat, or by lines along the edge of a
dark piece.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from domain.scene import Colour, Piece
from replay.drawing.colours import PAINTS
from replay.drawing.svg_elements import circle, path, rectangle, words
from replay.drawing.symbols import symbol

ROOM: Final = 42.0
"""The width of a text on a piece."""

TILE: Final = 52.0
"""The width of a line on a tile."""

LETTER: Final = 0.66
"""A generous average of a letter's width, in font sizes."""

PLAIN: Final[tuple[Colour, ...]] = ("clear", "light", "black", "dark")
"""The colours that people distinguish by lightness, so that they need no letter."""

RINGS: Final[dict[Colour, tuple[float, ...]]] = {
    "black": (22.5,),
    "dark": (22.5, 13),
    "light": (13,),
}
"""The rings on a disc, by colour."""

SUITS: Final = {
    "♥": "M0 10C-4 6-11 1-11-4.5C-11-8-8.5-10.5-5.5-10.5C-3-10.5-1-9 0-7C1-9 3-10.5 5.5-10.5"
    "C8.5-10.5 11-8 11-4.5C11 1 4 6 0 10Z",
    "♦": "M0-12L8.5 0L0 12L-8.5 0Z",
    "♠": "M0-12C4-6 11-2.5 11 3C11 6.5 8.5 8.5 5.5 8.5C3.5 8.5 2 7.7 1 6.2L3 11H-3L-1 6.2"
    "C-2 7.7-3.5 8.5-5.5 8.5C-8.5 8.5-11 6.5-11 3C-11-2.5-4-6 0-12Z",
    "♣": "M0-12A5.2 5.2 0 0 1 4.4-4A5.2 5.2 0 1 1 1 4.5L3 11H-3L-1 4.5A5.2 5.2 0 1 1-4.4-4"
    "A5.2 5.2 0 0 1 0-12Z",
}
"""The signs of the suits of cards."""

RED: Final = "♥♦"


def flat(thing: Piece) -> str:
    """Draw a disc, a letter, a card, a symbol or a tile."""
    return DRAWN[thing.shape](thing)


def _disc(thing: Piece) -> str:
    body = circle("pb-body", 0, 0, 27)
    body += "".join(circle("pb-groove", 0, 0, radius) for radius in RINGS.get(thing.colour, ()))
    if thing.text:
        return body + _written("pb-letter", thing.text, 0, 28) + _owner(thing.colour)
    return body + ("" if thing.colour in PLAIN else _written("pb-letter", _sign(thing), 0, 26))


def _letter(thing: Piece) -> str:
    body = rectangle("pb-body", -25, -25, 50, 50, round_=8)
    if thing.colour in RINGS:
        body += rectangle("pb-groove", -21, -21, 42, 42, round_=5)
    return body + _written("pb-letter", thing.text, 0, 32) + _owner(thing.colour)


def _card(thing: Piece) -> str:
    if not thing.text:
        back = rectangle("pb-body", -23, -30, 46, 60, round_=6)
        return back + rectangle("pb-groove", -18, -25, 36, 50, round_=3) + _owner(thing.colour)
    face = rectangle("pb-face", -23, -30, 46, 60, round_=6)
    rank, suit = thing.text[:-1], thing.text[-1]
    if suit not in SUITS:
        return face + _written("pb-suit-black", thing.text, 0, 28) + _owner(thing.colour)
    css = "pb-suit-red" if suit in RED else "pb-suit-black"
    sign = f'<g transform="translate(0 12)">{path(css, SUITS[suit])}</g>'
    return face + _written(css, rank, -14, 26) + sign + _owner(thing.colour)


def _symbol(thing: Piece) -> str:
    return symbol(thing.symbol) + _owner(thing.colour)


def _tile(thing: Piece) -> str:
    body = rectangle("pb-body", -28, -28, 56, 56, round_=5)
    if thing.colour in RINGS:
        body += rectangle("pb-groove", -25, -25, 50, 50, round_=3)
    lines = [line for line in (thing.text, thing.second) if line]
    tops = (-14, 1) if len(lines) > 1 else (-7,)
    written = (
        words("pb-letter pb-middle", 0, y, min(15, TILE / (LETTER * len(line))), line)
        for y, line in zip(tops, lines, strict=False)
    )
    price = words("pb-letter pb-middle", 0, 18, min(13, 22 / (LETTER * len(thing.price))),
                  thing.price) if thing.price else ""  # fmt: skip
    return body + "".join(written) + price + _owner(thing.colour)


DRAWN: Final[dict[str, Callable[[Piece], str]]] = {
    "disc": _disc, "letter": _letter, "card": _card, "symbol": _symbol, "tile": _tile,
}  # fmt: skip


FLAT_SHAPES: Final = frozenset(DRAWN)


def _written(css: str, text: str, y: float, size: float) -> str:
    """Write a text in the middle, as large as fits."""
    return words(f"{css} pb-middle", 0, y, min(size, ROOM / (LETTER * max(1, len(text)))), text)


def _sign(thing: Piece) -> str:
    return PAINTS[thing.colour].letter


def _owner(colour: Colour) -> str:
    """Write the number of a seat, or the letter of a colour, at the lower right corner."""
    if colour in PLAIN:
        return ""
    return circle("pb-chip", 20, 20, 8.5) + words("pb-letter", 20, 20, 12, PAINTS[colour].letter)
