"""The text of a turn of Pyramid Ball that waits for the ball after a goal (BAL-10.1)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec.structs import replace

from domain.board import OFF
from domain.games.pyramid_ball.board import PYRAMIDS, ROW, SEAT
from domain.games.pyramid_ball.effects import Revealed
from domain.games.pyramid_ball.moves import Program
from domain.games.pyramid_ball.orders import PROGRAM
from domain.games.pyramid_ball.table import GOAL, Interrupted, Table
from domain.games.pyramid_ball.turn import goal_row, next_row
from domain.position_text import NOTHING, Field, read_seat

INTERRUPTED: Final = (
    "the scorer",
    "the next row",
    "the halted pyramids",
    "the program of seat 1",
    "the program of seat 2",
)

GOES_ON: Final = ("row1", "blitz1", "blitz2", "row2", "row3", "dash", "end")
"""The rows where a turn can resume, by number."""
MOVES_ONLY: Final = "+"
"""The mark of a row whose pass was already thrown."""

NUMBER: Final = {name: one for one, name in enumerate(PYRAMIDS)}


def write_interrupted(turn: Interrupted | None) -> tuple[str, ...]:
    """Write the fields of a turn that waits for the ball; none between turns."""
    if turn is None:
        return ()
    return (
        PYRAMIDS[turn.scorer],
        GOES_ON[turn.row] + (MOVES_ONLY if turn.passed else ""),
        ",".join(PYRAMIDS[one] for one in sorted(turn.halted)) or NOTHING,
        *map(PROGRAM.write, turn.programs),
    )


def read_goal(table: Table, given: Mapping[str, Field]) -> Table:
    """Return the table of a turn interrupted until the ball is placed (BAL-10.1)."""
    given["the ball"].choice("the ball that will be placed", {NOTHING: OFF})
    scorer = given["the scorer"].choice("the scorer", NUMBER)
    seat, row = SEAT[scorer], goal_row(table.low, SEAT[scorer])
    if ROW[table.squares[scorer]] != row:
        raise given["the scorer"].wrong(f"a scorer of {{seat}} must be in row {row + 1}", seat=seat)
    if table.scores[seat - 1] == 0:
        raise given["the points"].wrong("{seat} has scored, so it must have a point", seat=seat)
    if GOAL in table.scores:
        raise given["the points"].wrong("with the last point the game is over; write program")
    for name in ("the offence", "the closed row"):
        given[name].choice(f"{name} after the goal", {str(seat): seat})
    conceded = read_seat(given["the seat to move"], (3 - seat,))
    return replace(
        table, stage="place", seat=conceded, interrupted=_read_interrupted(table, scorer, given)
    )


def _read_interrupted(table: Table, scorer: int, given: Mapping[str, Field]) -> Interrupted:
    row, passed = _read_row(given["the next row"])
    first, second = (
        _read_program(given[f"the program of seat {seat}"], seat, table.used[seat - 1])
        for seat in (1, 2)
    )
    halted = _read_halted(given["the halted pyramids"])
    # A row that is not played is accepted, because older records name it.
    return Interrupted((first, second), next_row((first, second), row), passed, halted, scorer)


def _read_row(field: Field) -> tuple[int, bool]:
    name = field.text.removesuffix(MOVES_ONLY)
    passed = name != field.text
    row = Field(name, field.column).choice(
        "the next row", {name: row for row, name in enumerate(GOES_ON)}
    )
    # After a goal by moves of the first row the next row follows; only a pass stops before them.
    if (passed and name not in ("row1", "row2", "row3")) or (row == 0 and not passed):
        raise field.wrong(
            "a turn continues with row1+, row2+ or row3+ after a goal by a pass, else with blitz1,"
            f" blitz2, row2, row3, dash or end, not {field.shown}"
        )
    return row, passed


def _read_halted(field: Field) -> frozenset[int]:
    if field.text == NOTHING:
        return frozenset()
    halted = [part.choice("a halted pyramid", NUMBER) for part in field.split(",")]
    if halted != sorted(set(halted)):
        raise field.wrong("name each halted pyramid once, in the order 1S, 1M, … 2L")
    return frozenset(halted)


def _read_program(field: Field, seat: int, used: str) -> Revealed:
    """BAL-3.2; BAL-11.2: its special moves are used up."""
    orders = PROGRAM.read(field.text)
    if orders is None:
        raise field.wrong(f"write a program like {Program.example}, not {field.shown}")
    program = Revealed(seat, *orders)
    if program.pass_ is not None and program.pass_.row == 1 and not program.quick:
        raise field.wrong("a pass in row 1 needs the Quick Pass")
    if not set(program.specials) <= set(used):
        raise field.wrong(
            "the special moves in the program of {seat} must be among those used", seat=seat
        )
    return program
