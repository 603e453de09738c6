"""The facts that only Hearts has."""

from __future__ import annotations

from typing import ClassVar

from plybook.game import SEATS, UNNAMED, Effect, Names


class Passed(Effect, frozen=True):
    """A seat has chosen the cards that it passes; they are secret."""

    seat: int

    template: ClassVar[str] = "{seat} passes three cards"


class Begun(Effect, frozen=True):
    """The seat with the two of clubs leads (HRT-4.2)."""

    seat: int

    template: ClassVar[str] = "{seat} has 2♣ and begins"


class TrickTaken(Effect, frozen=True):
    """A seat took a trick (HRT-4.6)."""

    seat: int
    points: int

    template: ClassVar[str] = "{seat} takes the trick with {scored}"


class MoonShot(Effect, frozen=True):
    """A seat took all points of a deal (HRT-5.3)."""

    seat: int

    notable: ClassVar[bool] = True
    template: ClassVar[str] = "{seat} shoots the moon"


class Counted(Effect, frozen=True):
    """The scores after a deal (HRT-5.2)."""

    scores: tuple[int, ...]

    def words(self, names: Names = UNNAMED) -> str:
        """Give the score of each seat."""
        each = (f"{names[seat]} {score}" for seat, score in zip(SEATS, self.scores, strict=True))
        return f"the scores are {', '.join(each)}"
