"""The turn of Cube Pyramid: a cube placed, bonuses (CUB-3), and the end of the game (CUB-4)."""

from __future__ import annotations

from msgspec.structs import replace

from domain.effects import Effect, Skipped
from domain.games.cube_pyramid.board import ABOVE, ALL, BIT, FACES, SLOT, names
from domain.games.cube_pyramid.effects import BonusDue, BonusLapsed, Colour, FaceOwned, Placed
from domain.games.cube_pyramid.position import Table
from domain.position import Outcome

Done = tuple[Table, tuple[Effect, ...]]


def place(table: Table, cube: Colour, at: str, seat: int) -> Done:
    """Place a cube and open spaces; a bonus keeps the turn (CUB-3)."""
    bit, light, dark = BIT[at], table.light, table.dark
    if cube == "light":
        light |= bit
    else:
        dark |= bit
    opened, one_colour = _find_opened(at, light, dark)
    open_, due = table.open ^ bit | opened, table.due & ~bit | one_colour
    giver = table.giver(seat)
    supply = _take(table.supply, SLOT[giver][cube])
    placed = Placed(seat, cube, at, giver)
    if due and _has_cubes(supply, 3 - seat):
        waiting = Table(light, dark, open_, due, supply, seat, table.turn)
        return waiting, (placed, BonusDue(seat, names(due)))
    effects = (placed, BonusLapsed(names(due))) if due else (placed,)
    return _end_turn(Table(light, dark, open_, 0, supply, seat, table.turn), effects)


def finish(table: Table) -> Table:
    """Count the full pyramid of an edited table, or skip a seat without cubes (CUB-2.5)."""
    if table.light | table.dark == ALL:
        return replace(table, result=_count(table.light, table.dark)[0])
    if table.due or _has_cubes(table.supply, table.seat):
        return table
    return replace(table, seat=3 - table.seat)


def _find_opened(at: str, light: int, dark: int) -> tuple[int, int]:
    """Return the spaces that the cube on `at` opens, and the subset over one colour."""
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


def _end_turn(table: Table, effects: tuple[Effect, ...]) -> Done:
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
    """CUB-4.2: the colour with more of its 15 cubes owns a face; two faces win."""
    faces = []
    for number, face in enumerate(FACES, 1):
        counts = (light & face).bit_count(), (dark & face).bit_count()
        faces.append(FaceOwned(number, 1 if counts[0] > counts[1] else 2, *counts))
    owners = [face.seat for face in faces]
    return Outcome("CUB-4.2", (1 if owners.count(1) >= 2 else 2,)), tuple(faces)
