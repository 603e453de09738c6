"""Edit Cube Pyramid by hand: cubes between the pyramid and the supplies."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Final

from msgspec.structs import replace

from domain.editor import Editor, Location, Thing
from domain.games.cube_pyramid.board import BIT
from domain.games.cube_pyramid.effects import Colour
from domain.games.cube_pyramid.position import Table
from domain.games.cube_pyramid.position_text import one_colour, open_spaces
from domain.scene import Piece

SUPPLIES: Final = {1: "supply1", 2: "supply2"}

CUBES: Final[dict[str, Colour]] = {"l": "light", "d": "dark"}

SLOT: Final = {pair: slot for slot, pair in enumerate(product(SUPPLIES.values(), CUBES))}
"""The index of a supply's cubes of a colour in a table."""


def locations(table: Table) -> tuple[Location, ...]:
    """Return all spaces of the pyramid, open or not, and both supplies."""
    return (
        *(Location(name, tuple(_cube_things(table, bit))) for name, bit in BIT.items()),
        *(
            Location(supply, tuple(_supply_things(table, supply)), "in the supply of {seat}", seat)
            for seat, supply in SUPPLIES.items()
        ),
    )


def _cube_things(table: Table, bit: int) -> Iterator[Thing]:
    if table.light & bit:
        yield _cube("l")
    elif table.dark & bit:
        yield _cube("d")


def _supply_things(table: Table, supply: str) -> Iterator[Thing]:
    for what in CUBES:
        count = table.supply[SLOT[supply, what]]
        if count:
            yield _cube(what, count)


def _cube(what: str, count: int = 1) -> Thing:
    colour = CUBES[what]
    return Thing(what, f"{colour} cube", Piece("cube", colour), count)


def objection(end: str, there: Location | None, thing: Thing) -> str:
    """Return why a cube may not be put there.

    Its supports, and cubes on top of it, are checked at the end (CUB-2.3).
    """
    if there is None:
        return f"a cube must lie in the pyramid or in a supply, and {end!r} is neither"
    if there.things and not there.beside:
        return f"{end} is filled: first take away the cube that lies there"
    return ""


def lift(table: Table, thing: Thing, start: str) -> Table:
    """Take a cube off an edited pyramid."""
    if start in BIT:
        return _exchange(table, thing.what, BIT[start])
    return _add_to_supply(table, SLOT[start, thing.what], -1)


def lay(table: Table, thing: Thing, end: str) -> Table:
    """Put a cube on an edited pyramid."""
    if end in BIT:
        return _exchange(table, thing.what, BIT[end])
    return _add_to_supply(table, SLOT[end, thing.what], 1)


def _exchange(table: Table, what: str, bit: int) -> Table:
    """Fill a space with a cube of a colour, or remove the cube."""
    if what == "l":
        return replace(table, light=table.light ^ bit)
    return replace(table, dark=table.dark ^ bit)


def _add_to_supply(table: Table, slot: int, more: int) -> Table:
    first, second, third, fourth = (
        count + more if place == slot else count for place, count in enumerate(table.supply)
    )
    return replace(table, supply=(first, second, third, fourth))


def settle(table: Table) -> Table:
    """Recompute the open spaces (CUB-2.3), and drop bonuses that cannot be due (CUB-3.1, 3.5)."""
    giver = SUPPLIES[3 - table.seat]
    given = any(table.supply[SLOT[giver, what]] for what in CUBES)
    due = sum(one_colour(table.light, table.dark).values()) if given else 0
    open_ = open_spaces(table.light | table.dark)
    return replace(table, open=open_, due=table.due & due, result=None)


def begin_turn(table: Table, seat: int) -> Table:
    """Edit a position so that a seat moves next, without a bonus."""
    return replace(table, seat=seat, due=0, result=None)


EDITOR: Final = Editor(locations, objection, lift, lay, begin_turn, settle)
