"""Positions as text: written, read back, and refused with the place where they go wrong."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from string import printable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from domain.events import Adjusted, Moved, State
from domain.games import BUILT_IN
from domain.match import fold, open_match
from domain.position import Position, Secret
from domain.position_text import PositionError
from replay.formats.ply.reader import read_records
from tests.conformance.players import random_event
from tests.conformance.subjects import GAMES, SUBJECTS, every_game, every_subject, game_of

FIXTURES = Path(__file__).parents[2] / "fixtures"

SIGNS = " -/,.^+x:0139aBdLms1é\x00"
"""What a character of a text is changed to: much of it means something somewhere."""

quick = settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def open_positions(states: list[State]) -> list[Position]:
    """The positions with nothing sealed."""
    return [state.position for state in states if not state.position.sealed]


@cache
def recorded(slug: str) -> list[list[State]]:
    """The states of the matches on record, which get further than random ones."""
    text = (FIXTURES / slug / "games.ply").read_text()
    matches = [record.match for record in read_records(text)]
    return [[match.start, *(ply.state for ply in match.line)] for match in matches]


@cache
def samples(slug: str) -> list[Position]:
    """Positions of a game, from random and recorded matches."""
    chosen = [one.states for one in SUBJECTS if one.game.slug == slug]
    if slug in BUILT_IN:
        chosen += recorded(slug)
    rng = Random(slug)
    drawn = [position for states in chosen for position in open_positions(rng.sample(states, 3))]
    return drawn + [states[0].position for states in chosen[:1]]


def read(position: Position, text: str) -> Position | None:
    """Set a text up, or return `None` if it is refused, within the text and with a reason."""
    try:
        return game_of(position).read_position(position, text)
    except PositionError as error:
        refused = error
    assert 1 <= refused.column <= len(text) + 1
    assert str(refused).startswith(f"column {refused.column}: ")
    return None


def check_sound(position: Position) -> None:
    """Demand that a position that was set up can be written, read again and played on."""
    game = game_of(position)
    assert game.read_position(position, game.write_position(position)) == position
    assert all(one.seat in position.playing for one in position.awaiting())
    assert (position.outcome() is None) == bool(position.awaiting())


def check_playable(game, position: Position, rng: Random) -> None:
    state = State(game, position, position.outcome())
    for _ in range(6):
        if state.outcome is not None:
            return
        event = random_event(game, state, rng)
        assert event.check(state) is None
        state, _ = event.evolve(state)


def changes(text: str, rng: Random) -> Iterator[str]:
    """Every text with one character left out, doubled, swapped with the next, and changed."""
    for place, sign in enumerate(text):
        before, after = text[:place], text[place + 1 :]
        yield before + after
        yield before + sign + sign + after
        yield before + after[:1] + sign + after[1:]
        yield before + sign.swapcase() + after
        yield before + rng.choice(SIGNS) + after


@every_subject
def test_every_position_reads_back_equal(subject):
    game, start = subject.game, subject.match.start.position
    for position in open_positions(subject.states):
        text = game.write_position(position)
        assert game.read_position(start, text) == game.read_position(position, text) == position


@pytest.mark.parametrize("slug", BUILT_IN)
def test_every_position_on_record_reads_back_equal(slug):
    game = GAMES[slug]
    for states in recorded(slug):
        for position in open_positions(states):
            text = game.write_position(position)
            assert game.read_position(states[0].position, text) == position


@every_subject
def test_a_text_is_one_line_that_needs_no_escapes(subject):
    for state in subject.states:
        text = subject.game.write_position(state.position)
        assert text.isascii()
        assert text.isprintable()
        assert not set(text) & set('"\\')
        assert text.split() == text.split(" ")


@every_subject
def test_the_last_field_is_the_turn_and_before_it_stands_the_seat(subject):
    for state in subject.states:
        *_, seat, turn = subject.game.write_position(state.position).split(" ")
        assert turn == str(state.position.turn)
        assert seat in ("-", *map(str, range(1, subject.seats + 1)))


@every_subject
def test_a_text_says_nothing_of_what_is_sealed(subject):
    write = subject.game.write_position
    for before, event, after in subject.steps:
        secret = isinstance(event, Moved) and isinstance(event.move, Secret)
        if secret and after.position.sealed:
            assert write(after.position) == write(before.position)


@every_subject
def test_play_goes_on_from_a_text_as_without_it(subject):
    match, rng = subject.match, Random(subject.seed)
    plies = [ply for ply, state in enumerate(subject.states) if not state.position.sealed]
    for ply in rng.sample(plies, min(3, len(plies))):
        text = subject.game.write_position(match.at(ply).position)
        opened = open_match(subject.game, subject.options, subject.seats, text)
        went_on = fold(opened, [one.event for one in match.line[ply:]])
        assert went_on.state.position == match.state.position
        assert [one.effects for one in went_on.line] == [one.effects for one in match.line[ply:]]


@every_subject
def test_a_match_can_be_adjusted_to_any_position_of_its_game(subject):
    for position in (one.position for one in subject.some(3) if not one.position.sealed):
        state = subject.match.start
        event = Adjusted(subject.game.write_position(position), "so it stood")
        assert event.check(state) is None
        assert event.evolve(state)[0].position == position


@every_game
def test_any_text_with_one_character_changed_is_read_or_refused_with_the_place(game):
    rng = Random(7)
    for position in rng.sample(samples(game.slug), min(8, len(samples(game.slug)))):
        for text in changes(game.write_position(position), rng):
            found = read(position, text)
            if found is not None:
                check_sound(found)
                check_playable(game, found, rng)


@every_game
def test_a_text_cut_short_or_with_more_after_it_is_refused(game):
    for position in samples(game.slug)[:3]:
        text = game.write_position(position)
        for end, sign in enumerate(text):
            if sign == " ":
                with pytest.raises(PositionError):
                    game.read_position(position, text[:end])
        for more in (" ", " 1", "\n", " -"):
            with pytest.raises(PositionError, match=f"column {len(text) + 1}|turn|round"):
                game.read_position(position, text + more)


@every_game
def test_the_text_of_another_game_is_refused(game):
    for other in GAMES.values():
        if other is not game:
            with pytest.raises(PositionError):
                game.read_position(game.start(), other.write_position(other.start()))


@quick
@given(st.data())
def test_no_text_does_anything_but_stand_or_be_refused(data):
    slug = data.draw(st.sampled_from(sorted(GAMES)))
    position = data.draw(st.sampled_from(samples(slug)))
    others = [game_of(one).write_position(one).split(" ") for one in samples(slug)]
    words = game_of(position).write_position(position).split(" ")
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(words) - 1))
        alien = data.draw(st.sampled_from(others))[-1 - place :][:1] or ["-"]
        words[place] = data.draw(
            st.sampled_from([*alien, "-", "0", "1", "2", "9" * 5000, "\u0663", ""])
            | st.text(printable, max_size=6)
        )
    found = read(position, " ".join(words))
    if found is not None:
        check_sound(found)
        check_playable(GAMES[slug], found, Random(0))


@quick
@given(st.text())
def test_whatever_is_no_position_is_refused(text):
    for game in GAMES.values():
        assert read(game.start(), text) is None
