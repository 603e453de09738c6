"""The built-in games, loaded on demand."""

from __future__ import annotations

import importlib
from typing import Any, Final

from domain.game import Game

BUILT_IN: Final = {
    "poptrix": "domain.games.poptrix",
    "blockade": "domain.games.blockade",
    "power-play": "domain.games.power_play",
    "pyramid-ball": "domain.games.pyramid_ball",
    "cube-pyramid": "domain.games.cube_pyramid",
}
"""The location of each game's `GAME`, by slug."""


def built_in(slug: str) -> Game[Any]:
    """Return a built-in game. Raises `KeyError` for an unknown slug."""
    game: Game[Any] = importlib.import_module(BUILT_IN[slug]).GAME
    return game
