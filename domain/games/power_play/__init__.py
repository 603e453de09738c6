"""Power Play: jump, stack and capture with pyramids until one seat is left.

Clauses: seeds/power-play/rules-1.md.
"""

from __future__ import annotations

from typing import Final, Literal

from domain.game import Game, OptionError, Options
from domain.games.power_play.board import BOARD, CENTRE, STARTING
from domain.games.power_play.editor import EDITOR
from domain.games.power_play.moves import MOVES
from domain.games.power_play.pieces import BLACK, FULL_NEST, SEAT_SHIFT
from domain.games.power_play.position import Table
from domain.games.power_play.position_text import TEXT
from domain.games.power_play.scene import draw
from domain.games.power_play.symmetry import symmetries
from domain.games.power_play.turn import concluded


class PowerPlayOptions(Options, frozen=True):
    """`first` is the seat that moves first (PWR-1.2)."""

    first: Literal[1, 2, 3, 4] = 1


def start(options: PowerPlayOptions, seats: int) -> Table:
    """Set out the nests and the black larges (PWR-1). Raises `OptionError`."""
    if options.first > seats:
        raise OptionError(
            f"first={options.first} is not a seat of {seats}; use 1 to {seats}", "first"
        )
    board = bytearray(len(BOARD.squares))
    for at in CENTRE:
        board[at] = BLACK
    for seat, corner in enumerate(STARTING[seats]):
        for at in corner:
            board[at] = seat << SEAT_SHIFT | FULL_NEST
    playing = tuple(range(1, seats + 1))
    return Table(bytes(board), bytes(20), (0,) * seats, playing, options.first, 1)


GAME: Final = Game(
    "power-play",
    "Power Play",
    seats=(2, 3, 4),
    options=PowerPlayOptions,
    moves=MOVES,
    start=start,
    scene=draw,
    text=TEXT,
    editor=EDITOR,
    symmetries=symmetries,
    concluded=concluded,
)
