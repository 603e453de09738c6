"""Listing the legal moves of the games: random playouts and perft."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Any, ClassVar, Final

from bench import yardsticks
from bench.games import Work, record, to_yardstick
from bench.row import Figure, Row, Sample
from domain.game import Game
from domain.games import BUILT_IN, built_in
from domain.match import fold
from domain.perft import perft
from domain.position import Position

MIDDLE: Final = 16
"""The ply at which playouts and perft begin."""
PLAYED: Final = 300
"""A playout without an end stops after this many moves."""


@dataclass(frozen=True)
class Generating(Row):
    """Random playouts and perft from the middle of a recorded match of each game whose moves can
    be listed; moves and nodes per second, to those of python-chess.
    """

    nodes: int = 1500
    """Perft goes as deep as it must to count this many positions."""
    rounds: ClassVar[int] = 15

    @property
    def figures(self) -> Sequence[Figure]:
        kinds = ("playout moves", "perft nodes")
        return [Figure(f"{kind} of {slug}, to chess") for slug in _slugs() for kind in kinds]

    @contextmanager
    def prepared(self) -> Iterator[Sample]:
        pairs = [pair for slug in _slugs() for pair in self._pairs(slug)]
        gc.collect()
        gc.freeze()  # the prepared objects need no further garbage collection
        yield lambda: [to_yardstick(work, yardstick) for work, yardstick in pairs]

    def _pairs(self, slug: str) -> Iterator[tuple[Work, Work]]:
        """Yield the work of each figure of a game with its yardstick."""
        game, match = built_in(slug), next(record(slug, 1))
        position = fold(match.opened, match.events[:MIDDLE]).state.position
        yield partial(played_out, game, position), yardsticks.played_out
        depth = next(depth for depth in range(1, 9) if perft(game, position, depth) >= self.nodes)
        yield partial(perft, game, position, depth), yardsticks.counted


def played_out(game: Game[Any], start: Position) -> int:
    """Play at random to the end; return the number of moves."""
    rng, position, count = Random(1), start, 0
    while position.outcome() is None and count < PLAYED:
        seat, move = rng.choice(list(game.legal_moves(position)))
        position, _ = move.evolve(position, seat)
        count += 1
    return count


def _slugs() -> list[str]:
    return [slug for slug in BUILT_IN if built_in(slug).lists_all]
