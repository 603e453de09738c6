"""Positions of Power Play as text.

The fields: the board; each seat's hand, or `out`; the pips each has lost; the jump under way;
the seats kicked back in this turn that have yet to put back; the seat to move; the turn. A piece
is its seat and its pyramids, `1L`, a nest is written `1LMS`, a power piece `1L+M+S`; `B` is a
black. A jump from a1 that has come to a3 is `a1^a3`, and `a1^a3x` if it has captured or
kicked back. The start with two seats:

    5,2LMS,2LMS,2LMS/7,2LMS/7,2LMS/3,B,B,3/3,B,B,3/1LMS,7/1LMS,7/1LMS,1LMS,1LMS,5 -/- 0/0 - - 1 1
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from domain.board import SIZE_WORD, SIZES
from domain.games.power_play.board import BOARD, CENTRE
from domain.games.power_play.pieces import (
    BLACK,
    CODES,
    OF_A_SEAT,
    PYRAMIDS,
    SEAT_SHIFT,
    has_pieces,
    is_nest,
    is_power,
)
from domain.games.power_play.position import Jumper, Table
from domain.games.power_play.turn import finish
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
    "the hands",
    "the pips lost",
    "the jump",
    "the seats kicked back",
    "the seat to move",
    "the turn",
)

OUT: Final = "out"
"""The text for a seat without a hand, which is out of the game."""

OF_EACH_SIZE: Final = 5
PIPS: Final = 30
"""The pips of a seat at the start (PWR-1.5)."""


def _name(code: int) -> str:
    joint = "+" if is_power(code) else ""
    return f"{code >> SEAT_SHIFT}{joint.join(SIZES[pips - 1] for pips in PYRAMIDS[code])}"


NAME: Final = {0: "", BLACK: "B"} | {code: _name(code) for code in OF_A_SEAT}
CODE: Final = {name: code for code, name in NAME.items()}

ROWS: Final = board_rows(
    BOARD,
    "|".join(re.escape(name) for name in CODE if name),
    "a piece like 1L, a nest like 1LMS, a power piece like 1L+M or a black, B",
    ",",
)
_write_board = ROWS.writer(NAME.__getitem__)

JUMP: Final = re.compile(r"([a-h][1-8])\^([a-h][1-8])(x?)")


def write(table: Table) -> str:
    """Write a position of Power Play."""
    seats = range(1, len(table.lost) + 1)
    return " ".join(
        (
            _write_board(table.board),
            "/".join(_write_hand(table, seat) for seat in seats),
            "/".join(map(str, table.lost)),
            _write_jump(table.jumper),
            ",".join(map(str, table.kicked)) or NOTHING,
            str(table.seat),
            str(table.turn),
        )
    )


def _write_hand(table: Table, seat: int) -> str:
    if seat not in table.playing:
        return OUT
    hand = table.hands[seat * 4 + 1 : seat * 4 + 4]
    return write_supply(hand, "SML") if any(hand) else NOTHING


def _write_jump(jumper: Jumper | None) -> str:
    if jumper is None:
        return NOTHING
    struck = "x" if jumper.struck else ""
    return f"{BOARD.names[jumper.start]}^{BOARD.names[jumper.at]}{struck}"


def read(table: Table, text: str) -> Table:
    """Return the position of a text of Power Play. Raises `PositionError`."""
    board, hands, lost, jump, kicked, seat, turn = fields(text, FIELDS)
    seats = range(1, len(table.lost) + 1)
    written = ROWS.read(board)
    codes = bytes(CODE[written[at].text] if at in written else 0 for at in BOARD.squares)
    _check_blacks(board, codes)
    held = _read_hands(hands, seats)
    _check_seats(written, codes, hands, held)
    pips = _read_lost(lost, seats, codes, held)
    to_move = read_seat(seat, seats)
    jumper = _read_jump(jump, codes, to_move)
    returning = _read_kicked(kicked, to_move, held, jumper)
    if not returning and len(held) > 1:
        read_seat(seat, held)  # the seat may be out only while others put back (PWR-6.4)
    edited = replace(
        table,
        board=codes,
        hands=bytes(4) + b"".join(held.get(seat, bytes(4)) for seat in (1, 2, 3, 4)),
        lost=pips,
        playing=tuple(held),
        seat=to_move,
        turn=read_turn(turn),
        jumper=jumper,
        kicked=returning,
        due=0,
        result=None,
    )
    return finish(edited)


def _check_blacks(board: Field, codes: bytes) -> None:
    """PWR-1.3."""
    for at, code in enumerate(codes):
        if (code == BLACK) != (at in CENTRE):
            where = f"{BOARD.names[at]} is wrong"
            raise board.wrong(f"the blacks must be on d4, d5, e4 and e5; {where}")


def _read_hands(field: Field, seats: Sequence[int]) -> dict[int, bytes]:
    """Parse the hands of the playing seats."""
    hands: dict[int, bytes] = {}
    parts = field.parts("/", [f"the hand of seat {seat}" for seat in seats])
    for seat, part in zip(seats, parts, strict=True):
        if part.text == NOTHING:
            hands[seat] = bytes(4)
        elif part.text != OUT:
            counts = read_supply(part, "SML", OF_EACH_SIZE)
            if not any(counts):
                raise part.wrong("write - for an empty hand")
            hands[seat] = bytes((0, *counts))
    if not hands:
        raise field.wrong("at least one seat must be in the game")
    return hands


def _check_seats(
    written: Mapping[int, Field], codes: bytes, hands: Field, held: Mapping[int, bytes]
) -> None:
    """PWR-1.5, PWR-6.3, PWR-6.4."""
    for at, piece in written.items():
        owner = codes[at] >> SEAT_SHIFT
        if owner and owner not in held:
            raise piece.wrong("{seat} is not in the game, so it can have no piece", seat=owner)
    for seat, hand in held.items():
        if not any(hand) and not has_pieces(codes, seat):
            raise hands.wrong("{seat} has no pyramid left, so it must be out", seat=seat)


def _read_lost(
    field: Field, seats: Sequence[int], codes: bytes, held: Mapping[int, bytes]
) -> tuple[int, ...]:
    """Parse the lost pips; a playing seat's pips must add up, size by size."""
    parts = field.parts("/", [f"the pips lost by seat {seat}" for seat in seats])
    lost = [part.number("the pips lost", 0, PIPS) for part in parts]
    for seat, part in zip(seats, parts, strict=True):
        if seat not in held:
            continue
        there = owned(codes, seat, held[seat])
        for pips, count in there.items():
            if count > OF_EACH_SIZE:
                raise part.wrong(
                    f"{{seat}} must have {OF_EACH_SIZE} {SIZE_WORD[pips]}s, not {count}"
                    " on the board and in hand",
                    seat=seat,
                )
        left = sum(pips * count for pips, count in there.items())
        if left + lost[seat - 1] != PIPS:
            raise part.wrong(
                f"{{seat}} has {left} pips on the board and in hand and so has lost"
                f" {PIPS - left}, not {lost[seat - 1]}",
                seat=seat,
            )
    return tuple(lost)


def owned(codes: bytes, seat: int, hand: bytes) -> dict[int, int]:
    """Count a seat's pyramids on the board and in its hand by their pips."""
    pieces = [PYRAMIDS[code] for code in codes if code in CODES and code >> SEAT_SHIFT == seat]
    return {pips: hand[pips] + sum(sizes.count(pips) for sizes in pieces) for pips in (1, 2, 3)}


def _read_jump(field: Field, codes: bytes, seat: int) -> Jumper | None:
    """Parse the jump under way, of a piece of the seat in turn (PWR-4.6)."""
    if field.text == NOTHING:
        return None
    found = JUMP.fullmatch(field.text)
    if found is None:
        raise field.wrong(f"write a jump like a1^a3 or a1^a3x, or -, not {field.shown}")
    start, at = BOARD.index[found[1]], BOARD.index[found[2]]
    if codes[at] >> SEAT_SHIFT != seat or is_nest(codes[at]):
        raise field.wrong(
            f"{found[2]} has no piece of {{seat}} that could be jumping", 3, seat=seat
        )
    if codes[start] and codes[start] >> SEAT_SHIFT != seat:
        raise field.wrong(f"the jump has left {found[1]}, so that square must be empty")
    return Jumper(start, at, bool(found[3]))


def _read_kicked(
    field: Field, seat: int, held: Mapping[int, bytes], jumper: Jumper | None
) -> tuple[int, ...]:
    """Parse the seats kicked back, clockwise from the seat in turn (PWR-5.1)."""
    if field.text == NOTHING:
        return ()
    order = [other for other in sorted(held, key=lambda one: (one < seat, one)) if other != seat]
    kicked: list[int] = []
    for part in field.split(","):
        able = {str(other): other for other in order if any(held[other])}
        if not able and kicked:
            raise part.wrong("name each seat once, clockwise from the seat to move")
        if not able:
            raise part.wrong("no other seat has anything in its hand to put back; write -")
        kicked.append(part.choice("a seat kicked back", able))
        del order[: order.index(kicked[-1]) + 1]
    if jumper is not None and not jumper.struck:
        raise field.wrong("a jump that has struck no piece kicks no seat back; write -")
    return tuple(kicked)


TEXT: Final = TextCodec(write, read)
