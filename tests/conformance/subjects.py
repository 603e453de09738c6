"""What the suite runs on: every game on the shelf, with seats and options, and random matches."""

from __future__ import annotations

import atexit
import functools
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

from domain.events import LineEvent, State
from domain.game import Game, OptionError, Options
from domain.match import Match
from domain.position import Position
from replay import registry
from tests.conformance import door
from tests.conformance.players import option_sets, random_match

SEEDS = 2
"""How many matches are played of each table."""

# Tests are collected before any fixture can install the sixth game.
SITE = Path(tempfile.mkdtemp(prefix="plybook-site-"))
atexit.register(shutil.rmtree, SITE, ignore_errors=True)
door.install(door.SIXTH, SITE)
with door.opened(SITE):
    GAMES = registry.games()


GAME_OF = {type(game.start()): game for game in GAMES.values()}


def game_of(position: Position) -> Game[Any]:
    """Return the game whose position this is."""
    return GAME_OF[type(position)]


class Subject(NamedTuple):
    """A game with a number of seats and options, and the seed of a random match of it."""

    game: Game[Any]
    seats: int
    options: Options
    seed: int

    def __str__(self) -> str:
        options = "-".join(f"{k}={v}" for k, v in self.game.set_options(self.options).items())
        return "-".join(filter(None, (self.game.slug, f"{self.seats}", options, f"s{self.seed}")))

    @property
    def match(self) -> Match:
        """The random match."""
        return _match(self)

    @property
    def states(self) -> list[State]:
        """All points of its line, the start first."""
        return [self.match.start, *(ply.state for ply in self.match.line)]

    @property
    def steps(self) -> list[tuple[State, LineEvent, State]]:
        """Every event of its line, with the points before and after it."""
        events = [ply.event for ply in self.match.line]
        return list(zip(self.states, events, self.states[1:], strict=False))

    def some(self, number: int) -> list[State]:
        """Return so many points of its line, the start and the end among them."""
        between = self.states[1:-1]
        chosen = Random(self.seed).sample(between, min(number - 2, len(between)))
        return [self.states[0], *chosen, self.states[-1]]


def _tables() -> Iterator[tuple[Game[Any], int, Options]]:
    for game in GAMES.values():
        for seats in game.seats:
            for options in option_sets(game):
                try:
                    game.start(options, seats)
                except OptionError:
                    continue
                yield game, seats, options


@functools.cache
def _match(subject: Subject) -> Match:
    game, seats, options, seed = subject
    return random_match(game, seed, seats=seats, options=options)


SUBJECTS = [Subject(*table, seed) for table in _tables() for seed in range(SEEDS)]

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
every_subject = pytest.mark.parametrize("subject", SUBJECTS, ids=str)
