"""The colours of the screen: as on dark pages, and of pieces in a terminal."""

from __future__ import annotations

from typing import Final

from rich.color import Color
from rich.style import Style

from domain.scene import Colour
from replay.drawing.colours import DARK, PAINTS

PAPER: Final = DARK["paper"]
CARD: Final = DARK["card"]
INK: Final = DARK["ink"]
SOFT: Final = DARK["soft"]
LINE: Final = DARK["line"]
SQUARE: Final = CARD
"""The background of a square: in 16 colours it is black, on which all pieces are visible."""
CHEQUER: Final = DARK["chequer"]
GLOW: Final = "#a07800"
EMBER: Final = "#7a5c00"
"""The background of the place that a move left; `GLOW` is that of its end.

No square has these colours, not even among 256 colours.
"""
MARK: Final = DARK["mark"]
REFUSED: Final = "#ff6b5e"
ACCENT: Final = "#7cc4ff"

FAINT: Final = Style(color=SOFT)
STRONG: Final = Style(color=INK, bold=True)


def body(colour: Colour) -> Style:
    """Return the terminal style of a shape in the colour of a piece."""
    return Style(color=_ansi(colour))


def chip(colour: Colour | None) -> Style:
    """Return the terminal style of a word on the colour of a piece."""
    if colour is None:
        return STRONG
    return Style(color=_six_digits(PAINTS[colour].ink), bgcolor=_ansi(colour), bold=True)


def tint(colour: Colour) -> Style:
    """Return the terminal background of a square, with a quarter of a piece's colour."""
    return Style(bgcolor=_mixed(PAINTS[colour].fill, SQUARE))


def _ansi(colour: Colour) -> Color:
    return Color.from_ansi(PAINTS[colour].ansi)


def _six_digits(colour: str) -> str:
    """Return `#ffffff` for `#fff`."""
    return "#" + "".join(digit * 2 for digit in colour[1:]) if len(colour) == 4 else colour


def _mixed(one: str, other: str) -> str:
    channels = (
        (int(one[at : at + 2], 16) + 3 * int(other[at : at + 2], 16)) // 4 for at in (1, 3, 5)
    )
    return "#" + "".join(f"{channel:02x}" for channel in channels)
