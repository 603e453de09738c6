"""Effects in a game of Poptrix."""

from __future__ import annotations

from typing import ClassVar

from domain.board import Size
from domain.effects import Effect


class Placed(Effect, frozen=True):
    """A first pyramid was set down."""

    seat: int
    size: Size
    at: str

    template: ClassVar[str] = "{seat} places a {size} on {at}"


class Launched(Effect, frozen=True):
    """A pyramid was launched onto `at`."""

    seat: int
    size: Size
    launcher: str
    at: str

    template: ClassVar[str] = "{launcher} launches a {size} to {at}"


class Fought(Effect, frozen=True):
    """Two pyramids fought, on the square `ground`, with these strengths (POP-5.1)."""

    seat: int
    from_: str
    to: str
    ground: str
    attack: int
    defence: int

    template: ClassVar[str] = "{from_} attacks {to}, {attack} against {defence}"


class Removed(Effect, frozen=True):
    """A pyramid on `at` left the game (POP-5.3)."""

    seat: int
    size: Size
    at: str

    notable: ClassVar[bool] = True
    deed: ClassVar[str] = "take the {size} of {seat} off the board"
    template: ClassVar[str] = "the {size} of {seat} on {at} is removed"


class Capped(Effect, frozen=True):
    """The winner of a fight wears its owner's cap (POP-5.4)."""

    seat: int
    at: str

    notable: ClassVar[bool] = True
    deed: ClassVar[str] = "put the cap of {seat} on {at}"
    template: ClassVar[str] = "the cap of {seat} goes to {at}"


class CapReturned(Effect, frozen=True):
    """A removed pyramid's cap went back to its owner's stash (POP-5.5)."""

    seat: int

    deed: ClassVar[str] = "put the cap of {seat} back with {its} stash"
    template: ClassVar[str] = "the cap of {seat} goes back to {its} stash"
