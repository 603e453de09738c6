"""Matches: folded, branched and ended; positions as values."""

from __future__ import annotations

from itertools import pairwise
from random import Random
from typing import Any

import msgspec
import pytest

from domain.events import Resigned, awaited_words
from domain.game import Game, OptionError
from domain.log_edits import TakenBack
from domain.match import Match, fold, open_match
from domain.position import Outcome
from plybook.testing.subjects import Subject


def _opened(subject: Subject) -> Match:
    return open_match(subject.game, subject.options, subject.seats)


def test_replay_in_two_parts_equals_replay(subject: Subject) -> None:
    events = [event for _, event, _ in subject.steps]
    assert fold(_opened(subject), events) == subject.match
    for cut in Random(subject.seed).sample(range(len(events) + 1), min(6, len(events) + 1)):
        assert fold(fold(_opened(subject), events[:cut]), events[cut:]) == subject.match


def test_takeback_restores_the_state(subject: Subject) -> None:
    for ply in {0, len(subject.steps) // 2, len(subject.steps) - 1}:
        cut = subject.match.evolve(TakenBack(ply))
        assert cut.state == subject.states[ply]
        assert [one.state for one in cut.line] == subject.states[1 : ply + 1]


def test_states_are_immutable(subject: Subject) -> None:
    match, seen = _opened(subject), []
    for _, event, _ in subject.steps:
        state = match.state
        seen.append((state, repr(state), hash(state.position)))
        for one in state.position.awaiting():
            list(state.game.legal(state.position, one.seat))
        for viewer in (None, *state.position.playing):
            subject.game.scene(state.position.view(viewer))
        event.check(state)
        match = match.evolve(event)
    assert [(repr(state), hash(state.position)) for state, _, _ in seen] == [
        (words, number) for _, words, number in seen
    ]


def test_events_are_deterministic(subject: Subject) -> None:
    for before, event, after in subject.steps:
        assert event.evolve(before)[0] == after


def test_no_seat_is_awaited_after_the_end(subject: Subject) -> None:
    for state in subject.states:
        over = state.position.outcome() is not None
        awaited = state.position.awaiting()
        assert over == (not awaited)
        all_may = {one.seat for one in awaited} == {*state.position.playing}
        assert over or all_may or any(one.must for one in awaited)
        if state.outcome is None:
            assert not over


def test_awaited_seats_are_playing_and_distinct(subject: Subject) -> None:
    for state in subject.states:
        seats = [one.seat for one in state.position.awaiting()]
        assert len(set(seats)) == len(seats)
        assert set(seats) <= set(state.position.playing)
        assert set(state.position.sealed) <= set(state.position.playing)
        assert set(state.position.playing) <= set(range(1, subject.seats + 1))
        assert all(one.what for one in state.position.awaiting())
        assert awaited_words(state)


def test_turn_numbers_begin_at_one_and_grow(subject: Subject) -> None:
    turns = [state.position.turn for state in subject.states]
    assert turns[0] == 1
    assert all(turn <= later for turn, later in pairwise(turns))


def check_ranks(outcome: Outcome, seats: int) -> None:
    """Require ranks that begin with the winners and have each seat once."""
    if outcome.ranks:
        assert outcome.ranks[0] == outcome.winners
        assert sorted(seat for rank in outcome.ranks for seat in rank) == list(range(1, seats + 1))


def test_outcome_names_a_seat_and_a_clause(subject: Subject) -> None:
    outcome = subject.states[-1].outcome
    if outcome is not None:
        assert set(outcome.winners) <= set(subject.states[-1].position.playing)
        assert len(outcome.scores) in (0, subject.seats)
        assert outcome.clause
        check_ranks(outcome, subject.seats)


def test_moves_after_the_end_are_refused(subject: Subject) -> None:
    if subject.states[-1].outcome is not None:
        for _, event, _ in subject.steps:
            assert event.check(subject.states[-1]).clause == "over"


def test_seat_may_resign_at_any_time(subject: Subject) -> None:
    for state in subject.some(10):
        for seat in state.position.playing if state.outcome is None else ():
            left = [other for other in state.position.playing if other != seat]
            event = Resigned(seat)
            assert event.check(state) is None
            after, _ = event.evolve(state)
            if after.outcome is not None:
                assert set(after.outcome.winners) <= set(left)
                assert after.outcome.clause
            else:
                assert len(left) > 1
                assert list(after.position.playing) == left
                assert seat not in {one.seat for one in after.position.awaiting()}
                assert after.position.turn >= state.position.turn


def test_effects_are_public_facts_with_words(subject: Subject) -> None:
    for ply in subject.match.line:
        for effect in ply.effects:
            assert effect.words()
            assert msgspec.json.decode(msgspec.json.encode(effect))["type"]


def test_unknown_seats_and_options_are_refused(game: Game[Any]) -> None:
    for seats in {0, 1, 9} - set(game.seats):
        with pytest.raises(OptionError, match="seats"):
            game.start(game.options(), seats)
    with pytest.raises(OptionError, match="no option"):
        game.read_options({"no such option": "1"})
    for name, values in game.choices().items():
        with pytest.raises(OptionError, match=name):
            game.read_options({name: "no such value"})
        for value in values:
            assert getattr(game.read_options({name: str(value)}), name) == value
