"""Hidden hands of cards are guessed until the end of a deal, and agree with the shown cards."""

from __future__ import annotations

from random import Random

import pytest

from domain.entry import move_text
from domain.events import Moved, State
from domain.match import open_match
from domain.unseen import Revoked
from replay import registry
from replay.sampling.moves import random_turn
from replay.search.playouts import for_playouts
from replay.search.seat_view import SealedMove, SeenLine
from replay.search.tree import search
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


def test_search_plays_only_cards_that_the_table_does_not_exclude(whist):
    state, rng = open_match(whist, whist.read_options({"hands": "unseen"})).state, Random(4)
    while state.position.table.number < 4:  # by then some seats have not followed suit
        state, _ = random_turn(whist, state.position, rng).evolve(state)
    found = search(SeenLine(state).draw, 4, Random(1), for_playouts(40), None)
    assert len(found.candidates) > 1
    for line in found.candidates:
        after = state
        for text in line.texts:
            after, effects = move_text.read(whist, after, text).evolve(after)
            assert not any(isinstance(each, Revoked) for each in effects), line.texts


def test_guessed_hands_differ(whist):
    (*_, (_, lines)) = [each for each, _ in zip(played(whist, 1), range(12), strict=False)]
    drawn = {lines[2].draw(Random(seed)).position.hands for seed in range(10)}
    assert len(drawn) == 10
