"""Positions of Pyramid Ball as text, without sealed moves.

Texts contain no sealed moves, and a position with sealed moves cannot be set. The fields of a
position between turns: `program`; the board, with `S`, `M` and `L` of seat 1 and `s`, `m` and `l`
of seat 2; the seat at row 1; the ball, with its carrier, `1M`, or the square where it lies; the
offence; the seat whose goal row is closed to it; the points; the special moves that each seat has
taken, and those used up; `-`, because both seats program; the turn. The start:

    program 7/7/1l3s1/3m3/3M3/1L3S1/7/7 1 1M 1 - 0/0 -/- -/- - 1

While the ball must be placed after a goal, the text begins with `place` and has more fields before
the seat: the scorer; the next row of the turn, `row2`, or `row2+` if only its moves are left; the
halted pyramids; both programs as in a record. The ball then is `-`. The selection of who starts
is `pick - 1`, or `start 2 1` for the choice of seat 2.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from domain.board import OFF, SIZES
from domain.games.pyramid_ball.board import BOARD, NOBODY, PYRAMIDS, SEAT
from domain.games.pyramid_ball.conflicts import OPEN, ClosedRow
from domain.games.pyramid_ball.interrupted_text import (
    INTERRUPTED,
    NUMBER,
    read_goal,
    write_interrupted,
)
from domain.games.pyramid_ball.position import Play
from domain.games.pyramid_ball.table import GOAL, Table, in_order
from domain.games.pyramid_ball.turn import finish, goal_row
from domain.names import count
from domain.position_text import (
    NOTHING,
    Field,
    TextCodec,
    board_rows,
    fields,
    read_seat,
    read_turn,
)

HEAD: Final = (
    "the stage",
    "the board",
    "the seat at row 1",
    "the ball",
    "the offence",
    "the closed row",
    "the points",
    "the special moves taken",
    "the special moves used",
)
TAIL: Final = ("the seat to move", "the turn")

LAYOUT: Final = {
    "pick": (HEAD[0], *TAIL),
    "start": (HEAD[0], *TAIL),
    "program": HEAD + TAIL,
    "place": HEAD + INTERRUPTED + TAIL,
}
"""The fields of each stage."""

ROWS: Final = board_rows(BOARD, "[SMLsml]", "S, M or L of seat 1 or s, m or l of seat 2")
LETTERS: Final = "SMLsml"
"""The letters of the pyramids by number."""

SEATS: Final = {"1": 1, "2": 2}


def write(play: Play) -> str:
    """Write the public part of a position of Pyramid Ball."""
    table = play.table
    tail = (str(table.seat or NOTHING), str(table.turn))
    if table.stage in ("pick", "start"):
        return " ".join((table.stage, *tail))
    head = (
        table.stage,
        _write_board(table),
        str(table.low),
        _write_ball(table),
        str(table.offence),
        str(table.closed.seat or NOTHING),
        "/".join(map(str, table.scores)),
        "/".join(sizes or NOTHING for sizes in table.taken),
        "/".join(sizes or NOTHING for sizes in table.used),
    )
    return " ".join((*head, *write_interrupted(table.interrupted), *tail))


def _write_board(table: Table) -> str:
    pieces = [""] * len(BOARD.squares)
    for letter, at in zip(LETTERS, table.squares, strict=True):
        pieces[at] = letter
    return ROWS.write(pieces)


def _write_ball(table: Table) -> str:
    if table.carrier != NOBODY:
        return PYRAMIDS[table.carrier]
    return NOTHING if table.loose == OFF else BOARD.names[table.loose]


def read(play: Play, text: str) -> Play:
    """Return the position of a text of Pyramid Ball, without sealed moves.

    Raises `PositionError`.
    """
    table = _read_table(play.table, text)
    return Play(finish(table))


def _read_table(table: Table, text: str) -> Table:
    stage = Field(text, 1).split(" ")[0]
    names = stage.choice("the stage", LAYOUT)
    given = fields(text, names)
    if stage.text in ("pick", "start"):
        return _read_selection(table, *given)
    return _read_play(table, dict(zip(names, given, strict=True)))


def _read_selection(table: Table, stage: Field, seat: Field, turn: Field) -> Table:
    """BAL-2.2, BAL-2.3."""
    if stage.text == "start":
        ready = Table(table.advanced, "start", seat=read_seat(seat, (1, 2)))
    else:
        _read_nobody(seat)
        ready = Table(table.advanced, "pick")
    turn.number("the turn of the selection", 1, 1)
    return ready


def _read_nobody(seat: Field) -> None:
    seat.choice("with both seats to move, this field", {NOTHING: 0})


def _read_play(table: Table, given: Mapping[str, Field]) -> Table:
    squares = _read_board(given["the board"])
    low = given["the seat at row 1"].choice("the seat at row 1", SEATS)
    offence = given["the offence"].choice("the offence", SEATS)
    closed = given["the closed row"].choice("the closed row", {NOTHING: 0, **SEATS})
    scores = _read_points(given["the points"], advanced=table.advanced)
    taken, used = _read_specials(given, scores)
    ready = replace(
        table,
        stage="program",
        turn=read_turn(given["the turn"]),
        seat=0,
        low=low,
        squares=squares,
        carrier=NOBODY,
        loose=OFF,
        offence=offence,
        closed=ClosedRow(closed, goal_row(low, closed)) if closed else OPEN,
        scores=scores,
        taken=taken,
        used=used,
        interrupted=None,
        result=None,
    )
    if not table.advanced:
        _check_basic(given)
    if "the scorer" in given:
        return read_goal(ready, given)
    _read_nobody(given["the seat to move"])
    return _read_ball(ready, given["the ball"], given["the offence"])


def _read_board(field: Field) -> tuple[int, ...]:
    """Parse the squares of the six pyramids, each on a square of its own (BAL-1.1)."""
    squares: dict[str, int] = {}
    for at, piece in ROWS.read(field).items():
        if piece.text in squares:
            first = BOARD.names[squares[piece.text]]
            raise piece.wrong(f"{piece.text} is on {first} already")
        squares[piece.text] = at
    missing = [letter for letter in LETTERS if letter not in squares]
    if missing:
        raise field.wrong(f"all six pyramids must be on the board, so add {', '.join(missing)}")
    return tuple(squares[letter] for letter in LETTERS)


def _read_points(field: Field, *, advanced: bool) -> tuple[int, int]:
    """BAL-9.1: the last point ends the scoring."""
    most = GOAL if advanced else 1
    parts = field.parts("/", ("the points of seat 1", "the points of seat 2"))
    first, second = (part.number("the points of a seat", 0, most) for part in parts)
    if first == second == most:
        raise field.wrong(f"only one seat can have {count(most, 'point')}")
    return first, second


def _read_specials(
    given: Mapping[str, Field], scores: tuple[int, int]
) -> tuple[tuple[str, str], tuple[str, str]]:
    """BAL-11.1: one special move per point of the opponent; BAL-11.2: used once, after taking."""
    seats = ("those of seat 1", "those of seat 2")
    taken = given["the special moves taken"].parts("/", seats)
    used = given["the special moves used"].parts("/", seats)
    sizes = [_read_sizes(field) for field in (*taken, *used)]
    for seat in (1, 2):
        mine, gone, points = sizes[seat - 1], sizes[seat + 1], scores[2 - seat]
        if len(mine) > points:
            raise taken[seat - 1].wrong(
                f"{{seat}} has taken {len(mine)} special moves, but its opponent has scored"
                f" {points}",
                seat=seat,
            )
        if not set(gone) <= set(mine):
            raise used[seat - 1].wrong("{seat} has used a special move it has not taken", seat=seat)
    return (sizes[0], sizes[1]), (sizes[2], sizes[3])


def _read_sizes(field: Field) -> str:
    if field.text == NOTHING:
        return ""
    if not field.text or not set(field.text) <= set(SIZES) or _repeats(field.text):
        raise field.wrong(f"write special moves like SL, once each, or -, not {field.shown}")
    return in_order(field.text)


def _repeats(items: Sequence[object]) -> bool:
    return len(set(items)) < len(items)


def _check_basic(given: Mapping[str, Field]) -> None:
    """BAL-4.2: the first point ends the basic game."""
    for name, nothing in (("the stage", "program"), ("the closed row", "-")):
        if given[name].text != nothing:
            raise given[name].wrong(f"in the basic game {name} must be {nothing}")
    for name in ("the special moves taken", "the special moves used"):
        if given[name].text != "-/-":
            raise given[name].wrong("the basic game has no special moves; write -/-")
    if given["the ball"].text in BOARD.index:
        raise given["the ball"].wrong("in the basic game the ball must have a carrier, like 1M")


def _read_ball(table: Table, ball: Field, offence: Field) -> Table:
    """Return the table with the ball carried, or loose (BAL-1.4, BAL-10.2, BAL-10.3)."""
    carrier, loose = NUMBER.get(ball.text, NOBODY), BOARD.index.get(ball.text, OFF)
    if carrier == NOBODY and loose == OFF:
        raise ball.wrong(f"the ball must have a carrier, like 1M, or a square, not {ball.shown}")
    if carrier != NOBODY and SEAT[carrier] != table.offence:
        raise offence.wrong("the offence must be {seat}, which has the ball", seat=SEAT[carrier])
    if loose in table.squares:
        one = table.squares.index(loose)
        if SEAT[one] != table.offence:
            raise ball.wrong(f"a defender on the ball's square has it: write {PYRAMIDS[one]}")
    return replace(table, carrier=carrier, loose=loose)


TEXT: Final = TextCodec(write, read)
