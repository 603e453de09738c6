"""The refusals of Pyramid Ball: their clauses and their words."""

from __future__ import annotations

from domain.games.pyramid_ball.board import BOARD
from domain.games.pyramid_ball.effects import SPECIAL
from domain.games.pyramid_ball.position import Play
from domain.games.pyramid_ball.table import TASK, Table, placements, takeable
from domain.names import Player, Sentence, count
from domain.position import Violation

NAMES = BOARD.names


def untimely(position: Play, seat: int, what: str) -> Violation:
    """Refuse a kind of move that is not awaited of the seat."""
    instead = "is not awaited"
    for awaited in position.awaiting():
        if awaited.seat == seat and awaited.must:
            instead = f"is to {TASK[position.table.stage]}"
        elif awaited.seat == seat:
            instead = f"has locked in {{its}} program and can only {awaited.what}"
    template = f"no {{what}} now: {{seat}} {instead}"
    return Violation("turn", Sentence(template, what=what, seat=Player(seat)))


def early_pass() -> Violation:
    """Refuse an ordinary pass in row 1 (BAL-3.2)."""
    message = "a pass in row 1 needs the Quick Pass; else pass in row 2 or 3"
    return Violation("BAL-3.2", message)


def not_taken(table: Table, seat: int, size: str) -> Violation:
    """Refuse a program with a special move that the seat has not taken (BAL-11.1)."""
    if size in takeable(table, seat):
        could = f"; take it first, take={size}"
    else:
        could = "; it may take one for each point of the opponent, and has none left"
    message = Sentence(
        "{seat} has not taken the {special}{could}",
        seat=Player(seat),
        special=SPECIAL[size],
        could=could,
    )
    return Violation("BAL-11.1", message)


def used_up(seat: int, size: str) -> Violation:
    """Refuse a second use of a special move (BAL-11.2)."""
    message = Sentence(
        "{seat} has used up {its} {special}; leave it out",
        seat=Player(seat),
        special=SPECIAL[size],
    )
    return Violation("BAL-11.2", message)


def no_quick_pass(table: Table, seat: int) -> Violation:
    """Refuse a Quick Pass of a side whose medium does not have the ball (BAL-11.4)."""
    at = NAMES[table.squares[seat * 3 - 2]]
    message = Sentence(
        "the Quick Pass needs the ball at the medium; that of {seat} on {at} does not have it",
        seat=Player(seat),
        at=at,
    )
    return Violation("BAL-11.4", message, (at,))


def no_blitz(table: Table, seat: int) -> Violation:
    """Refuse a Blitz of the side with the ball (BAL-11.5)."""
    at = NAMES[table.squares[table.carrier]]
    message = Sentence(
        "the Blitz is for a side without the ball, and {seat} has it on {at}",
        seat=Player(seat),
        at=at,
    )
    return Violation("BAL-11.5", message, (at,))


def not_beside_scorer(table: Table, at: str) -> Violation:
    """Refuse to put the ball down anywhere but next to the scorer (BAL-10.1)."""
    right = [NAMES[place] for place in placements(table)]
    message = (
        f"the ball cannot lie on {at}: put it on the first empty square left or right"
        f" of the scorer, {' or '.join(right)}"
    )
    return Violation("BAL-10.1", message, (at, *right))


def taken_before(table: Table, seat: int, size: str) -> Violation:
    """Refuse to take a special move twice (BAL-11.1)."""
    right = " or ".join(f"take={other}" for other in takeable(table, seat))
    message = Sentence(
        "{seat} has taken {its} {special} before{could}",
        seat=Player(seat),
        special=SPECIAL[size],
        could=f"; it can {right}" if right else "",
    )
    return Violation("BAL-11.1", message)


def no_point_left(table: Table, seat: int) -> Violation:
    """Refuse to take more special moves than the opponent has points (BAL-11.1)."""
    message = Sentence(
        "{seat} has taken {taken}, and {other} has {points}; take at most one for each point",
        seat=Player(seat),
        taken=count(len(table.taken[seat - 1]), "special move"),
        points=count(table.scores[2 - seat], "point"),
        other=Player(3 - seat),
    )
    return Violation("BAL-11.1", message)
