"""Positions as text: written, read back, and refused with the place of the error."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random
from string import printable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from domain.events import Adjusted, Moved, State
from domain.game import Game
from domain.match import fold, open_match
from domain.position import Position, Secret
from domain.position_text import PositionError
from plybook.testing.subjects import Subject, few, random_event, with_keys, with_text
from replay import registry, rules_text
from replay.formats.ply.model import Record
from replay.formats.ply.reader import read_records
from replay.record.match_summary import find_canonical

SIGNS = " -/,.^+x:0139aBdLms1é\x00"
"""Replacement characters; most of them have a meaning in some game."""

quick = settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def open_positions(states: list[State]) -> list[Position]:
    """Return the positions with nothing sealed."""
    return [state.position for state in states if not state.position.sealed]


_RECORDS: dict[Game[Any], list[str]] = {}


def add_records(game: Game[Any], text: str) -> None:
    """Add the positions of these text records to the game's demonstration match."""
    _RECORDS.setdefault(game, []).append(text)
    samples.cache_clear()


def record(game: Game[Any]) -> list[list[State]]:
    """Return the states of the matches on record."""
    texts = [rules_text.demo(game), *_RECORDS.get(game, [])]
    records = [record for text in texts for record in read_records(text)]
    matches = [record.match for record in records if isinstance(record, Record)]
    return [[match.start, *(ply.state for ply in match.line)] for match in matches]


@cache
def samples(game: Game[Any]) -> list[Position]:
    """Return positions of a game, from random and recorded matches."""
    chosen = [one.states for one in few(game)] + record(game)
    rng = Random(game.slug)
    drawn = [position for states in chosen for position in open_positions(rng.sample(states, 3))]
    return drawn + [states[0].position for states in chosen[:1]]


def read(game: Game[Any], position: Position, text: str) -> Position | None:
    """Read a text, or return `None` after checking the column and the message of its refusal."""
    try:
        found: Position = game.read_position(position, text)
        return found
    except PositionError as error:
        refused = error
    assert 1 <= refused.column <= len(text) + 1
    assert str(refused).startswith(f"column {refused.column}: ")
    return None


def check_sound(game: Game[Any], position: Position) -> None:
    """Assert that a position can be written and read again, and that some seat is awaited."""
    assert game.read_position(position, game.write_position(position)) == position
    assert all(one.seat in position.playing for one in position.awaiting())
    assert (position.outcome() is None) == bool(position.awaiting())


def check_playable(game: Game[Any], position: Position, rng: Random) -> None:
    state = State(game, position, position.outcome())
    for _ in range(6):
        if state.outcome is not None:
            return
        event = random_event(game, state, rng)
        assert event.check(state) is None
        state, _ = event.evolve(state)


def changes(text: str, rng: Random) -> Iterator[str]:
    """Yield the texts with one character left out, doubled, swapped with the next, or changed."""
    for place, sign in enumerate(text):
        before, after = text[:place], text[place + 1 :]
        yield before + after
        yield before + sign + sign + after
        yield before + after[:1] + sign + after[1:]
        yield before + sign.swapcase() + after
        yield before + rng.choice(SIGNS) + after


@with_text
def test_position_text_round_trip(subject: Subject) -> None:
    game, start = subject.game, subject.match.start.position
    for position in open_positions(subject.states):
        text = game.write_position(position)
        assert game.read_position(start, text) == game.read_position(position, text) == position


@with_text
def test_recorded_position_text_round_trip(game: Game[Any]) -> None:
    for states in record(game):
        for position in open_positions(states):
            text = game.write_position(position)
            assert game.read_position(states[0].position, text) == position


@with_text
def test_position_text_is_one_plain_line(subject: Subject) -> None:
    for state in subject.states:
        text = subject.game.write_position(state.position)
        assert text.isascii()
        assert text.isprintable()
        assert '"' not in text
        assert text.split() == text.split(" ")


@with_text
def test_position_text_ends_with_seat_and_turn(subject: Subject) -> None:
    for state in subject.states if subject.game.text.key is None else ():
        *_, seat, turn = subject.game.write_position(state.position).split(" ")
        assert turn == str(state.position.turn)
        assert seat in ("-", *map(str, range(1, subject.seats + 1)))


@with_keys
def test_positions_of_one_key_have_the_same_moves(subject: Subject) -> None:
    seen: dict[str, int] = {}
    for state in subject.states:
        found = find_canonical(subject.game, state.position)
        if state.outcome or state.position.sealed or found is None:
            continue
        listed = len(list(subject.game.legal_moves(state.position)))
        assert seen.setdefault(found.text, listed) == listed


@with_text
def test_position_text_hides_sealed_moves(subject: Subject) -> None:
    write = subject.game.write_position
    for before, event, after in subject.steps:
        secret = isinstance(event, Moved) and isinstance(event.move, Secret)
        if secret and after.position.sealed:
            assert write(after.position) == write(before.position)


@with_text
def test_play_continues_from_a_position_text(subject: Subject) -> None:
    match, rng = subject.match, Random(subject.seed)
    plies = [ply for ply, state in enumerate(subject.states) if not state.position.sealed]
    for ply in rng.sample(plies, min(3, len(plies))):
        text = subject.game.write_position(match.at(ply).position)
        opened = open_match(subject.game, subject.options, subject.seats, text)
        went_on = fold(opened, [one.event for one in match.line[ply:]])
        assert went_on.state.position == match.state.position
        assert [one.effects for one in went_on.line] == [one.effects for one in match.line[ply:]]


@with_text
def test_match_can_be_adjusted_to_any_position(subject: Subject) -> None:
    for position in (one.position for one in subject.some(3) if not one.position.sealed):
        state = subject.match.start
        event = Adjusted(subject.game.write_position(position), "so it stood")
        assert event.check(state) is None
        assert event.evolve(state)[0].position == position


@with_text
def test_changed_character_is_refused_with_column(
    game: Game[Any],
) -> None:
    rng = Random(7)
    for position in rng.sample(samples(game), min(8, len(samples(game)))):
        for text in changes(game.write_position(position), rng):
            found = read(game, position, text)
            if found is not None:
                check_sound(game, found)
                check_playable(game, found, rng)


@with_text
def test_truncated_or_extended_position_text_is_refused(game: Game[Any]) -> None:
    for position in samples(game)[:3]:
        text = game.write_position(position)
        for end, sign in enumerate(text):
            if sign == " " and read(game, position, text[:end]) is not None:
                assert game.text.key  # this text has no end of its own
                check_sound(game, game.read_position(position, text[:end]))
        for more in (" ", " 1", "\n", " -"):
            with pytest.raises(PositionError):
                game.read_position(position, text + more)


@with_text
def test_position_text_of_another_game_is_refused(game: Game[Any]) -> None:
    for other in registry.games().values():
        if other is not game and other.text is not None:
            with pytest.raises(PositionError):
                game.read_position(game.start(), other.write_position(other.start()))


@with_text
@quick
@given(data=st.data())
def test_position_text_fuzz(data: st.DataObject, game: Game[Any]) -> None:
    position = data.draw(st.sampled_from(samples(game)))
    others = [game.write_position(one).split(" ") for one in samples(game)]
    words = game.write_position(position).split(" ")
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(words) - 1))
        alien = data.draw(st.sampled_from(others))[-1 - place :][:1] or ["-"]
        words[place] = data.draw(
            st.sampled_from([*alien, "-", "0", "1", "2", "9" * 5000, "\u0663", ""])
            | st.text(printable, max_size=6)
        )
    found = read(game, position, " ".join(words))
    if found is not None:
        check_sound(game, found)
        check_playable(game, found, Random(0))


@with_text
@quick
@given(text=st.text())
def test_invalid_position_text_is_refused(text: str, game: Game[Any]) -> None:
    assert read(game, game.start(), text) is None
