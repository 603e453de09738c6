"""Scenes, the drawings of positions as data, and their pictures as SVG and as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from domain.cards import card_row
from domain.scene import (
    Arrow,
    Block,
    Cell,
    Colour,
    FixedText,
    Graph,
    Grid,
    Mark,
    Piece,
    Pile,
    Row,
    Scene,
    Score,
    Supply,
    Table,
    TableLine,
    Tray,
)
from domain.tricks import hand_row, known_of, trick_row
from plybook.packages import lazy_names

if TYPE_CHECKING:
    from replay.drawing.svg import draw as draw_svg
    from replay.drawing.text import draw as draw_text

__all__ = [
    "Arrow",
    "Block",
    "Cell",
    "Colour",
    "FixedText",
    "Graph",
    "Grid",
    "Mark",
    "Piece",
    "Pile",
    "Row",
    "Scene",
    "Score",
    "Supply",
    "Table",
    "TableLine",
    "Tray",
    "card_row",
    "draw_svg",
    "draw_text",
    "hand_row",
    "known_of",
    "trick_row",
]

if not TYPE_CHECKING:  # otherwise type checkers would accept every name
    __getattr__ = lazy_names(
        __name__,
        {
            "draw_svg": "replay.drawing.svg:draw",
            "draw_text": "replay.drawing.text:draw",
        },
    )
