"""The games that come with Plybook, loaded when they are asked for."""

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
"""Where each game's `GAME` is, by slug."""


def built_in(slug: str) -> Game[Any]:
    """Return a built-in game. Raises `KeyError` for a slug that is none."""
    game: Game[Any] = importlib.import_module(BUILT_IN[slug]).GAME
    return game
