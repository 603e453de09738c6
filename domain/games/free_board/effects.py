"""The effects of a move on a free board."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from domain.effects import Effect
from domain.games.free_board.pieces import MEN, WORDS, said
from domain.names import Names


class PutDown(Effect, frozen=True):
    """A piece was put on the board."""

    seat: int
    piece: str
    at: str

    said_as: ClassVar[Mapping[str, str]] = WORDS
    template: ClassVar[str] = "{seat} puts the {piece} on {at}"

    def terms(self, names: Names) -> dict[str, Any]:
        """Say in words which piece was put down."""
        return {**super().terms(names), "piece": said(self.piece, self.said_as)}


class PutMan(PutDown, frozen=True, tag="putdown"):
    """A piece of draughts was put on the board."""

    said_as: ClassVar[Mapping[str, str]] = MEN


class Shifted(Effect, frozen=True):
    """The pieces of a place went to another place."""

    seat: int
    from_: str
    to: str

    template: ClassVar[str] = "{seat} moves from {from_} to {to}"


class Removed(Effect, frozen=True):
    """Pieces left the board."""

    at: str
    pieces: tuple[str, ...]

    said_as: ClassVar[Mapping[str, str]] = WORDS
    template: ClassVar[str] = "the {pieces} leaves the board at {at}"

    def terms(self, names: Names) -> dict[str, Any]:
        """Say in words which pieces were removed."""
        return {
            **super().terms(names),
            "pieces": tuple(said(each, self.said_as) for each in self.pieces),
        }


class RemovedMen(Removed, frozen=True, tag="removed"):
    """Pieces of draughts left the board."""

    said_as: ClassVar[Mapping[str, str]] = MEN


class Flipped(Effect, frozen=True):
    """The top piece of a place turned over."""

    seat: int
    at: str

    template: ClassVar[str] = "{seat} turns the piece on {at} over"


class Passed(Effect, frozen=True):
    """A seat passed."""

    seat: int

    template: ClassVar[str] = "{seat} passes"


class Ended(Effect, frozen=True):
    """The players ended the game: the seat that has won, or `draw`."""

    result: str

    template: ClassVar[str] = "the game is over"
