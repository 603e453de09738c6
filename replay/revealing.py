"""What a line reveals of its secret moves: what may be written where anybody can read it."""

from __future__ import annotations

from collections.abc import Sequence

from domain.events import Moved, Ply
from domain.game import Secret
from replay.recorded import Recorded


def unrevealed(line: Sequence[Ply]) -> dict[int, int]:
    """Return the secret moves that a line never reveals: their plies, from 1, with their seats.

    Only a move reveals: what a seat had sealed when it left the game stays secret.
    """
    hidden: dict[int, int] = {}
    buried: dict[int, int] = {}
    for number, ply in enumerate(line, 1):
        moved = isinstance(ply.event, Moved)
        if isinstance(ply.event, Moved) and isinstance(ply.event.move, Secret):
            hidden[number] = ply.event.seat
        sealed = ply.state.position.sealed
        gone = {each: seat for each, seat in hidden.items() if seat not in sealed}
        hidden = {each: seat for each, seat in hidden.items() if each not in gone}
        buried |= {} if moved else gone
    return buried | hidden


def open_plies(recorded: Recorded) -> list[int]:
    """Number the plies of a line that anybody may read, and that entering it anew would reveal."""
    silent = unrevealed(recorded.match.line)
    return [
        number
        for number, ply in enumerate(recorded.match.line, 1)
        if ply.version not in recorded.secrets and number not in silent
    ]
