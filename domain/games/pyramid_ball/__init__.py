"""Pyramid Ball: program three pyramids in secret, and carry the ball over.

Clauses: seeds/pyramid-ball/rules-1.md.
"""

from __future__ import annotations

from typing import Final, Literal

from domain.game import Game, Options
from domain.games.pyramid_ball.controls import controls
from domain.games.pyramid_ball.editor import EDITOR
from domain.games.pyramid_ball.moves import Ball, Foul, Pick, Program, Start, Take
from domain.games.pyramid_ball.position import Play
from domain.games.pyramid_ball.position_text import TEXT
from domain.games.pyramid_ball.scene import draw
from domain.games.pyramid_ball.symmetry import symmetries
from domain.games.pyramid_ball.table import TASK, Table, kick_off


class PyramidBallOptions(Options, frozen=True):
    """Options (BAL-1.5, BAL-2.1)."""

    length: Literal["basic", "advanced"] = "basic"
    opening: Literal["decided", "selection"] = "decided"


def _start(options: PyramidBallOptions, seats: int) -> Play:
    advanced = options.length == "advanced"
    if options.opening == "selection":
        return Play(Table(advanced, "pick"))
    return Play(kick_off(advanced, 1))


GAME: Final[Game[Play]] = Game(
    "pyramid-ball",
    "Pyramid Ball",
    options=PyramidBallOptions,
    moves=(Program, Pick, Start, Foul, Ball, Take),
    start=_start,
    scene=draw,
    text=TEXT,
    editor=EDITOR,
    symmetries=symmetries,
    controls=controls,
    uneventful="All goes as programmed",
    tasks_by_name={task.format(its="its"): task.format(its="their") for task in TASK.values()},
)
