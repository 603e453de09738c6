"""Moves that are tried in the positions of random matches, and what the referee says to them."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Iterator
from random import Random
from typing import Any, Final, NamedTuple

import msgspec

from domain.entry import tokens
from domain.events import Moved, State
from domain.game import Game
from domain.match import open_match
from domain.position import Position, Violation
from replay.sampling.moves import changed, random_of, random_turn
from replay.sampling.setups import setups

PLIES: Final = 200
"""A match without an end stops after this many moves."""

TRIES: Final = 40
"""The moves that are tried in each position."""


class Place(NamedTuple):
    """A position of a random match: its setup, the moves that led there, its state and its text."""

    seats: int
    options: dict[str, Any]
    played: tuple[str, ...]
    state: State
    text: str | None


class Trial(NamedTuple):
    """A move in a position, and why it is illegal, if it is."""

    place: Place
    event: Moved
    violation: Violation | None

    @property
    def clause(self) -> str:
        """The clause that the move breaks; empty for a legal one."""
        return self.violation.clause if self.violation else ""

    @property
    def key(self) -> bytes:
        """The digest of the position, the seat and the move."""
        place = self.place
        parts = (place.seats, place.options, place.text or place.state.position, self.event)
        return hashlib.blake2b(msgspec.json.encode(parts), digest_size=16).digest()


def trials(game: Game[Any], rng: Random) -> Iterator[Trial]:
    """Play a random match, and yield its moves and others that are tried on the way."""
    for place, event in _places(game, rng):
        tried = itertools.chain([event], _attempts(game, place.state.position, rng))
        for each in dict.fromkeys(tried):
            yield Trial(place, each, each.check(place.state))


def _places(game: Game[Any], rng: Random) -> Iterator[tuple[Place, Moved]]:
    """Yield the positions of a random match, each with the move that was made there."""
    seats, options = rng.choice(list(setups(game)))
    chosen, state = game.set_options(options), open_match(game, options, seats).state
    played = tuple[str, ...]()
    while state.outcome is None and len(played) < PLIES:
        event = random_turn(game, state.position, rng)
        text = game.write_position(state.position) if game.text else None
        yield Place(seats, chosen, played, state, text), event
        played = (*played, tokens.write(game, event))
        state, _ = event.evolve(state)


def _attempts(game: Game[Any], position: Position, rng: Random) -> Iterator[Moved]:
    """Yield moves of the awaited seats, half of them changed from legal ones in one field."""
    legal = list(game.legal_moves(position))
    awaited = position.awaiting()
    for number in range(TRIES):
        if legal and number % 2:
            seat, move = rng.choice(legal)
            yield Moved(seat, changed(move, rng))
        else:
            yield Moved(rng.choice(awaited).seat, random_of(rng.choice(game.moves), rng))
