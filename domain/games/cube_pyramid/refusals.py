"""The refusals of Cube Pyramid: their clauses and their words."""

from __future__ import annotations

from domain.games.cube_pyramid.board import BIT, SUPPORTS, names
from domain.games.cube_pyramid.effects import Colour
from domain.games.cube_pyramid.position import Table
from domain.names import Player, Sentence
from domain.position import Violation


def outside(at: str) -> Violation:
    """Refuse a cell that the pyramid does not have (CUB-1.2)."""
    return Violation("CUB-1.2", f"{at} lies outside the pyramid", (at,))


def no_cube(position: Table, clause: str, owner: int, cube: Colour, at: str) -> Violation:
    """Refuse a colour that the supply of `owner` has used up (CUB-2.2, CUB-3.1)."""
    message = Sentence(
        "{seat} has no {cube} cube left to take, only {left} ones",
        seat=Player(owner),
        cube=cube,
        left=" and ".join(position.colours(owner)),
    )
    return Violation(clause, message, (at,))


def not_open(position: Table, at: str) -> Violation:
    """Refuse a space that is filled, or whose supports are not filled (CUB-2.3)."""
    filled = position.light | position.dark
    if BIT[at] & filled:
        message = f"{at} is filled, and a placed cube never moves"
    else:
        missing = " and ".join(names(SUPPORTS[at] & ~filled))
        message = f"{at} is not open yet: {missing} below it must be filled first"
    return Violation("CUB-2.3", message, (at,))


def bonus_due(position: Table, seat: int, at: str) -> Violation:
    """Refuse another space while bonuses are due (CUB-3.1)."""
    due = names(position.due)
    message = Sentence(
        "{seat} must first fill {spaces}: the cubes below have one colour",
        seat=Player(seat),
        spaces=" and ".join(due),
    )
    return Violation("CUB-3.1", message, (at, *due))
