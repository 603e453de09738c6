"""Positions of Poptrix as text.

The fields: the board; the stash of seat 1 and of seat 2; the seat to move; the turn. Capital
letters are pyramids of seat 1, small letters pyramids of seat 2; `^` follows a pyramid that wears
its cap. Caps that are not on the board are in the stash. The start:

    5/5/5/5/5/5 5S5M5L 5s5m5l 1 1
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec.structs import replace

from domain.board import OFF, SIZE_WORD
from domain.games.poptrix.board import BOARD, HOME, SIDES, STASH
from domain.games.poptrix.position import Table
from domain.games.poptrix.turn import finish
from domain.position_text import (
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
    "the stash of seat 1",
    "the stash of seat 2",
    "the seat to move",
    "the turn",
)

LETTERS: Final = ("", "SML", "sml")
"""The sizes of each seat."""
NAME: Final = {0: ""} | {
    seat * 4 + pips: letter for seat in (1, 2) for pips, letter in enumerate(LETTERS[seat], 1)
}
CODE: Final = {name: code for code, name in NAME.items()}
CAP: Final = "^"
CAPPED: Final = 16
"""Added to the code of a pyramid that wears its cap."""

ROWS: Final = board_rows(
    BOARD, r"[SMLsml]\^?", "S, M or L of seat 1 or s, m or l of seat 2, with ^ if it wears its cap"
)

OF_EACH: Final = 5
"""How many pyramids of a size a seat has (POP-1.2)."""


_write_board = ROWS.writer(lambda code: NAME[code] if code < CAPPED else NAME[code - CAPPED] + CAP)


def write(table: Table) -> str:
    """Write a position of Poptrix."""
    board = bytearray(table.board)
    for cap in table.caps:
        if cap != OFF:
            board[cap] += CAPPED
    stashes = (write_supply(table.stash[seat * 4 + 1 :][:3], LETTERS[seat]) for seat in (1, 2))
    return " ".join((_write_board(bytes(board)), *stashes, str(table.seat), str(table.turn)))


def read(table: Table, text: str) -> Table:
    """Return the position of a text of Poptrix. Raises `PositionError`."""
    board, first, second, seat, turn = fields(text, FIELDS)
    written = ROWS.read(board)
    codes = bytes(CODE[written[at].text[0]] if at in written else 0 for at in BOARD.squares)
    stash = _read_stash(first, 1, codes) + _read_stash(second, 2, codes)
    caps = _read_cap(written, 1), _read_cap(written, 2)
    to_move = read_seat(seat, (1, 2))
    number = read_turn(turn)
    if number <= 2:
        _check_first_turns(turn, codes, stash, to_move, number)
    edited = replace(
        table,
        board=codes,
        stash=bytes(4) + stash,
        caps=caps,
        seat=to_move,
        turn=number,
        forced=False,
        result=None,
    )
    return finish(edited)


def _read_stash(field: Field, seat: int, codes: bytes) -> bytes:
    """Parse a stash; with the pyramids on the board it must not exceed the start (POP-1.2)."""
    counts = read_supply(field, LETTERS[seat], OF_EACH)
    for pips, left in enumerate(counts, 1):
        there = codes.count(seat * 4 + pips)
        if there + left > OF_EACH:
            raise field.wrong(
                f"{{seat}} can have at most {OF_EACH} {SIZE_WORD[pips]}s, not {there} on the board"
                f" and {left} in the stash",
                seat=seat,
            )
    return bytes((0, *counts))


def _read_cap(written: Mapping[int, Field], seat: int) -> int:
    """Return the square of a seat's only cap (POP-1.2)."""
    capped = [
        at for at, piece in written.items() if piece.text[0] in LETTERS[seat] and CAP in piece.text
    ]
    if len(capped) > 1:
        raise written[capped[1]].wrong(
            f"{{seat}} has only one cap, and the pyramid on {BOARD.names[capped[0]]} wears it",
            seat=seat,
        )
    return capped[0] if capped else OFF


def _check_first_turns(turn: Field, codes: bytes, stash: bytes, seat: int, number: int) -> None:
    """POP-2.1: before its first turn a seat must have everything in its stash."""
    sides = codes.translate(SIDES)
    for waiting in (seat, 3 - seat)[: 3 - number]:
        if waiting in sides or stash[waiting * 4 - 4 :][:4] != STASH[4:8]:
            raise turn.wrong(
                f"on turn {number} {{seat}} has not placed yet, so every pyramid must be in"
                " its stash; after the first placements the turn is 3 or more",
                seat=waiting,
            )
    if number == 2 and 3 - seat not in sides:
        raise turn.wrong("{seat} has not placed a pyramid, so this is turn 1, not 2", seat=3 - seat)
    if any(codes[at] for at in HOME[seat]):
        raise turn.wrong(f"on turn {number} the home row of {{seat}} must be empty", seat=seat)


TEXT: Final = TextCodec(write, read)
