"""The value of a position for each seat, from 0 for a loss to 1 for a win."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from random import Random
from typing import Any, Final

from domain.game import Game
from domain.position import Position, Secret
from replay.search.choices import Choices

MAX_MOVES: Final = 30
"""The most moves of a playout; one without an end counts by the score."""
SECRET_MOVES: Final = 5
"""A secret move counts as so many of them, for it is a whole program or a hand."""
SCALE: Final = 4
"""The lead in points that counts as half of a win."""

HOPE: Final = 0.4
"""How much more an open end counts for the seat that searches: it will not play on at random."""

Values = tuple[float, ...]
"""The values for seats 1, 2 …"""


def play_out(
    choices: Choices, position: Position, seats: int, rng: Random, hopeful: int | None = None
) -> Values:
    """Play random moves to the end, or to `MAX_MOVES`, and return the values then.

    An end that is open counts more for a `hopeful` seat.
    """
    left = MAX_MOVES
    while left > 0:
        outcome = position.outcome()
        if outcome is not None:
            return of_winners(outcome.winners, seats)
        seat = choices.mover(position)
        move = choices.at_random(position, seat, rng)
        if move is None:
            break
        position, _ = move.evolve(position, seat)
        left -= SECRET_MOVES if isinstance(move, Secret) else 1
    values = by_score(choices.game, position, seats)
    return values if position.outcome() is not None else hoped(values, hopeful)


def hoped(values: Values, seat: int | None) -> Values:
    """Return values that are higher for a hopeful seat, and lower for the others."""
    if seat is None:
        return values
    return tuple(
        value + HOPE * (1 - value) if one == seat else value * (1 - HOPE)
        for one, value in enumerate(values, 1)
    )


def of_winners(winners: Collection[int], seats: int) -> Values:
    """Return the values of an end: without winners it is a draw."""
    if not winners:
        return (0.5,) * seats
    return tuple(float(seat in winners) for seat in range(1, seats + 1))


def by_score(game: Game[Any], position: Position, seats: int) -> Values:
    """Return the values by the points that everybody sees next to the board."""
    outcome = position.outcome()
    if outcome is not None:
        return of_winners(outcome.winners, seats)
    trays = game.scene(position.view(None)).trays
    points = {tray.seat: tray.score.points for tray in trays if tray.seat and tray.score}
    return tuple(_value(points, seat) for seat in range(1, seats + 1))


def _value(points: Mapping[int, int], seat: int) -> float:
    others = [there for other, there in points.items() if other != seat]
    if seat not in points or not others:
        return 0.5
    lead = points[seat] - max(others)
    return 0.5 + 0.5 * lead / (abs(lead) + SCALE)
