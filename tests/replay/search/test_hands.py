"""Hidden hands of cards are guessed until the end of a deal, and agree with the shown cards."""

from __future__ import annotations

from random import Random

import pytest

from domain.events import Moved, State
from domain.match import open_match
from replay import registry
from replay.sampling.moves import random_turn
from replay.search.seat_view import SealedMove, SeenLine
from tests.conformance.door import install, opened
from tests.paths import ROOT

VIEWERS = (2, None)


def seen_by(viewer: int | None, event: Moved) -> Moved | SealedMove:
    hidden = not type(event.move).listed and event.seat != viewer
    return SealedMove(event.seat) if hidden else event


@pytest.fixture
def whist(tmp_path):
    install(ROOT / "plugins" / "whist", tmp_path)
    with opened(tmp_path):
        yield registry.find("whist")


def played(whist, seed: int):
    """Yield the states of a random deal, each with the lines as the viewers have seen them."""
    state, rng = open_match(whist).state, Random(seed)
    lines = {viewer: SeenLine(state) for viewer in VIEWERS}
    while True:
        event = random_turn(whist, state.position, rng)
        assert isinstance(event, Moved)
        state, _ = event.evolve(state)
        if state.outcome is not None:
            return
        lines = {viewer: line.then(seen_by(viewer, event)) for viewer, line in lines.items()}
        yield state, lines


@pytest.mark.parametrize("seed", range(2))
def test_hands_are_guessed_until_the_deal_ends(whist, seed):
    for state, lines in played(whist, seed):
        for viewer, line in lines.items():
            drawn = line.draw(Random(seed))
            assert isinstance(drawn, State)
            assert drawn.position.view(None) == state.position.view(None)
            if viewer:
                assert drawn.position.view(viewer) == state.position.view(viewer)


def test_guessed_hands_differ(whist):
    (*_, (_, lines)) = [each for each, _ in zip(played(whist, 1), range(12), strict=False)]
    drawn = {lines[2].draw(Random(seed)).position.hands for seed in range(10)}
    assert len(drawn) == 10
