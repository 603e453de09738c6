"""The effects of a move on a free board."""

from __future__ import annotations

from typing import ClassVar

from domain.effects import Effect


class PutDown(Effect, frozen=True):
    """A piece was put on the board."""

    seat: int
    piece: str
    at: str

    template: ClassVar[str] = "{seat} puts {piece} on {at}"


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

    template: ClassVar[str] = "{pieces} leaves the board at {at}"


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
