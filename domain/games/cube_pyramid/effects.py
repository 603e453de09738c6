"""What placing a cube causes."""

from __future__ import annotations

from typing import Literal

from domain.effects import Effect

Colour = Literal["light", "dark"]


class Placed(Effect, frozen=True):
    """A cube from the supply of seat `owner` was put into `at`."""

    seat: int
    cube: Colour
    at: str
    owner: int

    def words(self) -> str:
        """Name the cube and its cell, and whose it was if that is not plain."""
        taken = "" if self.owner == self.seat else f" from the supply of seat {self.owner}"
        return f"seat {self.seat} puts a {self.cube} cube{taken} into {self.at}"


class BonusDue(Effect, frozen=True):
    """The cube opened these spaces over one colour; its seat must fill them (CUB-3.1)."""

    seat: int
    cells: tuple[str, ...]

    def words(self) -> str:
        """Name the spaces."""
        return f"seat {self.seat} must fill {' and '.join(self.cells)}, opened over one colour"


class BonusLapsed(Effect, frozen=True):
    """These spaces over one colour stay open: the opponent has no cube left (CUB-3.5)."""

    cells: tuple[str, ...]

    def words(self) -> str:
        """Name the spaces and the reason."""
        return f"no bonus for {' and '.join(self.cells)}: the opponent has no cube left"


class FaceOwned(Effect, frozen=True):
    """A face of the complete pyramid was counted (CUB-4.2)."""

    face: int
    seat: int
    light: int
    dark: int

    def words(self) -> str:
        """Give the count."""
        return f"face {self.face} goes to seat {self.seat}, light {self.light}, dark {self.dark}"
