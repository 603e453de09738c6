"""The facts that only bridge has."""

from __future__ import annotations

from typing import ClassVar

from plybook.game import SUIT_SIGNS, UNNAMED, Effect, Names

VERBS = {"pass": "passes", "double": "doubles", "redouble": "redoubles"}


def shown(bid: str) -> str:
    """Write a bid or a contract for people: `2♥`, `3NTX`."""
    return bid[0] + SUIT_SIGNS.get(bid[1], "NT") + bid[1:].removeprefix("NT").lstrip("CDHS")


class Called(Effect, frozen=True):
    """A seat called: `2H`, `pass`, `double` or `redouble` (BRI-3)."""

    seat: int
    call: str

    def words(self, names: Names = UNNAMED) -> str:
        """Name the call."""
        return f"{names[self.seat]} {VERBS.get(self.call) or f'bids {shown(self.call)}'}"


class Bought(Effect, frozen=True):
    """The auction is over; `seat` declares the contract (BRI-3.6)."""

    seat: int
    contract: str
    leader: int

    notable: ClassVar[bool] = True

    def words(self, names: Names = UNNAMED) -> str:
        """Name the contract, and the seat that leads."""
        return f"{names[self.seat]} declares {shown(self.contract)}, and {names[self.leader]} leads"


class PassedOut(Effect, frozen=True):
    """All four seats passed: nobody scores on the board (BRI-3.5)."""

    board: int

    template: ClassVar[str] = "board {board} is passed out"


class Laid(Effect, frozen=True):
    """Dummy's hand lies open (BRI-4.2)."""

    seat: int

    template: ClassVar[str] = "{seat} is dummy and lays down {its} hand"


class ClaimMade(Effect, frozen=True):
    """A seat claims some of the tricks that are left for its side (BRI-6.1)."""

    seat: int
    tricks: int
    left: int

    template: ClassVar[str] = "{seat} claims {tricks} of {left} tricks"


class Answered(Effect, frozen=True):
    """An opponent agreed to a claim, or objected to it (BRI-6.2)."""

    seat: int
    agreed: bool

    def words(self, names: Names = UNNAMED) -> str:
        """Say what follows."""
        what = "agrees to the claim" if self.agreed else "objects: play goes on"
        return f"{names[self.seat]} {what}"


class Scored(Effect, frozen=True):
    """A side scored points for a board; declarer's side took `tricks` (BRI-7)."""

    seat: int
    partner: int
    points: int
    board: int
    contract: str
    declarer: int
    tricks: int

    notable: ClassVar[bool] = True

    def words(self, names: Names = UNNAMED) -> str:
        """Name the contract, the tricks, and the points."""
        done = f"{shown(self.contract)} by {names[self.declarer]}, {self.tricks} tricks"
        sides = f"{names[self.seat]} and {names[self.partner]}"
        return f"board {self.board}: {done}; {sides} score {self.points}"
