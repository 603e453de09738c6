"""Chess. The clauses are in seeds/chess/rules-1.md."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import chess

from plybook.drawing import Colour, Grid, Mark, Piece, Scene, Tray
from plybook.game import Effect, Game, Names, Outcome
from plybook_chess.moves import SCRIPT, Checked, Claim, PieceMove, Went
from plybook_chess.pgn import PGN
from plybook_chess.position import PIECES, TEXT, Chess
from plybook_chess.spellings import spellings


def draw(position: Chess, effects: Sequence[Effect], names: Names) -> Scene:
    """Draw the board; marks show the last move and a check."""
    board = position.board
    pieces = {chess.square_name(at): piece(str(one)) for at, one in board.piece_map().items()}
    marks = []
    for effect in effects:
        if isinstance(effect, Went):
            marks += [Mark(effect.start, "from"), Mark(effect.end, "to")]
        elif isinstance(effect, Checked):
            marks.append(Mark(effect.at, "due"))
    trays = (
        Tray(names.title(1), 1, colours=("light",)),
        Tray(names.title(2), 2, colours=("dark",), far=True),
    )
    grid = Grid.of("abcdefgh", "12345678", pieces, chequered=True)
    return Scene((grid,), trays, marks=tuple(marks))


def piece(letter: str) -> tuple[Piece]:
    """Draw a piece by its letter in a FEN."""
    symbol = f"seeds/free-board/{PIECES[letter.upper()]}"
    colour: Colour = "light" if letter.isupper() else "dark"
    return (Piece("symbol", colour, text=letter.upper(), symbol=symbol),)


def concluded(position: Chess, seat: int, how: Literal["resigned", "flagged"]) -> Outcome | None:
    """CHS-6.1: a seat without time does not lose to a seat that cannot mate."""
    helpless = position.board.has_insufficient_material(seat == 2)
    return Outcome("CHS-6.1") if how == "flagged" and helpless else None


GAME = Game(
    "chess",
    "Chess",
    moves=(PieceMove, Claim),
    start=lambda options, seats: Chess(),
    scene=draw,
    text=TEXT,
    concluded=concluded,
    script=SCRIPT,
    spellings=spellings,
    formats=(PGN,),
    seeds="plybook_chess.seeds",
)
