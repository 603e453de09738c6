"""What can happen in a game of Poptrix, as facts."""

from __future__ import annotations

from domain.effects import Effect
from domain.pyramids import PIPS, SIZE_WORD, Size


class Placed(Effect, frozen=True):
    """A first pyramid was set down."""

    seat: int
    size: Size
    at: str

    def words(self) -> str:
        """Name the pyramid and its square."""
        return f"seat {self.seat} places a {SIZE_WORD[PIPS[self.size]]} on {self.at}"


class Launched(Effect, frozen=True):
    """A pyramid was launched onto `at`."""

    seat: int
    size: Size
    launcher: str
    at: str

    def words(self) -> str:
        """Name launcher, pyramid and square."""
        return f"{self.launcher} launches a {SIZE_WORD[PIPS[self.size]]} to {self.at}"


class Fought(Effect, frozen=True):
    """Two pyramids fought, on the square `ground`, with these strengths (POP-5.1)."""

    seat: int
    from_: str
    to: str
    ground: str
    attack: int
    defence: int

    def words(self) -> str:
        """Give both strengths."""
        return f"{self.from_} attacks {self.to}, {self.attack} against {self.defence}"


class Removed(Effect, frozen=True):
    """A pyramid that stood on `at` left the game (POP-5.3)."""

    seat: int
    size: Size
    at: str

    def words(self) -> str:
        """Name what is gone."""
        return f"the {SIZE_WORD[PIPS[self.size]]} of seat {self.seat} on {self.at} is removed"


class Capped(Effect, frozen=True):
    """The winner of a fight wears its owner's cap (POP-5.4)."""

    seat: int
    at: str

    def words(self) -> str:
        """Tell where the cap goes."""
        return f"the cap of seat {self.seat} goes to {self.at}"


class CapReturned(Effect, frozen=True):
    """A removed pyramid's cap went back to its owner's stash (POP-5.5)."""

    seat: int

    def words(self) -> str:
        """Tell whose cap goes home."""
        return f"the cap of seat {self.seat} goes back to its stash"
