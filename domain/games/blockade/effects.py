"""Effects in a game of Blockade."""

from __future__ import annotations

from typing import Any, ClassVar

from domain.board import Size
from domain.effects import Effect
from domain.games.blockade.board import Colour
from domain.names import Names, count


class Rolled(Effect, frozen=True):
    """A seat opened its turn with these dice, each the points of a colour (BLK-2.1)."""

    seat: int
    colours: tuple[Colour, Colour]
    dice: tuple[int, int]

    template: ClassVar[str] = (
        "{seat} rolls {dice[0]} for {colours[0]} and {dice[1]} for {colours[1]}"
    )


class Landed(Effect, frozen=True):
    """A leg took a pyramid from square to square, and cost these points (BLK-3)."""

    seat: int
    colour: Colour
    size: Size
    from_: str
    to: str
    cost: int

    template: ClassVar[str] = "the {colour} {size} goes from {from_} to {to} for {cost}"

    def terms(self, names: Names) -> dict[str, Any]:
        """Write the cost with its unit."""
        return super().terms(names) | {"cost": count(self.cost, "point")}


class TowerBuilt(Effect, frozen=True, tag="tower built"):
    """A square has become a tower, the `count`th of its colour (BLK-5.1)."""

    seat: int
    colour: Colour
    at: str
    count: int

    notable: ClassVar[bool] = True
    template: ClassVar[str] = "a {colour} tower on {at}: {towers} in {colour}"

    def terms(self, names: Names) -> dict[str, Any]:
        """Count the towers of the colour."""
        towers = count(self.count, "tower stands", "towers stand")
        return super().terms(names) | {"towers": towers}


class TowerLost(Effect, frozen=True, tag="tower lost"):
    """A tower without a black lost its small, or was covered, and counts no longer (BLK-5.3)."""

    seat: int
    colour: Colour
    at: str

    notable: ClassVar[bool] = True
    template: ClassVar[str] = "the {colour} tower on {at} no longer counts"


class Blockaded(Effect, frozen=True):
    """The largest black left was put on a new tower: a blockade of that seat (BLK-5.1)."""

    seat: int
    at: str
    size: Size

    notable: ClassVar[bool] = True
    deed: ClassVar[str] = "put a {size} black on {at}"
    template: ClassVar[str] = "a {size} black goes on it: {at} is a blockade of {seat}"


class Ended(Effect, frozen=True):
    """A seat ended its turn (BLK-2.5)."""

    seat: int

    template: ClassVar[str] = "{seat} ends {its} turn"


class Exhausted(Effect, frozen=True):
    """A turn ended by itself, because no legal leg remained (BLK-2.5)."""

    seat: int

    notable: ClassVar[bool] = True
    template: ClassVar[str] = "no move left for {seat}: {its} turn ends by itself"
