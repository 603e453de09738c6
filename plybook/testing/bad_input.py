"""Bad input: any text and any JSON is read, refused, or a decode error."""

from __future__ import annotations

import re
from itertools import product
from random import Random
from string import printable
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from domain.entry import move_text
from domain.events import LineEvent, Moved, State
from domain.game import Game
from domain.position import Move, Violation
from domain.position_text import PositionError
from plybook.testing.subjects import subjects, with_text
from replay.sampling.moves import random_of

quick = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=6,
)


@st.composite
def states(draw: st.DrawFn, game: Game[Any]) -> State:
    return draw(st.sampled_from(subjects(game)[0].states))


@st.composite
def moves(draw: st.DrawFn, game: Game[Any]) -> Move[Any]:
    kind = draw(st.sampled_from(game.moves))
    return random_of(kind, Random(draw(st.integers(0, 10_000))))


@st.composite
def almost_texts(draw: st.DrawFn, game: Game[Any]) -> str:
    """Draw a move text with one character replaced, left out or added."""
    text = draw(st.sampled_from(("", "1:", "2:", "9:"))) + game.write(draw(moves(game)))
    at = draw(st.integers(0, len(text)))
    return text[:at] + draw(st.text(max_size=2)) + text[at + draw(st.integers(0, 1)) :]


@st.composite
def almost_moves(draw: st.DrawFn, game: Game[Any]) -> dict[str, Any]:
    """Draw a move's JSON with one member replaced, left out or added."""
    data: dict[str, Any] = msgspec.to_builtins(draw(moves(game)))
    name = draw(st.sampled_from([*data, "seat", ""]))
    data[name] = draw(json_values)
    if draw(st.booleans()):
        del data[name]
    return data


def judge(game: Game[Any], state: State, text: str) -> LineEvent | Violation:
    """Read a text that may be bad input and referee it, like every command that takes one."""
    event = move_text.read(game, state, text)
    return event if isinstance(event, Violation) else event.check(state) or event


@quick
@given(data=st.data())
def test_move_text_fuzz(data: st.DataObject, game: Game[Any]) -> None:
    state = data.draw(states(game))
    text = data.draw(st.text() | almost_texts(game))
    assert isinstance(judge(game, state, text), Violation | LineEvent)


@quick
@given(data=st.data())
def test_move_text_round_trip(data: st.DataObject, game: Game[Any]) -> None:
    state = data.draw(states(game))
    text = data.draw(almost_texts(game))
    event = move_text.read(game, state, text)
    if isinstance(event, Moved) and event.seat == state.in_turn:
        assert move_text.read(game, state, move_text.write(game, event)) == event


def test_changed_move_text_is_a_move_or_refused(
    game: Game[Any],
) -> None:
    rng = Random(1)
    for kind in game.moves:
        for _ in range(20):
            text = game.write(random_of(kind, rng))
            for at, sign, after in product(range(len(text)), printable, (0, 1)):
                move = game.parse(text[:at] + sign + text[at + after :])
                if move is not None:
                    assert game.decode(msgspec.json.encode(move)) == move


LONG = "9" * 5000
"""The number has more digits than `int()` parses: it raises `ValueError`."""


def test_move_text_with_a_huge_number_is_refused(game: Game[Any]) -> None:
    state, rng = subjects(game)[0].states[0], Random(1)
    written = {game.write(random_of(kind, rng)) for kind in game.moves for _ in range(20)}
    texts = {re.sub("[0-9]+", LONG, each, count=1) for each in written} - written
    for text in (LONG, f"x{LONG}", *texts):
        for each in (text, f"1:{text}", f"{LONG}:{text}", f"ruled=+{text}"):
            assert isinstance(judge(game, state, each), Violation)


def test_json_move_with_a_huge_number_is_refused(game: Game[Any]) -> None:
    rng = Random(1)
    for kind in game.moves:
        data = msgspec.to_builtins(random_of(kind, rng))
        for name in [*data, "surplus"]:
            members = {**data, name: 0}
            text = msgspec.json.encode(members).decode()
            assert decoded(game, text.replace(f'"{name}":0', f'"{name}":{LONG}').encode()) is None
    assert decoded(game, LONG.encode()) is None


@with_text
def test_position_with_a_huge_number_is_refused(game: Game[Any]) -> None:
    position = subjects(game)[0].states[0].position
    text = game.write_position(position)
    for found in re.finditer("[0-9]+", text):
        with pytest.raises(PositionError):
            game.read_position(position, text[: found.start()] + LONG + text[found.end() :])


@quick
@given(data=st.binary())
def test_bytes_move_fuzz(game: Game[Any], data: bytes) -> None:
    assert decoded(game, data) is None


DEEP = [b"[", b'{"x":', b'{"type":', b'{"type":[', b'{"x":[']


@pytest.mark.parametrize("opening", DEEP, ids=bytes.decode)
def test_deeply_nested_json_is_refused(game: Game[Any], opening: bytes) -> None:
    assert decoded(game, opening * 100_000) is None


@quick
@given(data=st.data())
def test_json_move_fuzz(data: st.DataObject, game: Game[Any]) -> None:
    value = data.draw(json_values | almost_moves(game))
    state = data.draw(states(game))
    move = decoded(game, msgspec.json.encode(value))
    if move is not None:
        assert game.decode(msgspec.json.encode(move)) == move
        violation = Moved(data.draw(st.integers(0, 9)), move).check(state)
        assert violation is None or violation.clause


@quick
@given(data=st.data())
def test_unknown_json_field_is_refused(data: st.DataObject, game: Game[Any]) -> None:
    members = msgspec.to_builtins(data.draw(moves(game)))
    members["surplus"] = data.draw(json_values)
    assert decoded(game, msgspec.json.encode(members)) is None


@quick
@given(data=st.data())
def test_json_move_without_type_is_refused(data: st.DataObject, game: Game[Any]) -> None:
    members = msgspec.to_builtins(data.draw(moves(game)))
    del members["type"]
    assert decoded(game, msgspec.json.encode(members)) is None


def decoded(game: Game[Any], data: bytes) -> Move[Any] | None:
    """Return the move, or `None` for a decode error."""
    try:
        return game.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
