"""Moves: written and read, allowed and refused."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from random import Random
from typing import Any

import msgspec

from domain.effects import Breach
from domain.entry import move_text, stood
from domain.events import Moved, State, Stood, broken_clause
from domain.game import Game
from domain.names import Names
from domain.position import Move, Violation
from plybook.testing.subjects import Subject, with_script, with_text
from replay import rules_text
from replay.record import codec
from replay.sampling.moves import changed, random_of, secret_kinds

SEAT = re.compile(r"\bseat \d")
NAMED = Names({seat: f"P{seat}" for seat in range(10)})


def test_json_move_round_trip(subject: Subject) -> None:
    for _, event, _ in subject.steps:
        if isinstance(event, Moved):
            assert subject.game.decode(msgspec.json.encode(event.move)) == event.move


def test_stored_event_round_trip(subject: Subject) -> None:
    for _, event, _ in subject.steps:
        new = codec.encode(subject.game, event, event_id=bytes(16), actor="seat 1", at=0)
        assert codec.decode(subject.game, new.as_stored(1, b"")) == event


def test_event_text_round_trip(subject: Subject) -> None:
    for before, event, _ in subject.steps:
        text = move_text.write(subject.game, event)
        assert move_text.read(subject.game, before, text) == event
        assert text.isascii()
        assert not set(text) & set(" \t\n{}()")


@with_script
def test_script_round_trip(subject: Subject) -> None:
    for state in subject.some(12):
        listed = _listed(state)
        texts = [move_text.script(subject.game, state, event) or "" for event in listed]
        assert len(set(texts)) == len(texts)
        assert [move_text.read(subject.game, state, text) for text in texts] == [
            event if event.move.names_seat else Moved(state.in_turn or 0, event.move)
            for event in listed
        ]


def test_move_text_and_json_agree(game: Game[Any]) -> None:
    rng = Random(1)
    for kind in game.moves:
        for _ in range(50):
            move = random_of(kind, rng)
            assert game.decode(msgspec.json.encode(move)) == move
            assert game.parse(game.write(move)) == move


def test_example_text_of_each_kind_parses(game: Game[Any]) -> None:
    for kind in game.moves:
        assert isinstance(game.parse(move_text.split(kind.example).body), kind)
        assert kind.what


def test_legal_moves_pass_check_and_are_distinct(subject: Subject) -> None:
    for state in subject.some(12):
        listed = _listed(state)
        assert len(set(listed)) == len(listed)
        for event in listed:
            assert event.check(state) is None, event


def test_unlisted_moves_are_refused(subject: Subject) -> None:
    rng = Random(subject.seed)
    for state in subject.some(12):
        listed = set(_listed(state))
        for event in _attempts(subject.game, state, rng):
            if not event.move.listed:
                continue
            refused = event.check(state) is not None
            if event in listed:
                assert not refused, (event, state)
            else:  # A fact that nobody could know is no reason to refuse: the move proves it.
                assert refused or _proves_breach(state, event), (event, state)


def _proves_breach(state: State, event: Moved) -> bool:
    return any(isinstance(effect, Breach) for effect in event.evolve(state)[1])


def test_unawaited_seat_is_refused(subject: Subject) -> None:
    for state in subject.some(12):
        awaited = {one.seat for one in state.position.awaiting()}
        for seat in {*range(10)} - awaited:
            assert list(state.game.legal(state.position, seat)) == []
            move = random_of(subject.game.moves[0], Random(seat))
            violation = Moved(seat, move).check(state)
            assert violation is not None
            assert violation.clause == ("over" if state.outcome else "turn")


def test_awaited_seat_has_a_legal_move(subject: Subject) -> None:
    kinds = {str(kind.__struct_config__.tag): kind for kind in subject.game.moves}
    for state in subject.states:
        if state.outcome is not None:
            continue
        for one in state.position.awaiting():
            assert one.moves
            named = {kinds[tag] for tag in one.moves}
            listed = {type(move) for move in state.game.legal(state.position, one.seat)}
            assert listed <= named
            secret = set(secret_kinds(subject.game, state.position, one.seat))
            assert listed | secret or not one.must


def test_refusal_cites_a_clause_and_names_players(subject: Subject) -> None:
    clauses = {*rules_text.clauses(subject.game), "over", "turn"}
    rng = Random(subject.seed)
    for state in subject.some(8):
        for event in _attempts(subject.game, state, rng):
            violation = event.check(state)
            if violation is not None:
                assert violation.clause in clauses, (
                    f"{subject.game.write(event.move)} is refused by {violation.clause}, which is "
                    f"not in the rules; write that clause, or cite one of {sorted(clauses)}"
                )
                assert violation.message
                assert violation.clause == "turn" or violation.clause not in violation.message
                assert all(violation.squares)
                assert not SEAT.search(violation.words(NAMED))


def test_refused_move_changes_nothing(subject: Subject) -> None:
    rng = Random(subject.seed)
    for state in subject.some(8):
        before = repr(state)
        for event in _attempts(subject.game, state, rng):
            event.check(state)
        assert repr(state) == before


@with_text
def test_illegal_move_can_be_accepted(subject: Subject) -> None:
    rng, game = Random(subject.seed), subject.game
    for state in (one for one in subject.some(6) if not one.position.sealed):
        for attempt in _attempts(game, state, rng):
            text = game.write(attempt.move)
            clause = broken_clause(state, attempt.seat, text)
            if isinstance(clause, Violation):
                continue
            after = stood.proposed(state, attempt.seat, text)
            position = after or game.write_position(state.position)
            event = Stood(attempt.seat, text, clause, position)
            assert event.check(state) is None
            assert move_text.read(game, state, move_text.write(game, event)) == event
            went_on, effects = event.evolve(state)
            assert game.write_position(went_on.position) == position
            assert game.scene(went_on.position.view(None), effects)


def _listed(state: State) -> list[Moved]:
    """List the legal moves of every seat."""
    if state.outcome is not None:
        return []
    return [Moved(seat, move) for seat, move in state.game.legal_moves(state.position)]


def _attempts(game: Game[Any], state: State, rng: Random) -> Iterator[Moved]:
    """Yield random moves of all kinds, and legal moves with one field changed."""
    seats = [one.seat for one in state.position.awaiting()] or list(state.position.playing)
    moves: list[Move[Any]] = [random_of(kind, rng) for kind in game.moves for _ in range(15)]
    listed = [event.move for event in _listed(state)]
    if listed:
        moves += [changed(rng.choice(listed), rng) for _ in range(30)]
    for move in moves:
        yield Moved(rng.choice(seats), move.normal(state.position))


def test_rolled_move_is_legal_and_depends_on_dice(
    subject: Subject,
) -> None:
    kinds = {kind.__struct_config__.tag: kind for kind in subject.game.moves if kind.chance}
    for number, (before, _, _) in enumerate(subject.steps):
        for one in () if before.outcome else before.position.awaiting():
            for kind in (kinds[tag] for tag in one.moves if tag in kinds):
                rolled = [
                    kind.roll(before.position, partial(Random(number).randint, 1)) for _ in "12"
                ]
                assert rolled[0] == rolled[1]
                assert kind.check(rolled[0], before.position, one.seat) is None
