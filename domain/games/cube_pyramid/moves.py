"""The one move of Cube Pyramid, a cube placed: its notation and its check against the rules."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar, Final

from msgspec import Meta

from domain.effects import Effect
from domain.games.cube_pyramid import refusals, turn
from domain.games.cube_pyramid.board import BIT, NAMES, SLOT, CellName, names
from domain.games.cube_pyramid.effects import Colour
from domain.games.cube_pyramid.position import Table
from domain.notation import Label, Lexeme, Notation, template, words
from domain.position import Move, Violation

CUBES: Final = (Label("l", "light cube", "Light"), Label("d", "dark cube", "Dark"))


class Place(Move[Table], frozen=True):
    """A cube put into an open space, bonus or not (CUB-2.2, CUB-3.1)."""

    cube: Annotated[Colour, Meta(description="The colour of the cube.")]
    at: CellName
    """The name of the place."""

    notation: ClassVar[Notation] = template(
        "{cube}@{at}",
        cube=words({"l": "light", "d": "dark"}, CUBES, "colour"),
        at=Lexeme("[A-E][1-5][1-5]", texts=NAMES),
    )
    what: ClassVar[str] = "cube placed"
    example: ClassVar[str] = "l@A11"

    @classmethod
    def legal(cls, position: Table, seat: int) -> Iterator[Place]:
        """Yield each colour in the supply with each space where it may be placed."""
        for colour in position.colours(position.giver(seat)):
            for at in names(position.due or position.open):
                yield cls(colour, at)

    def check(self, position: Table, seat: int) -> Violation | None:
        """CUB-1.2, CUB-2.2, CUB-2.3, and while a bonus is due CUB-3.1 instead of CUB-2.2."""
        bit = BIT.get(self.at)
        if bit is None:
            return refusals.outside(self.at)
        lacking = not position.supply[SLOT[position.giver(seat)][self.cube]]
        if lacking and not position.due:
            return refusals.no_cube(position, "CUB-2.2", seat, self.cube, self.at)
        if not bit & position.open:
            return refusals.not_open(position, self.at)
        if not position.due:
            return None
        if not bit & position.due:
            return refusals.bonus_due(position, seat, self.at)
        if lacking:
            return refusals.no_cube(position, "CUB-3.1", 3 - seat, self.cube, self.at)
        return None

    def evolve(self, position: Table, seat: int) -> tuple[Table, tuple[Effect, ...]]:
        """Put the cube down."""
        return turn.place(position, self.cube, self.at, seat)
