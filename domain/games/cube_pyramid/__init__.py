"""Cube Pyramid: build a corner pile together, own two of its faces.

Clauses: seeds/cube-pyramid/rules-1.md.
"""

from __future__ import annotations

from typing import Final

from domain.game import Game
from domain.games.cube_pyramid.position import START, Place

GAME: Final = Game("cube-pyramid", "Cube Pyramid", moves=(Place,), start=lambda *_: START)
