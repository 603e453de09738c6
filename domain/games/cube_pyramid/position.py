"""The pile, the supplies, and the one move of the game: placing a cube."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from domain.effects import Effect, Skipped
from domain.games.cube_pyramid.board import (
    ABOVE,
    ALL,
    BIT,
    FACES,
    GROUND,
    SLOT,
    names,
)
from domain.games.cube_pyramid.effects import BonusDue, BonusLapsed, Colour, FaceOwned, Placed
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
        """Return the outcome by the faces of the complete pyramid (CUB-4.2)."""
        return self.result

    def giver(self, seat: int) -> int:
        """Return the seat whose supply the next cube of `seat` comes from (CUB-2.2, CUB-3.1)."""
        return 3 - seat if self.due else seat

    def colours(self, seat: int) -> tuple[Colour, ...]:
        """Return the colours that remain in a seat's supply."""
        return tuple(colour for colour in COLOURS if self.supply[SLOT[seat][colour]])

    def finish(self) -> Table:
        """Count a full pyramid, or skip a seat without cubes (CUB-2.5)."""
        if self.light | self.dark == ALL:
            return replace(self, result=_count(self.light, self.dark)[0])
        if self.due or _has_cubes(self.supply, self.seat):
            return self
        return replace(self, seat=3 - self.seat)

    def apply_placement(self, cube: Colour, at: str, seat: int) -> tuple[Table, tuple[Effect, ...]]:
        """Place a cube and open spaces; a bonus keeps the turn (CUB-3)."""
        bit, light, dark = BIT[at], self.light, self.dark
        if cube == "light":
            light |= bit
        else:
            dark |= bit
        opened, one_colour = _find_opened(at, light, dark)
        open_, due = self.open ^ bit | opened, self.due & ~bit | one_colour
        giver = self.giver(seat)
        supply = _take(self.supply, SLOT[giver][cube])
        apply_placement = Placed(seat, cube, at, giver)
        if due and _has_cubes(supply, 3 - seat):
            table = Table(light, dark, open_, due, supply, seat, self.turn)
            return table, (apply_placement, BonusDue(seat, names(due)))
        effects = (apply_placement, BonusLapsed(names(due))) if due else (apply_placement,)
        return _end_turn(Table(light, dark, open_, 0, supply, seat, self.turn), effects)


def _find_opened(at: str, light: int, dark: int) -> tuple[int, int]:
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
    """Pass the turn, past a seat without cubes (CUB-2.5), or count the faces (CUB-4.1)."""
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
