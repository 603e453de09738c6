"""The effects of an entry on a score sheet."""

from __future__ import annotations

from typing import ClassVar

from domain.effects import Effect


class Entered(Effect, frozen=True):
    """A number was entered; `total` includes it."""

    seat: int
    points: int
    total: int

    template: ClassVar[str] = "{seat} enters {points}: {total} in all"


class Leads(Effect, frozen=True):
    """A single seat has the best total at the end of a round."""

    seat: int
    total: int

    template: ClassVar[str] = "{seat} leads with {total}"


class Starts(Effect, frozen=True):
    """A seat starts the next round."""

    seat: int
    round: int

    template: ClassVar[str] = "{seat} starts round {round}"


class BonusWon(Effect, frozen=True):
    """A seat has earned a bonus."""

    seat: int
    title: str
    points: int

    template: ClassVar[str] = "{seat} earns {scored}: {title}"


class Ended(Effect, frozen=True):
    """A player ended the sheet."""

    seat: int

    template: ClassVar[str] = "{seat} ends the sheet"


class Left(Effect, frozen=True):
    """A seat left; its numbers remain on the sheet."""

    seat: int

    template: ClassVar[str] = "{seat} leaves the game"
