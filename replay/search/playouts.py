"""Playouts: random continuations of a position, their values and their number.

A value is from 0 for a loss to 1 for a win.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping
from functools import partial
from random import Random
from typing import Any, Final

from domain.game import Game
from domain.position import Move, Position, Secret
from replay.sampling.moves import random_secret

MAX_MOVES: Final = 30
"""The most moves of a playout; after them the score decides."""
SECRET_MOVES: Final = 5
"""The number of moves that a secret move counts as: it is a whole program or a hand."""
SCALE: Final = 4
"""The lead in points that counts as half of a win."""

HOPE: Final = 0.4
"""How much more an open end counts for the seat that searches: it will not play on at random."""

Values = tuple[float, ...]
"""The values for seats 1, 2 …"""
Kind = type[Move[Any]]
Enough = Callable[[int], bool]
"""Whether a number of playouts is enough."""


def play_out(
    choices: Choices, position: Position, seats: int, rng: Random, hopeful: int | None = None
) -> Values:
    """Play random moves to the end, or at most `MAX_MOVES`, and return the values of the position.

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
    """Shift the values in favour of a hopeful seat; `None` leaves them unchanged."""
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


def _value(points: Mapping[int, float], seat: int) -> float:
    others = [there for other, there in points.items() if other != seat]
    if seat not in points or not others:
        return 0.5
    lead = points[seat] - max(others)
    return 0.5 + 0.5 * lead / (abs(lead) + SCALE)


class Choices:
    """The moves of a game, as a player finds them."""

    def __init__(self, game: Game[Any]) -> None:
        self.game = game
        unlisted = (kind for kind in game.moves if kind.chance or not kind.listed)
        self._unlisted = {str(kind.__struct_config__.tag): kind for kind in unlisted}

    def mover(self, position: Position, first: int | None = None) -> int:
        """Return the seat that moves next: `first` if it must, else a seat that must or may act."""
        seats = [one.seat for one in sorted(position.awaiting(), key=lambda one: not one.must)]
        must = {one.seat for one in position.awaiting() if one.must}
        return first if first is not None and first in must else seats[0]

    def unlisted(self, position: Position, seat: int) -> Kind | None:
        """Return the awaited kind of move that dice decide or that cannot be listed, if any."""
        if not self._unlisted:
            return None
        awaited = (one for one in position.awaiting() if one.seat == seat)
        found = (self._unlisted.get(tag) for one in awaited for tag in one.moves)
        return next(filter(None, found), None)

    def listed(self, position: Position, seat: int) -> list[Move[Any]]:
        """Return the legal moves of a seat that can be listed."""
        return list(self.game.legal(position, seat))

    def at_random(self, position: Position, seat: int, rng: Random) -> Move[Any] | None:
        """Return a random move of a seat that is awaited; `None` if none is found."""
        kind = self.unlisted(position, seat)
        if kind is None:
            moves = self.listed(position, seat)
            return rng.choice(moves) if moves else None
        if kind.chance:
            return kind.roll(position, partial(rng.randint, 1))
        moves = self.listed(position, seat)
        if moves and rng.random() < 1 / 2:
            return rng.choice(moves)
        return random_secret(kind, position, seat, rng) or (rng.choice(moves) if moves else None)


def for_seconds(seconds: float, now: Callable[[], float] = time.monotonic) -> Enough:
    """Return a budget that ends after some seconds from now, and not before one playout."""
    end = now() + seconds
    return lambda playouts: playouts > 0 and now() >= end


def for_playouts(most: int) -> Enough:
    """Return a budget of a number of playouts."""
    return lambda playouts: playouts >= most
