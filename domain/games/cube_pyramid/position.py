"""The pile, the supplies, and the one move of the game: placing a cube."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar, Final

from msgspec.structs import replace

from domain.editor import Spot
from domain.effects import Effect, Skipped
from domain.games.cube_pyramid import editor as rearranging
from domain.games.cube_pyramid import text as position_text
from domain.games.cube_pyramid.board import (
    ABOVE,
    ALL,
    BIT,
    FACES,
    GROUND,
    NAMES,
    SUPPORTS,
    CellName,
    names,
)
from domain.games.cube_pyramid.effects import BonusDue, BonusLapsed, Colour, FaceOwned, Placed
from domain.games.cube_pyramid.scene import draw
from domain.games.cube_pyramid.symmetry import SYMMETRIES
from domain.notation import Lexeme, Notation, template, words
from domain.position import Awaited, Move, Outcome, Position, Violation
from domain.scene import Scene
from domain.symmetry import Symmetry

COLOURS: Final[tuple[Colour, ...]] = ("light", "dark")

SLOT: Final[tuple[Mapping[str, int], ...]] = ({}, {"light": 0, "dark": 1}, {"light": 2, "dark": 3})
"""Where the supplies count the cubes of a seat by colour."""

ORDINARY: Final = ((), *((Awaited(seat, "place a cube", ("place",)),) for seat in (1, 2)))
BONUS: Final = ((), *((Awaited(seat, "place a bonus cube", ("place",)),) for seat in (1, 2)))


class Table(Position, frozen=True):
    """The cells with light, with dark, the open ones and of these the ones due, as sets of cells.

    `supply` counts the cubes left: light and dark of seat 1, then of seat 2.
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
        """Await a cube of the seat to move, while a bonus is due a bonus cube."""
        if self.result is not None:
            return ()
        return BONUS[self.seat] if self.due else ORDINARY[self.seat]

    def outcome(self) -> Outcome | None:
        """Return what the faces of the complete pyramid gave (CUB-4.2)."""
        return self.result

    def legal(self, seat: int) -> Iterator[Place]:
        """List each colour the supply has with each space it may go to."""
        if self.result is None and seat == self.seat:
            for colour in self.colours(self.giver(seat)):
                for at in names(self.due or self.open):
                    yield Place(colour, at)

    def giver(self, seat: int) -> int:
        """Return the seat whose supply the next cube of `seat` comes from (CUB-2.2, CUB-3.1)."""
        return 3 - seat if self.due else seat

    def colours(self, seat: int) -> tuple[Colour, ...]:
        """Return the colours that the supply of a seat still has."""
        return tuple(colour for colour in COLOURS if self.supply[SLOT[seat][colour]])

    def scene(self, effects: Sequence[Effect] = ()) -> Scene:
        """Draw the pile, its layers one by one, and the supplies."""
        return draw(self, effects)

    def text(self) -> str:
        """Write the position (see `cube_pyramid.position`)."""
        return position_text.write(self)

    def set_up(self, text: str) -> Table:
        """Return the position of a text; a seat without cubes is skipped (CUB-2.5)."""
        table = position_text.read(self, text)
        if table.light | table.dark == ALL:
            return replace(table, result=_count(table.light, table.dark)[0])
        if table.due or _has_cubes(table.supply, table.seat):
            return table
        return replace(table, seat=3 - table.seat)

    def spots(self) -> tuple[Spot, ...]:
        """The spaces of the pyramid and the supplies (see `cube_pyramid.rearranging`)."""
        return rearranging.spots(self)

    def rearranged(self, what: str, start: str, end: str) -> Table:
        """Move a cube by hand."""
        return rearranging.rearranged(self, what, start, end)

    def turned_to(self, seat: int) -> Table:
        """Let a seat be the one to move."""
        return rearranging.turned_to(self, seat)

    def symmetries(self) -> tuple[Symmetry, ...]:
        """The three faces can be exchanged."""
        return SYMMETRIES


class Place(Move[Table], frozen=True):
    """A cube put into an open space, bonus or not (CUB-2.2, CUB-3.1)."""

    cube: Colour
    at: CellName

    notation: ClassVar[Notation] = template(
        "{cube}@{at}",
        cube=words({"l": "light", "d": "dark"}),
        at=Lexeme("[A-E][1-5][1-5]", texts=NAMES),
    )
    what: ClassVar[str] = "cube placed"
    example: ClassVar[str] = "l@A11"

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
            message = f"seat {seat} first fills {' and '.join(due)}, opened over one colour"
            return Violation("CUB-3.1", message, (self.at, *due))
        if lacking:
            return Violation("CUB-3.1", self._lacking(position, 3 - seat), (self.at,))
        return None

    def _lacking(self, position: Table, owner: int) -> str:
        left = " and ".join(position.colours(owner))
        return f"seat {owner} has no {self.cube} cube left to take, only {left} ones"

    def _closed(self, position: Table, bit: int) -> str:
        if bit & (position.light | position.dark):
            return f"{self.at} is filled, and a placed cube never moves"
        missing = names(SUPPORTS[self.at] & ~(position.light | position.dark))
        return f"{self.at} is not open yet: {' and '.join(missing)} below it must be filled first"

    def evolve(self, position: Table, seat: int) -> tuple[Table, tuple[Effect, ...]]:
        """Put the cube down and see what it opens; a bonus keeps the turn (CUB-3)."""
        bit, light, dark = BIT[self.at], position.light, position.dark
        if self.cube == "light":
            light |= bit
        else:
            dark |= bit
        opened, one_colour = _opened(self.at, light, dark)
        open_, due = position.open ^ bit | opened, position.due & ~bit | one_colour
        giver = position.giver(seat)
        supply = _take(position.supply, SLOT[giver][self.cube])
        placed = Placed(seat, self.cube, self.at, giver)
        if due and _has_cubes(supply, 3 - seat):
            table = Table(light, dark, open_, due, supply, seat, position.turn)
            return table, (placed, BonusDue(seat, names(due)))
        effects = (placed, BonusLapsed(names(due))) if due else (placed,)
        return _end_turn(Table(light, dark, open_, 0, supply, seat, position.turn), effects)


def _opened(at: str, light: int, dark: int) -> tuple[int, int]:
    """Return the spaces that the cube on `at` opens, and those of them over one colour."""
    opened = one_colour = 0
    for above, below in ABOVE[at]:
        if (light | dark) & below == below:
            opened |= above
            if light & below in (0, below):
                one_colour |= above
    return opened, one_colour


def _take(supply: tuple[int, int, int, int], slot: int) -> tuple[int, int, int, int]:
    left = list(supply)
    left[slot] -= 1
    return tuple(left)  # type: ignore[return-value]  # as many as before


def _has_cubes(supply: tuple[int, int, int, int], seat: int) -> bool:
    return bool(supply[0] or supply[1]) if seat == 1 else bool(supply[2] or supply[3])


def _end_turn(table: Table, effects: tuple[Effect, ...]) -> tuple[Table, tuple[Effect, ...]]:
    """Pass the turn on, past a seat without cubes (CUB-2.5), or count the faces (CUB-4.1)."""
    light, dark, supply, turn = table.light, table.dark, table.supply, table.turn + 1
    if light | dark == ALL:
        outcome, faces = _count(light, dark)
        return Table(light, dark, 0, 0, supply, table.seat, turn, outcome), effects + faces
    to_move = 3 - table.seat
    if not _has_cubes(supply, to_move):
        to_move, effects = table.seat, (*effects, Skipped(to_move))
    return Table(light, dark, table.open, 0, supply, to_move, turn), effects


def _count(light: int, dark: int) -> tuple[Outcome, tuple[FaceOwned, ...]]:
    """CUB-4.2: each face to the colour with more of its 15, the match to two faces."""
    faces = []
    for number, face in enumerate(FACES, 1):
        counts = (light & face).bit_count(), (dark & face).bit_count()
        faces.append(FaceOwned(number, 1 if counts[0] > counts[1] else 2, *counts))
    owners = [face.seat for face in faces]
    return Outcome(1 if owners.count(1) >= 2 else 2, "CUB-4.2"), tuple(faces)


START: Final = Table(0, 0, GROUND, 0, (13, 5, 5, 13), 1, 1)
"""An empty board, the cubes of CUB-1.1, Light to begin (CUB-2.1)."""
