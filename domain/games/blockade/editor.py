"""Blockade by hand: pyramids from stack to stack, and blacks between towers and the supply.

The bottom layer never moves, nor does a tower while its black stands on it (BLK-3.1, BLK-5.2).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from domain.editor import Editor, Location, Misplaced, Thing, taken
from domain.games.blockade.board import BLACK, BOARD, COLOUR_WORD, TOWER, blockades, is_blockade
from domain.games.blockade.scene import piece
from domain.games.blockade.text import BLACK_LETTERS, LETTERS, letter_of
from domain.pyramids import SIZE_WORD

if TYPE_CHECKING:
    from domain.games.blockade.position import Table

BLACKS: Final = "blacks"
"""Beside the board (BLK-1.4)."""

ON_TOWER: Final = 3
"""The place in a stack of what stands straight on a tower."""


def locations(table: Table) -> tuple[Location, ...]:
    """Return the squares with what can be taken from their stacks, and the supply of blacks."""
    return (
        *(Location(name, tuple(_stacked(table.stacks[at]))) for at, name in enumerate(BOARD.names)),
        Location(BLACKS, tuple(_supplied(table.supply)), "in the supply of blacks"),
    )


def _stacked(stack: bytes) -> Iterator[Thing]:
    """List the kinds of pyramids in a stack, what is on top first."""
    for code, count in Counter(stack[: _bottom(stack) - 1 : -1]).items():
        yield _thing(code, count)


def _bottom(stack: bytes) -> int:
    """Return the place of the lowest pyramid of a stack that can be taken."""
    return ON_TOWER if is_blockade(stack) else 1


def _supplied(supply: bytes) -> Iterator[Thing]:
    """List the blacks, the largest first, which a tower gets (BLK-5.1)."""
    return (_thing(BLACK + size, supply[size]) for size in (3, 2, 1) if supply[size])


def _thing(code: int, count: int) -> Thing:
    colour = "black" if code & BLACK else COLOUR_WORD[code >> 2]
    return Thing(letter_of(code), f"{colour} {SIZE_WORD[code & 3]}", piece(code), count)


def move(table: Table, what: str, start: str, end: str) -> Table:
    """Move a pyramid: of several alike in a stack the topmost. Raises `Misplaced`.

    Dice and points spent stay as they are, and a tower built gets no black by itself.
    """
    if start in BOARD.index:
        _check_tower(table.stacks[BOARD.index[start]], what, start)
    taken(locations(table), what, start)
    moved = _laid(_lifted(table, what, start), what, end)
    return replace(moved, walls=_walls(moved), result=None)


def _check_tower(stack: bytes, what: str, start: str) -> None:
    """BLK-5.2."""
    under, above = stack[1 : _bottom(stack)], stack[_bottom(stack) :]
    if what in LETTERS and LETTERS[what] in under and LETTERS[what] not in above:
        raise Misplaced(
            f"the tower on {start} stands under a black and is not taken apart (BLK-5.2):"
            " first take the black away"
        )


def _lifted(table: Table, what: str, start: str) -> Table:
    if start == BLACKS:
        return _supplied_with(table, BLACK_LETTERS[what], -1)
    at = BOARD.index[start]
    stack = table.stacks[at]
    place = stack.rindex(_code(what, stack))
    return _with_stack(table, at, stack[:place] + stack[place + 1 :])


def _laid(table: Table, what: str, end: str) -> Table:
    if end == BLACKS and what in BLACK_LETTERS:
        return _supplied_with(table, BLACK_LETTERS[what], 1)
    if end not in BOARD.index:
        raise Misplaced(
            f"on {end!r} no {_word(what)} can lie: coloured pyramids stay on the board (BLK-1.3),"
            " blacks stand on towers or lie in the supply"
        )
    at = BOARD.index[end]
    stack = table.stacks[at]
    place = _free_tower(stack, end) if what in BLACK_LETTERS else len(stack)
    return _with_stack(table, at, stack[:place] + bytes((_code(what, stack),)) + stack[place:])


def _free_tower(stack: bytes, end: str) -> int:
    """Return the place of a black: straight on a tower, whatever stands on that (BLK-5.1)."""
    if is_blockade(stack):
        raise Misplaced(f"on {end} a black stands already: a tower has one (BLK-5.1)")
    if stack[:ON_TOWER] != TOWER[stack[0] >> 2]:
        raise Misplaced(
            "a black stands straight on a tower, large, medium and small of one colour (BLK-5.1):"
            f" there is none on {end}"
        )
    return ON_TOWER


def _word(what: str) -> str:
    return "black" if what in BLACK_LETTERS else "coloured pyramid"


def _code(what: str, stack: bytes) -> int:
    """Return the number of a pyramid in that stack: of a black it tells the tower's colour."""
    if what in BLACK_LETTERS:
        return BLACK + (stack[0] & ~3) + BLACK_LETTERS[what]
    return LETTERS[what]


def _with_stack(table: Table, at: int, stack: bytes) -> Table:
    return replace(table, stacks=(*table.stacks[:at], stack, *table.stacks[at + 1 :]))


def _supplied_with(table: Table, size: int, more: int) -> Table:
    supply = bytearray(table.supply)
    supply[size] += more
    return replace(table, supply=bytes(supply))


def _walls(table: Table) -> int:
    """Return the opponent's blockades (BLK-3.4)."""
    return blockades(table.stacks, table.colours(3 - table.seat))


def give_turn(table: Table, seat: int) -> Table:
    """Let a seat be the one to roll. Raises `Misplaced`."""
    if seat not in (1, 2):
        raise Misplaced(f"there is no seat {seat}")
    turned = replace(table, seat=seat, dice=None, spent=(0, 0), result=None)
    return replace(turned, walls=_walls(turned))


EDITOR: Final = Editor(locations, move, give_turn)
