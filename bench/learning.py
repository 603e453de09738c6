"""The environments of PettingZoo, compared with the bare referee."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Any, ClassVar

from bench.games import to_yardstick
from bench.row import Figure, Row, Sample
from domain.entry import move_text
from domain.events import Moved
from domain.game import Game
from domain.games import BUILT_IN, built_in
from domain.match import open_match
from domain.position import Violation
from plybook.rl import env
from replay.sampling.moves import random_turn


@dataclass(frozen=True)
class Learning(Row):
    """Steps of the environment of each game, with the observation and the mask of the agent that
    acts, to steps of the bare referee, by CPU time: it lists the legal moves as texts, reads one,
    judges it and plays it. Both choose at random, and play up to 200 moves. A program of Pyramid
    Ball, which the referee reads whole, is composed in seven steps.
    """

    steps: int = 2000
    rounds: ClassVar[int] = 7

    @property
    def figures(self) -> Sequence[Figure]:
        return [
            Figure(f"steps of {slug} in its environment, to the referee's", at_least=0.7)
            for slug in BUILT_IN
        ]

    @contextmanager
    def prepared(self) -> Iterator[Sample]:
        games = [built_in(slug) for slug in BUILT_IN]
        works = [[partial(work, game, self.steps) for work in (stepped, played)] for game in games]
        yield lambda: [to_yardstick(step, play) for step, play in works]


LONGEST = 200


def stepped(game: Game[Any], steps: int) -> int:
    """Take so many steps in an environment."""
    rng, there = Random(1), env(game, max_moves=LONGEST)
    there.reset(seed=1)
    for _ in range(steps):
        seen, _, terminated, truncated, _ = there.last()
        if terminated or truncated:
            there.reset()
            continue
        legal = seen["action_mask"].nonzero()[0]
        there.step(legal[rng.randrange(len(legal))])
    return steps


def played(game: Game[Any], steps: int) -> int:
    """Play so many moves as the referee alone does."""
    rng = Random(1)
    start = state = open_match(game).state
    for number in range(1, steps + 1):
        listed = move_text.legal_texts(game, state)
        token = rng.choice(listed) if game.lists_all else secret(game, state, rng)
        event = move_text.read(game, state, token)
        assert not isinstance(event, Violation)
        assert event.check(state) is None
        state, _ = event.evolve(state)
        if state.outcome is not None or number % LONGEST == 0:
            state = start
    return steps


def secret(game: Game[Any], state: Any, rng: Random) -> str:
    """Draw a move that cannot be listed."""
    event = random_turn(game, state.position, rng)
    return move_text.write(game, Moved(event.seat, event.move))
