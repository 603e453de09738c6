"""Write the trays of a scene as HTML, with supplies as buttons and flowing text.

The `data-pick` of a supply's button is its code in a token: a size `S`, `M`, `L`, or the letter of
a cube. The style sheet is `service/static/board.css`.
"""

from __future__ import annotations

from typing import Final

from domain.names import UNNAMED, Names
from domain.scene import Piece, Scene, Supply, Tray
from replay.drawing.descriptions import supply_label
from replay.drawing.palette import PAINTS, SIZE_LETTER
from replay.drawing.pieces import piece
from replay.drawing.svg_elements import escape

VIEW: Final = "-27 -54 54 57"
"""The view box around a piece with its base at the origin."""


def trays(scene: Scene, names: Names = UNNAMED) -> str:
    """Write a group for every tray: its owner, supplies as buttons, lines of text.

    `names` are used in the labels for screen readers.
    """
    groups = "".join(_tray(tray, names) for tray in scene.trays)
    return f'<div class="pb-scene pb-trays">{groups}</div>'


def _tray(tray: Tray, names: Names) -> str:
    title = escape(tray.title)
    supplies = "".join(_supply(supply, names) for supply in tray.supplies)
    lines = "".join(f"<li>{escape(line)}</li>" for line in tray.lines)
    return (
        f'<div class="pb-beside" role="group" data-seat="{tray.seat}" aria-label="{title}">'
        f"<h2>{disc(tray.seat)}{title}</h2>"
        + (f'<div class="pb-supplies">{supplies}</div>' if supplies else "")
        + (f'<ul class="pb-lines">{lines}</ul>' if lines else "")
        + "</div>"
    )


def disc(seat: int) -> str:
    """Write the number of a seat on its colour; nothing for seat 0."""
    return f'<b class="pb-disc pb-seat{seat}" aria-hidden="true">{seat}</b>' if seat else ""


def _supply(supply: Supply, names: Names) -> str:
    empty = "" if supply.count else " pb-none"
    return (
        f'<button type="button" class="pb-pick{empty}" data-pick="{pick(supply.piece)}"'
        f' data-count="{supply.count}" aria-label="{escape(supply_label(supply, names))}">'
        f'<svg viewBox="{VIEW}" aria-hidden="true">{piece(supply.piece)}</svg>'
        f'<span aria-hidden="true">×{supply.count}</span></button>'
    )


def pick(thing: Piece) -> str:
    """Return the code in a token for a piece from a supply."""
    return SIZE_LETTER[thing.size] if thing.shape == "pyramid" else PAINTS[thing.colour].letter
