"""Cube Pyramid: build a corner pile together, own two of its faces.

Clauses: seeds/cube-pyramid/rules-1.md.
"""

from __future__ import annotations

from typing import Final

from domain.game import Game
from domain.games.cube_pyramid.controls import controls
from domain.games.cube_pyramid.editor import EDITOR
from domain.games.cube_pyramid.moves import Place
from domain.games.cube_pyramid.position import START
from domain.games.cube_pyramid.position_text import TEXT
from domain.games.cube_pyramid.scene import draw
from domain.games.cube_pyramid.symmetry import symmetries

GAME: Final = Game(
    "cube-pyramid",
    "Cube Pyramid",
    moves=(Place,),
    start=lambda *_: START,
    scene=draw,
    text=TEXT,
    editor=EDITOR,
    symmetries=symmetries,
    controls=controls,
)
