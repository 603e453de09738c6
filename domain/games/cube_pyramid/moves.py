"""The one move of Cube Pyramid: placing a cube."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar, Final

from msgspec import Meta

from domain.effects import Effect
from domain.games.cube_pyramid.board import BIT, NAMES, SLOT, SUPPORTS, CellName, names
from domain.games.cube_pyramid.effects import Colour
from domain.games.cube_pyramid.position import Table
from domain.names import Player, Sentence
from domain.notation import Label, Lexeme, Notation, template, words
from domain.position import Move, Violation

CUBES: Final = (Label("l", "light cube", "Light"), Label("d", "dark cube", "Dark"))


class Place(Move[Table], frozen=True):
    """A cube put into an open space, bonus or not (CUB-2.2, CUB-3.1)."""

    cube: Annotated[Colour, Meta(description="The colour of the cube.")]
    at: CellName

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
            return Violation("CUB-1.2", f"{self.at} lies outside the pyramid", (self.at,))
        lacking = not position.supply[SLOT[position.giver(seat)][self.cube]]
        if lacking and not position.due:
            return Violation("CUB-2.2", self._lacking(position, seat), (self.at,))
        if not bit & position.open:
            return Violation("CUB-2.3", self._closed(position, bit), (self.at,))
        if not position.due:
            return None
        if not bit & position.due:
            due = names(position.due)
            message = Sentence(
                "{seat} first fills {spaces}, opened over one colour",
                seat=Player(seat),
                spaces=" and ".join(due),
            )
            return Violation("CUB-3.1", message, (self.at, *due))
        if lacking:
            return Violation("CUB-3.1", self._lacking(position, 3 - seat), (self.at,))
        return None

    def _lacking(self, position: Table, owner: int) -> str:
        return Sentence(
            "{seat} has no {cube} cube left to take, only {left} ones",
            seat=Player(owner),
            cube=self.cube,
            left=" and ".join(position.colours(owner)),
        )

    def _closed(self, position: Table, bit: int) -> str:
        if bit & (position.light | position.dark):
            return f"{self.at} is filled, and a placed cube never moves"
        missing = names(SUPPORTS[self.at] & ~(position.light | position.dark))
        return f"{self.at} is not open yet: {' and '.join(missing)} below it must be filled first"

    def evolve(self, position: Table, seat: int) -> tuple[Table, tuple[Effect, ...]]:
        """Put the cube down."""
        return position.apply_placement(self.cube, self.at, seat)
