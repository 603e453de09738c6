"""Blockade: race to five towers of one colour. Clauses: seeds/blockade/rules-1.md."""

from __future__ import annotations

from typing import Final, Literal

from domain.game import Game, Options
from domain.games.blockade.board import BLACKS, set_up
from domain.games.blockade.controls import controls
from domain.games.blockade.editor import EDITOR
from domain.games.blockade.moves import End, Leg, Roll
from domain.games.blockade.position import Table
from domain.games.blockade.position_text import TEXT
from domain.games.blockade.scene import draw
from domain.games.blockade.symmetry import symmetries


class BlockadeOptions(Options, frozen=True):
    """`cool` names the seat that has blue and green; the other has red and yellow (BLK-1.1)."""

    cool: Literal[1, 2] = 1


def _start(options: BlockadeOptions, seats: int) -> Table:
    """Set up the board; seat 1 has the first turn (BLK-1.5)."""
    return Table(set_up(), BLACKS, options.cool, 1, 1)


GAME: Final = Game(
    "blockade",
    "Blockade",
    options=BlockadeOptions,
    moves=(Roll, Leg, End),
    start=_start,
    scene=draw,
    text=TEXT,
    editor=EDITOR,
    symmetries=symmetries,
    controls=controls,
)
