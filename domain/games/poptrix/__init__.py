"""Poptrix: launch pyramids, fight with them, hold the board. Clauses: seeds/poptrix/rules-1.md."""

from __future__ import annotations

from typing import Final

from domain.game import Game
from domain.games.poptrix.controls import controls
from domain.games.poptrix.editor import EDITOR
from domain.games.poptrix.moves import Attack, Launch, Place
from domain.games.poptrix.position import START
from domain.games.poptrix.position_text import TEXT
from domain.games.poptrix.scene import draw
from domain.games.poptrix.symmetry import symmetries

GAME: Final = Game(
    "poptrix",
    "Poptrix",
    moves=(Place, Launch, Attack),
    start=lambda options, seats: START,
    scene=draw,
    text=TEXT,
    editor=EDITOR,
    symmetries=symmetries,
    controls=controls,
)
