"""A position of Cube Pyramid: the pile, the supplies, and who must act."""

from __future__ import annotations

from typing import Final

from domain.games.cube_pyramid.board import GROUND, SLOT
from domain.games.cube_pyramid.effects import Colour
from domain.position import Awaited, Outcome, Position

COLOURS: Final[tuple[Colour, ...]] = ("light", "dark")

ORDINARY: Final = ((), *((Awaited(seat, "place a cube", ("place",)),) for seat in (1, 2)))
BONUS: Final = ((), *((Awaited(seat, "place a bonus cube", ("place",)),) for seat in (1, 2)))


class Table(Position, frozen=True):
    """Sets of cells: with light, with dark, open, and due as bonuses.

    `supply` counts the remaining cubes: light and dark of seat 1, then of seat 2.
    """

    light: int
    dark: int
    open: int
    due: int
    supply: tuple[int, int, int, int]
    seat: int
    turn: int
    result: Outcome | None = None

    def awaiting(self) -> tuple[Awaited, ...]:
        """Await a cube of the seat in turn; while a bonus is due, a bonus cube."""
        if self.result is not None:
            return ()
        return BONUS[self.seat] if self.due else ORDINARY[self.seat]

    def outcome(self) -> Outcome | None:
        """Return the outcome, which the faces of the complete pyramid decide (CUB-4.2)."""
        return self.result

    def giver(self, seat: int) -> int:
        """Return the seat whose supply the next cube of `seat` comes from (CUB-2.2, CUB-3.1)."""
        return 3 - seat if self.due else seat

    def colours(self, seat: int) -> tuple[Colour, ...]:
        """Return the colours that remain in a seat's supply."""
        return tuple(colour for colour in COLOURS if self.supply[SLOT[seat][colour]])


START: Final = Table(0, 0, GROUND, 0, (13, 5, 5, 13), 1, 1)
"""An empty board, the cubes of CUB-1.1, Light to begin (CUB-2.1)."""
