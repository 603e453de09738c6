"""Edit Pyramid Ball by hand: the six pyramids and the ball, from square to square.

After a goal, before the ball is placed (BAL-10.1), the scorer still has the ball. Once it is moved
by hand, the interrupted turn is dropped.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from domain.board import OFF, PIPS, SIZE_WORD
from domain.editor import Editor, Location, Misplaced, Thing, occupied
from domain.games.pyramid_ball.board import BOARD, NOBODY, SEAT, SIZE
from domain.games.pyramid_ball.position import Play
from domain.games.pyramid_ball.position_text import LETTERS
from domain.games.pyramid_ball.scene import BALL as DRAWN_BALL
from domain.games.pyramid_ball.scene import COLOURS
from domain.games.pyramid_ball.table import Table
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


def fixed(play: Play, what: str, start: str) -> str:
    """Return why nothing can be moved by hand yet."""
    if play.sealed:
        return "move pieces by hand after the sealed moves are revealed (BAL-3.3)"
    if not play.table.squares:
        return "move pieces by hand after the winner has chosen (BAL-2.3)"
    return ""


def objection(end: str, there: Location | None, thing: Thing) -> str:
    """Return why a pyramid, or the ball, may not be put there."""
    if there is None:
        return f"pyramids and ball must stay on the board (BAL-1.1), and {end!r} is not a square"
    taken = any(other.what != BALL for other in there.things)
    return occupied(there) if taken and thing.what != BALL else ""


def lift(play: Play, thing: Thing, start: str) -> Play:
    """Take a pyramid off its square; the ball changes its carrier when it is put down."""
    return play if thing.what == BALL else _standing_on(play, thing, OFF)


def lay(play: Play, thing: Thing, end: str) -> Play:
    """Put a pyramid down, with the ball if it carries it, or the ball alone. Raises `Misplaced`.

    A defender on the ball's square has the ball (BAL-10.3).
    """
    to = BOARD.index[end]
    if thing.what == BALL:
        return Play(_with_ball(play.table, to))
    moved = _standing_on(play, thing, to)
    if to == moved.table.loose and thing.seat != moved.table.offence:
        return Play(_give_ball(moved.table, LETTERS.index(thing.what)))
    return moved


def _standing_on(play: Play, thing: Thing, at: int) -> Play:
    one, squares = LETTERS.index(thing.what), play.table.squares
    moved = (*squares[:one], at, *squares[one + 1 :])
    return Play(replace(play.table, squares=moved, result=None))


def _with_ball(table: Table, to: int) -> Table:
    """Give the ball to the pyramid on a square, or put it on an empty square."""
    one = _standing(table, to)
    if one == _carrier(table) != NOBODY:
        return table
    if one != NOBODY:
        return _give_ball(table, one)
    if not table.advanced:
        raise Misplaced(
            f"in the basic game the ball never lies loose (BAL-10): {BOARD.names[to]} has"
            " no pyramid to carry it"
        )
    return replace(_drop_interruption(table), carrier=NOBODY, loose=to)


def _give_ball(table: Table, one: int) -> Table:
    """Let a pyramid carry the ball; its side becomes the offence (BAL-1.4)."""
    return replace(_drop_interruption(table), carrier=one, loose=OFF, offence=SEAT[one])


def _drop_interruption(table: Table) -> Table:
    """Return the table without an interrupted turn: both seats program."""
    return replace(table, stage="program", seat=0, interrupted=None, result=None)


def begin_turn(play: Play, seat: int) -> Play:
    """Begin a turn, in which both seats program (BAL-3.1).

    An interrupted turn is dropped; the scorer has the ball.
    """
    return Play(replace(_drop_interruption(play.table), carrier=_carrier(play.table)))


EDITOR: Final = Editor(locations, objection, lift, lay, begin_turn, fixed=fixed)
