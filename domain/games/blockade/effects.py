"""What can happen in a game of Blockade, as facts."""

from __future__ import annotations

from domain.effects import Effect
from domain.games.blockade.board import Colour
from domain.pyramids import PIPS, SIZE_WORD, Size


class Rolled(Effect, frozen=True):
    """A seat opened its turn with these dice, each the points of a colour (BLK-2.1)."""

    seat: int
    colours: tuple[Colour, Colour]
    dice: tuple[int, int]

    def words(self) -> str:
        """Give each colour its die."""
        (first, second), (one, two) = self.colours, self.dice
        return f"seat {self.seat} rolls {one} for {first} and {two} for {second}"


class Landed(Effect, frozen=True):
    """A leg took a pyramid from square to square for so many points (BLK-3)."""

    seat: int
    colour: Colour
    size: Size
    from_: str
    to: str
    cost: int

    def words(self) -> str:
        """Name the pyramid, its way and the price."""
        return (
            f"the {self.colour} {SIZE_WORD[PIPS[self.size]]} goes from {self.from_} to {self.to}"
            f" for {_points(self.cost)}"
        )


class TowerBuilt(Effect, frozen=True, tag="tower built"):
    """A square has become a tower, the `count`th of its colour that stands (BLK-5.1)."""

    seat: int
    colour: Colour
    at: str
    count: int

    def words(self) -> str:
        """Name the tower and count those of its colour."""
        towers = "1 tower stands" if self.count == 1 else f"{self.count} towers stand"
        return f"a {self.colour} tower on {self.at}: {towers} in {self.colour}"


class TowerLost(Effect, frozen=True, tag="tower lost"):
    """A tower without a black lost its small, or was covered, and counts no longer (BLK-5.3)."""

    seat: int
    colour: Colour
    at: str

    def words(self) -> str:
        """Name the tower that was."""
        return f"the {self.colour} tower on {self.at} counts no longer"


class Blockaded(Effect, frozen=True):
    """The largest black left was put on a new tower: a blockade of that seat (BLK-5.1)."""

    seat: int
    at: str
    size: Size

    def words(self) -> str:
        """Name the black and the square."""
        black = SIZE_WORD[PIPS[self.size]]
        return f"a {black} black goes on it: {self.at} is a blockade of seat {self.seat}"


class Ended(Effect, frozen=True):
    """A seat ended its turn (BLK-2.5)."""

    seat: int

    def words(self) -> str:
        """Name the seat."""
        return f"seat {self.seat} ends its turn"


class Exhausted(Effect, frozen=True):
    """A turn ended by itself, for no legal leg remained (BLK-2.5)."""

    seat: int

    def words(self) -> str:
        """Name the seat."""
        return f"no leg is left for seat {self.seat}: its turn ends by itself"


def _points(number: int) -> str:
    return "1 point" if number == 1 else f"{number} points"
