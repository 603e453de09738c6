"""The moves that a player may choose: legal ones, rolls of dice, and secret ones at random."""

from __future__ import annotations

from functools import partial
from random import Random
from typing import Any

from domain.game import Game
from domain.position import Move, Position
from replay.sampling.moves import random_secret

Kind = type[Move[Any]]


class Choices:
    """The moves of a game, as a player finds them."""

    def __init__(self, game: Game[Any]) -> None:
        self.game = game
        unlisted = (kind for kind in game.moves if kind.chance or not kind.listed)
        self._unlisted = {str(kind.__struct_config__.tag): kind for kind in unlisted}

    def mover(self, position: Position, first: int | None = None) -> int:
        """Return the seat that moves next: `first` if it must, else another that must or may."""
        seats = [one.seat for one in sorted(position.awaiting(), key=lambda one: not one.must)]
        must = {one.seat for one in position.awaiting() if one.must}
        return first if first is not None and first in must else seats[0]

    def unlisted(self, position: Position, seat: int) -> Kind | None:
        """Return the kind of rolls, or of moves that are not listed, that is awaited, if any."""
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
