"""Effects of placing a cube."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from domain.effects import Effect
from domain.names import Names

Colour = Literal["light", "dark"]


class Placed(Effect, frozen=True):
    """A cube from the supply of seat `owner` was put into `at`."""

    seat: int
    cube: Colour
    at: str
    owner: int

    template: ClassVar[str] = "{seat} puts a {cube} cube{taken} into {at}"

    def terms(self, names: Names) -> dict[str, Any]:
        """Name the owner of the cube if it is not obvious."""
        taken = "" if self.owner == self.seat else f" from the supply of {names[self.owner]}"
        return super().terms(names) | {"taken": taken}


class BonusDue(Effect, frozen=True):
    """The cube opened these spaces over one colour; its seat must fill them (CUB-3.1)."""

    seat: int
    cells: tuple[str, ...]

    notable: ClassVar[bool] = True
    template: ClassVar[str] = "{seat} must fill {cells}: the cubes below have one colour"

    def terms(self, names: Names) -> dict[str, Any]:
        """List the spaces where a bonus is due."""
        return super().terms(names) | {"cells": " and ".join(self.cells)}


class BonusLapsed(Effect, frozen=True):
    """These spaces over one colour stay open: the opponent has no cube left (CUB-3.5)."""

    cells: tuple[str, ...]

    template: ClassVar[str] = "no bonus for {cells}: the opponent has no cube left"

    def terms(self, names: Names) -> dict[str, Any]:
        """List the spaces where a bonus has lapsed."""
        return super().terms(names) | {"cells": " and ".join(self.cells)}


class FaceOwned(Effect, frozen=True):
    """A face of the complete pyramid was counted (CUB-4.2)."""

    face: int
    seat: int
    light: int
    dark: int

    notable: ClassVar[bool] = True
    template: ClassVar[str] = "face {face} goes to {seat}, light {light}, dark {dark}"
