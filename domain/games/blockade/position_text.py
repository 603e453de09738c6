"""Positions of Blockade as text.

The fields: the pyramids on the larges; the blacks left; the dice; the points spent in each colour;
the seat to move; the turn. A square lists its pyramids from the bottom up, without the large that
never leaves it: `B` and `b` are a medium and a small in blue, likewise green, red and yellow; `l`,
`m` and `s` are blacks. The start:

    GGGGG,b,b,b,RRRRR/r,r,r,b,y/r,g,1,b,y/r,g,y,y,y/YYYYY,g,g,g,BBBBB 5S5M5L - - 1 1
"""

from __future__ import annotations

from collections import Counter
from typing import Final

from msgspec.structs import replace

from domain.board import SIZE_WORD
from domain.games.blockade.board import (
    BLACK,
    BLACKS,
    BOARD,
    COLOUR_WORD,
    LARGE,
    MEDIUM,
    SMALL,
    TOWER,
    Stacks,
    blockades,
    set_up,
)
from domain.games.blockade.position import Pair, Table
from domain.games.blockade.turn import finish, winners
from domain.position_text import (
    NOTHING,
    Field,
    TextCodec,
    board_rows,
    fields,
    read_seat,
    read_supply,
    read_turn,
    write_supply,
)

FIELDS: Final = (
    "the board",
    "the blacks left",
    "the dice",
    "the points spent",
    "the seat to move",
    "the turn",
)

ROWS: Final = board_rows(
    BOARD, "[BGRYbgrylms]+", "a stack: B b G g R r Y y for colours, l m s for blacks", ","
)

LETTERS: Final = {
    letter.upper() if size == MEDIUM else letter: colour * 4 + size
    for colour, letter in enumerate("bgry", 1)
    for size in (SMALL, MEDIUM)
}
"""The pyramids that move, by letter."""
BLACK_LETTERS: Final = {"s": SMALL, "m": MEDIUM, "l": LARGE}

BOTTOM: Final = tuple(stack[:1] for stack in set_up())
"""The bottom layer, which never changes (BLK-1.2)."""

OF_EACH: Final = 5
"""The number of pyramids of a colour and a size (BLK-1.3, BLK-1.4)."""


def write(table: Table) -> str:
    """Write a position of Blockade."""
    return " ".join(
        (
            _write_board(table.stacks),
            write_supply(table.supply[1:], "SML"),
            _write_pair(table.dice),
            _write_pair(table.spent if table.dice else None),
            str(table.seat),
            str(table.turn),
        )
    )


_write_board = ROWS.writer(lambda stack: "".join(map(letter_of, stack[1:])))


def letter_of(pyramid: int) -> str:
    """Return the letter of a pyramid, or of a black on a tower."""
    if pyramid & BLACK:
        return "_sml"[pyramid & 3]
    return next(letter for letter, code in LETTERS.items() if code == pyramid)


def _write_pair(pair: Pair | None) -> str:
    return f"{pair[0]},{pair[1]}" if pair else NOTHING


def read(table: Table, text: str) -> Table:
    """Return the position of a text of Blockade. Raises `PositionError`."""
    board, blacks, rolled, points, seat, turn = fields(text, FIELDS)
    written = ROWS.read(board)
    stacks = tuple(_read_stack(bottom, written.get(square)) for square, bottom in enumerate(BOTTOM))
    _check_colours(board, stacks)
    supply = _read_supply(blacks, stacks)
    dice = _read_pair(rolled, "a die", 1, 6)
    spent = _read_spent(points, dice)
    to_move = read_seat(seat, (1, 2))
    there = replace(
        table,
        stacks=stacks,
        supply=supply,
        seat=to_move,
        turn=read_turn(turn),
        walls=blockades(stacks, table.colours(3 - to_move)),
        dice=dice,
        spent=spent,
        result=None,
    )
    if len(winners(there)) > 1:
        raise board.wrong("only one seat can have five towers of a colour")
    return finish(there)


def _read_stack(bottom: bytes, field: Field | None) -> bytes:
    """Parse the stack on a large. A black may be there only on a tower (BLK-5.1)."""
    stack = bottom
    for place, letter in enumerate(field.text if field else ""):
        if letter in LETTERS:
            stack += bytes((LETTERS[letter],))
            continue
        colour = bottom[0] >> 2
        if stack != TOWER[colour]:
            assert field is not None
            raise field.wrong(
                "a black must lie directly on a tower: a large, a medium and a small", place
            )
        stack += bytes((BLACK + colour * 4 + BLACK_LETTERS[letter],))
    return stack


def _check_colours(board: Field, stacks: Stacks) -> None:
    """Require all coloured pyramids on the board (BLK-1.3)."""
    there = Counter(pyramid for stack in stacks for pyramid in stack[1:])
    for pyramid in LETTERS.values():
        if there[pyramid] != OF_EACH:
            name = f"{COLOUR_WORD[pyramid >> 2]} {SIZE_WORD[pyramid & 3]}"
            raise board.wrong(f"the board must have {OF_EACH} {name}s, not {there[pyramid]}")


def _read_supply(field: Field, stacks: Stacks) -> bytes:
    """Parse the supply: with those on the board it must give 15 blacks (BLK-1.4)."""
    supply = bytes((0, *read_supply(field, "SML", OF_EACH)))
    there = Counter(top & 3 for stack in stacks for top in stack if top & BLACK)
    for size in (SMALL, MEDIUM, LARGE):
        if there[size] + supply[size] != BLACKS[size]:
            raise field.wrong(
                f"there must be {OF_EACH} black {SIZE_WORD[size]}s, not {there[size]} on the board"
                f" and {supply[size]} left"
            )
    return supply


def _read_pair(field: Field, what: str, low: int, high: int) -> Pair | None:
    if field.text == NOTHING:
        return None
    first, second = field.parts(",", ("the first number", "the second"))
    return first.number(what, low, high), second.number(what, low, high)


def _read_spent(field: Field, dice: Pair | None) -> Pair:
    """Parse the spent points, which must be within the roll (BLK-2.3)."""
    spent = _read_pair(field, "the points spent in a colour", 0, 6)
    if (spent is None) != (dice is None):
        raise field.wrong("after the roll write the points spent, like 0,2; before it write -")
    if spent is None or dice is None or _within(dice, spent):
        return spent or (0, 0)
    raise field.wrong(
        f"a roll of {_write_pair(dice)} does not cover the points {_write_pair(spent)}"
    )


def _within(dice: Pair, spent: Pair) -> bool:
    apart = spent[0] <= dice[0] and spent[1] <= dice[1]
    return apart or (max(dice) <= 3 and min(spent) == 0 and sum(spent) <= sum(dice))


TEXT: Final = TextCodec(write, read)
