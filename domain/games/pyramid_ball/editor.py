"""Pyramid Ball by hand: the six pyramids and the ball, from square to square.

While a goal waits for the ball to be placed (BAL-10.1), the scorer still has it. Once a hand
takes it from there, nothing is left of the turn that waited.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from domain.board import OFF
from domain.editor import Editor, Location, Misplaced, Thing, taken
from domain.games.pyramid_ball.board import BOARD, NOBODY, SEAT, SIZE
from domain.games.pyramid_ball.position import Play
from domain.games.pyramid_ball.scene import BALL as DRAWN_BALL
from domain.games.pyramid_ball.scene import COLOURS
from domain.games.pyramid_ball.table import Table
from domain.games.pyramid_ball.text import LETTERS
from domain.pyramids import PIPS, SIZE_WORD
from domain.scene import Piece

BALL: Final = "ball"


def locations(play: Play) -> tuple[Location, ...]:
    """Return the squares; none while something is sealed or undecided (BAL-2.3, BAL-3.3)."""
    if play.sealed or not play.table.squares:
        return ()
    table = play.table
    return tuple(Location(name, tuple(_things(table, at))) for at, name in enumerate(BOARD.names))


def _things(table: Table, at: int) -> Iterator[Thing]:
    one = _standing(table, at)
    if one != NOBODY:
        yield _pyramid(one, carries=_carrier(table) == one)
    if _ball_at(table) == at:
        yield Thing(BALL, "the ball", DRAWN_BALL)


def _pyramid(one: int, *, carries: bool) -> Thing:
    seat, pips = SEAT[one], PIPS[SIZE[one]]
    badges = ("ball",) if carries else ()
    piece = Piece("pyramid", COLOURS[seat], pips, badges)
    return Thing(
        LETTERS[one], SIZE_WORD[pips], piece, 1, seat, ", with the ball" if carries else ""
    )


def _standing(table: Table, at: int) -> int:
    return table.squares.index(at) if at in table.squares else NOBODY


def _carrier(table: Table) -> int:
    return table.interrupted.scorer if table.interrupted else table.carrier


def _ball_at(table: Table) -> int:
    carrier = _carrier(table)
    return table.loose if carrier == NOBODY else table.squares[carrier]


def move(play: Play, what: str, start: str, end: str) -> Play:
    """Move a pyramid, with the ball if it carries it, or the ball alone. Raises `Misplaced`."""
    table = _shown(play)
    taken(locations(play), what, start)
    to = BOARD.index.get(end, OFF)
    if to == OFF:
        raise Misplaced(f"pyramids and ball stay on the board (BAL-1.1), and {end!r} is no square")
    if what == BALL:
        return Play(_with_ball(table, to))
    return Play(_moved(table, LETTERS.index(what), to))


def _moved(table: Table, one: int, to: int) -> Table:
    """Move a pyramid. A defender on the ball's square has the ball (BAL-10.3)."""
    if _standing(table, to) not in (NOBODY, one):
        raise Misplaced(f"{BOARD.names[to]} is taken: first take away what stands there")
    squares = (*table.squares[:one], to, *table.squares[one + 1 :])
    moved = replace(table, squares=squares, result=None)
    if to == table.loose and SEAT[one] != table.offence:
        return _carried(moved, one)
    return moved


def _with_ball(table: Table, to: int) -> Table:
    """Give the ball to the pyramid on a square, or lay it on an empty one."""
    one = _standing(table, to)
    if one == _carrier(table) != NOBODY:
        return table
    if one != NOBODY:
        return _carried(table, one)
    if not table.advanced:
        raise Misplaced(
            f"in the basic game the ball never lies loose (BAL-10): on {BOARD.names[to]} stands"
            " no pyramid to carry it"
        )
    return replace(_freed(table), carrier=NOBODY, loose=to)


def _carried(table: Table, one: int) -> Table:
    """Let a pyramid carry the ball; its side is the offence (BAL-1.4)."""
    return replace(_freed(table), carrier=one, loose=OFF, offence=SEAT[one])


def _freed(table: Table) -> Table:
    """Return the table without a turn that waits for the ball: both are to program."""
    return replace(table, stage="program", seat=0, interrupted=None, result=None)


def give_turn(play: Play, seat: int) -> Play:
    """Let a turn begin, in which a seat programs, and so does the other (BAL-3.1).

    Of a turn that waits for the ball nothing is left; the scorer has it. Raises `Misplaced`.
    """
    table = _shown(play)
    if seat not in (1, 2):
        raise Misplaced(f"there is no seat {seat}")
    return Play(replace(_freed(table), carrier=_carrier(table)))


def _shown(play: Play) -> Table:
    """Return the table if things on it can be moved by hand."""
    if play.sealed:
        raise Misplaced("nothing is moved by hand until what is sealed is revealed (BAL-3.3)")
    if not play.table.squares:
        raise Misplaced("nothing is moved by hand until it is decided who starts (BAL-2.3)")
    return play.table


EDITOR: Final = Editor(locations, move, give_turn)
