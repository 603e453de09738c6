"""Random players for any game, including secret moves, which are not listed.

The given `Random` makes all choices, so a seed always reproduces the same match.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
from msgspec import inspect

from domain.events import DrawAccepted, DrawDeclined, DrawOffered, LineEvent, Moved, Resigned, State
from domain.game import Game, Options
from domain.match import Match, open_match
from domain.position import Move, Position, Secret

TRIES = 1000
"""Attempts at a random move of a kind before giving up on the kind."""


def random_match(
    game: Game[Any],
    seed: int,
    *,
    seats: int | None = None,
    options: Options | None = None,
    limit: int = 150,
) -> Match:
    """Return a match of random moves, with a few draw offers and resignations if play continues.

    It ends when the game does or after `limit` events.
    """
    rng, match = Random(seed), open_match(game, options, seats)
    while match.state.outcome is None and match.version < limit:
        match = match.evolve(random_event(game, match.state, rng))
    return match


def random_event(game: Game[Any], state: State, rng: Random) -> LineEvent:
    """Return an event that is legal now, mostly a move."""
    if rng.random() < 0.03:
        return _interruption(state, rng)
    awaited = list(state.position.awaiting())
    rng.shuffle(awaited)
    # Claims are never urgent: mostly a seat that must act does.
    awaited.sort(key=lambda one: not one.must and rng.random() < 0.7)
    for one in awaited:
        move = random_move(game, state.position, one.seat, rng)
        if move is not None:
            return Moved(one.seat, move)
    raise AssertionError(f"nobody of {awaited} can do anything in {state.position}")


def random_move(game: Game[Any], position: Position, seat: int, rng: Random) -> Move[Any] | None:
    """Return a legal move of an awaited seat, or `None`. Each kind of move is equally likely."""
    kinds: dict[type[Move[Any]], list[Move[Any]]] = {}
    for move in game.legal(position, seat):
        kinds.setdefault(type(move), []).append(move)
    for kind in secret_kinds(game, position, seat):
        made = random_secret(kind, position, seat, rng)
        if made is not None:
            kinds[kind] = [made]
    return rng.choice(kinds[rng.choice(list(kinds))]) if kinds else None


def secret_kinds(game: Game[Any], position: Position, seat: int) -> list[type[Move[Any]]]:
    """Return the secret kinds of moves that a seat may make now."""
    tags = {tag for one in position.awaiting() if one.seat == seat for tag in one.moves}
    return [kind for kind in game.moves if issubclass(kind, Secret) and tag_of(kind) in tags]


def random_secret(
    kind: type[Move[Any]], position: Position, seat: int, rng: Random
) -> Move[Any] | None:
    """Return a legal move of a secret kind, or `None` if none was found."""
    attempts = (random_of(kind, rng) for _ in range(TRIES))
    return next((move for move in attempts if move.check(position, seat) is None), None)


def random_of(kind: type[Move[Any]], rng: Random) -> Move[Any]:
    """Return a move of a kind with a random value in every field, ignoring the position."""
    move: Move[Any] = _value(_shape(kind), rng)
    return move


def changed(move: Move[Any], rng: Random) -> Move[Any]:
    """Return the move with a new random value in one field."""
    fields = _shape(type(move)).fields
    if not fields:
        return move
    field = rng.choice(fields)
    return msgspec.structs.replace(move, **{field.name: _value(field.type, rng)})


def tag_of(kind: type[Move[Any]]) -> str:
    """Return the name of a kind of move in JSON."""
    return str(kind.__struct_config__.tag)


def option_sets(game: Game[Any]) -> Iterator[Options]:
    """Return the default options, then each with one option at another value, then all changed."""
    default = game.options()
    yield default
    changes = [
        (name, value)
        for name, values in game.choices().items()
        for value in values
        if value != getattr(default, name)
    ]
    for name, value in changes:
        yield msgspec.structs.replace(default, **{name: value})
    if len(dict(changes)) > 1:
        yield msgspec.structs.replace(default, **dict(changes))


@functools.cache
def _shape(kind: type[Any]) -> inspect.StructType:
    shape = inspect.type_info(kind)
    assert isinstance(shape, inspect.StructType)
    return shape


def _value(shape: inspect.Type, rng: Random) -> Any:
    match shape:
        case inspect.Metadata(annotated):
            return _value(annotated, rng)
        case inspect.LiteralType(values):
            return rng.choice(values)
        case inspect.BoolType():
            return rng.random() < 0.5
        case inspect.NoneType():
            return None
        case inspect.UnionType(types):
            return _value(rng.choice(types), rng)
        case inspect.TupleType(types):
            return tuple(_value(item, rng) for item in types)
        case inspect.StructType(cls, fields):
            return cls(**{field.name: _value(field.type, rng) for field in fields})
    raise TypeError(f"nobody has said how to draw a {shape}")


def _interruption(state: State, rng: Random) -> LineEvent:
    playing = state.position.playing
    seat = rng.choice(playing)
    if len(playing) > 2 and rng.random() < 0.3:
        return Resigned(seat)
    if state.offered is None:
        return DrawOffered(seat)
    others = [one for one in playing if one not in (state.offered, *state.accepted)]
    answer = DrawAccepted if rng.random() < 0.2 else DrawDeclined
    return answer(rng.choice(others))
