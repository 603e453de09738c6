"""Edit Blockade by hand: pyramids between stacks, and blacks between towers and the supply.

The bottom layer never moves, nor does a tower with a black on it (BLK-3.1, BLK-5.2).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from domain.board import SIZE_WORD
from domain.editor import Editor, Location, Misplaced, Thing
from domain.games.blockade.board import BLACK, BOARD, COLOUR_WORD, TOWER, blockades, is_blockade
from domain.games.blockade.position import Table
from domain.games.blockade.position_text import BLACK_LETTERS, LETTERS, letter_of
from domain.games.blockade.scene import piece

BLACKS: Final = "blacks"
"""The location of the blacks off the board (BLK-1.4)."""

ON_TOWER: Final = 3
"""The height in a stack of the pyramid directly on a tower."""


def locations(table: Table) -> tuple[Location, ...]:
    """Return the squares with their movable pyramids, and the supply of blacks."""
    return (
        *(
            Location(name, tuple(_stack_things(table.stacks[at])))
            for at, name in enumerate(BOARD.names)
        ),
        Location(BLACKS, tuple(_supply_things(table.supply)), "in the supply of blacks"),
    )


def _stack_things(stack: bytes) -> Iterator[Thing]:
    """Yield the kinds of pyramids in a stack, the top first."""
    for code, count in Counter(stack[: _bottom(stack) - 1 : -1]).items():
        yield _thing(code, count)


def _bottom(stack: bytes) -> int:
    """Return the height of the lowest movable pyramid of a stack."""
    return ON_TOWER if is_blockade(stack) else 1


def _supply_things(supply: bytes) -> Iterator[Thing]:
    """Yield the blacks, the largest first, because towers get them in that order (BLK-5.1)."""
    return (_thing(BLACK + size, supply[size]) for size in (3, 2, 1) if supply[size])


def _thing(code: int, count: int) -> Thing:
    colour = "black" if code & BLACK else COLOUR_WORD[code >> 2]
    return Thing(letter_of(code), f"{colour} {SIZE_WORD[code & 3]}", piece(code), count)


def fixed(table: Table, what: str, start: str) -> str:
    """Return why a tower under a black cannot be taken apart (BLK-5.2)."""
    if start not in BOARD.index:
        return ""
    stack = table.stacks[BOARD.index[start]]
    under, above = stack[1 : _bottom(stack)], stack[_bottom(stack) :]
    if what not in LETTERS or LETTERS[what] not in under or LETTERS[what] in above:
        return ""
    return (
        f"the tower on {start} is under a black and stays whole (BLK-5.2):"
        " first take the black away"
    )


def objection(end: str, there: Location | None, thing: Thing) -> str:
    """Return why a pyramid may not be put on a stack by the editor."""
    if end in BOARD.index or (end == BLACKS and thing.what in BLACK_LETTERS):
        return ""
    return (
        f"a {_word(thing.what)} cannot lie on {end!r}: coloured pyramids stay on the board"
        " (BLK-1.3), blacks on towers or in the supply"
    )


def lift(table: Table, thing: Thing, start: str) -> Table:
    """Take a pyramid away; of several identical ones in a stack, the topmost."""
    if start == BLACKS:
        return _supplied_with(table, BLACK_LETTERS[thing.what], -1)
    at = BOARD.index[start]
    stack = table.stacks[at]
    place = stack.rindex(_code(thing.what, stack))
    return _with_stack(table, at, stack[:place] + stack[place + 1 :])


def lay(table: Table, thing: Thing, end: str) -> Table:
    """Put a pyramid on top, or a black on its tower. Raises `Misplaced`."""
    what = thing.what
    if end == BLACKS:
        return _supplied_with(table, BLACK_LETTERS[what], 1)
    at = BOARD.index[end]
    stack = table.stacks[at]
    place = _free_tower(stack, end) if what in BLACK_LETTERS else len(stack)
    return _with_stack(table, at, stack[:place] + bytes((_code(what, stack),)) + stack[place:])


def _free_tower(stack: bytes, end: str) -> int:
    """Return the height for a black: directly on a tower, under all pyramids on it (BLK-5.1)."""
    if is_blockade(stack):
        raise Misplaced(f"{end} has a black already: a tower has only one (BLK-5.1)")
    if stack[:ON_TOWER] != TOWER[stack[0] >> 2]:
        raise Misplaced(
            f"{end} has no tower; put a black directly on a large, a medium and a small of a colour"
            " (BLK-5.1)"
        )
    return ON_TOWER


def _word(what: str) -> str:
    return "black" if what in BLACK_LETTERS else "coloured pyramid"


def _code(what: str, stack: bytes) -> int:
    """Return the code of a pyramid in a stack; a black's code includes its tower's colour."""
    if what in BLACK_LETTERS:
        return BLACK + (stack[0] & ~3) + BLACK_LETTERS[what]
    return LETTERS[what]


def _with_stack(table: Table, at: int, stack: bytes) -> Table:
    return replace(table, stacks=(*table.stacks[:at], stack, *table.stacks[at + 1 :]))


def _supplied_with(table: Table, size: int, more: int) -> Table:
    supply = bytearray(table.supply)
    supply[size] += more
    return replace(table, supply=bytes(supply))


def settle(table: Table) -> Table:
    """Recompute which blockades are walls (BLK-3.4).

    Dice and spent points stay unchanged, and a new tower does not get a black automatically.
    """
    walls = blockades(table.stacks, table.colours(3 - table.seat))
    return replace(table, walls=walls, result=None)


def begin_turn(table: Table, seat: int) -> Table:
    """Edit a position so that a seat rolls next."""
    return settle(replace(table, seat=seat, dice=None, spent=(0, 0)))


EDITOR: Final = Editor(locations, objection, lift, lay, begin_turn, settle, fixed)
