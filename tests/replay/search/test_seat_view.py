"""The view of a seat, and the states that agree with it."""

from __future__ import annotations

from random import Random

import pytest

from domain.entry import move_text
from domain.events import State
from domain.games import built_in
from domain.match import open_match
from replay.search import seat_view
from replay.search.seat_view import SealedMove, SeenLine

GAME = built_in("pyramid-ball")
PROGRAM = "1:S=...,M=F..,L=..."


def entered(state: State, token: str) -> State:
    event = move_text.read(GAME, state, token)
    assert event.check(state) is None
    return event.evolve(state)[0]


@pytest.fixture
def start() -> State:
    return open_match(GAME).state


def test_open_line_has_exactly_one_state(start):
    line = SeenLine(start).then(move_text.read(GAME, start, PROGRAM))
    assert line.draw(Random(1)) == entered(start, PROGRAM)


def test_hidden_moves_are_guessed_differently_each_time(start):
    line = SeenLine(start).then(SealedMove(2))
    drawn = [line.draw(Random(seed)) for seed in range(20)]
    assert all(state.position.sealed == (2,) for state in drawn)
    assert len({state.position.secrets for state in drawn}) > 15


def test_guesses_agree_with_later_events(start):
    line = SeenLine(start).then(SealedMove(2)).then(move_text.read(GAME, start, "2:foul"))
    for seed in range(5):
        assert line.draw(Random(seed)).position.sealed == ()


def test_impossible_line_has_no_state(start, monkeypatch):
    monkeypatch.setattr(seat_view, "TRIES", 3)
    line = SeenLine(start).then(SealedMove(2)).then(SealedMove(2))
    assert line.draw(Random(1)) is None
