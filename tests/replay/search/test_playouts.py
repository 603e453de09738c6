"""The moves that a player may choose: whose turn it is, rolls, and random secrets."""

from __future__ import annotations

from random import Random

import pytest

from domain.events import Moved
from domain.games import BUILT_IN, built_in
from domain.match import open_match
from plybook.testing.subjects import random_match
from replay.sampling.moves import random_secret
from replay.search.playouts import Choices

BALL = built_in("pyramid-ball")


@pytest.mark.parametrize("slug", BUILT_IN)
def test_random_moves_are_legal_to_the_end(slug):
    choices, rng = Choices(built_in(slug)), Random(4)
    state = open_match(choices.game).state
    for _ in range(200):
        if state.outcome is not None:
            break
        seat = choices.mover(state.position)
        event = Moved(seat, choices.at_random(state.position, seat, rng))
        assert event.check(state) is None
        state, _ = event.evolve(state)


def test_requested_seat_moves_first_if_it_is_awaited():
    choices, position = Choices(BALL), open_match(BALL).state.position
    assert [choices.mover(position, seat) for seat in (None, 1, 2)] == [1, 1, 2]
    sealed = position.seal(2, random_secret(BALL.moves[0], position, 2, Random(1)))
    assert [choices.mover(sealed, seat) for seat in (None, 1, 2)] == [1, 1, 1]


def test_similar_secrets_differ_in_one_part():
    position = open_match(BALL).state.position
    kind = Choices(BALL).unlisted(position, 1)
    for seed in range(30):
        first = random_secret(kind, position, 1, Random(seed))
        other = random_secret(kind, position, 1, Random(seed + 100), first)
        parts = (kind.notation.split(kind.notation.write(move)) for move in (first, other))
        assert sum(one != two for one, two in zip(*parts, strict=True)) <= 1


def test_only_rolls_and_secrets_are_unlisted():
    match = random_match(built_in("blockade"), 1)
    choices = Choices(match.game)
    kinds = {
        choices.unlisted(state.position, choices.mover(state.position))
        for state in (ply.state for ply in match.line)
        if state.outcome is None
    }
    assert {kind and kind.chance for kind in kinds} == {None, True}
    assert choices.unlisted(open_match(built_in("poptrix")).state.position, 1) is None
