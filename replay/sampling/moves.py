"""Random moves: legal ones, changed ones, and any that the types of their fields allow.

The given `Random` makes all choices, so a seed always reproduces the same moves.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from random import Random
from typing import Any, Final, TypeVar

import msgspec
from msgspec import inspect

from domain.events import Moved
from domain.game import Game, OptionError, Options
from domain.notation import Part
from domain.position import Move, Position, tag_of

T = TypeVar("T")
TRIES: Final = 1000
"""Attempts at random values for the fields of a struct before giving up on it."""
ALL: Final = 12
"""Up to this many combinations of seats and options are all tried."""
ATTEMPTS: Final = 300
"""Attempts at a legal move of a secret kind before giving up on the kind."""
PLAIN: Final = 2 / 3
"""How often an optional part of a secret move is left out."""


def random_turn(game: Game[Any], position: Position, rng: Random) -> Moved:
    """Return a legal move of an awaited seat, mostly one that must act."""
    awaited = list(position.awaiting())
    rng.shuffle(awaited)
    # Claims are never urgent: mostly a seat that must act does.
    awaited.sort(key=lambda one: not one.must and rng.random() < 0.7)
    for one in awaited:
        move = random_move(game, position, one.seat, rng)
        if move is not None:
            return Moved(one.seat, move)
    raise AssertionError(f"no seat of {awaited} has a legal move in {position}")


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
    """Return the kinds of moves that a seat may make now and that are not listed."""
    tags = {tag for one in position.awaiting() if one.seat == seat for tag in one.moves}
    return [kind for kind in game.moves if not kind.listed and tag_of(kind) in tags]


def random_secret(
    kind: type[Move[Any]],
    position: Position,
    seat: int,
    rng: Random,
    like: Move[Any] | None = None,
) -> Move[Any] | None:
    """Return a legal move of a secret kind, or `None` if none was found; dice decide a roll.

    It is made of the texts that its notation offers, if it offers all; an optional part is mostly
    left out, as most of them are illegal. The move differs from a move `like` it in one part only.
    """
    if kind.chance:
        moves: Iterable[Move[Any] | None] = [kind.roll(position, partial(rng.randint, 1))]
    elif all(part.lexeme.offered for part in kind.notation.parts):
        moves = (_written(kind, rng, like) for _ in range(ATTEMPTS))
    else:
        moves = (changed(like, rng) if like else random_of(kind, rng) for _ in range(ATTEMPTS))
    return next((move for move in moves if move and move.check(position, seat) is None), None)


def _written(kind: type[Move[Any]], rng: Random, like: Move[Any] | None) -> Move[Any] | None:
    texts = [_random_text(part, rng) for part in kind.notation.parts]
    if like is not None:
        known = kind.notation.split(kind.notation.write(like))
        one = rng.randrange(len(texts))
        pairs = enumerate(zip(kind.notation.parts, known, strict=True))
        texts = [texts[n] if n == one else part.written(field) for n, (part, field) in pairs]
    fields = kind.notation.read("".join(texts))
    return None if fields is None else kind(*fields)


def _random_text(part: Part, rng: Random) -> str:
    texts = part.lexeme.offered
    return part.written("" if "" in texts and rng.random() < PLAIN else rng.choice(texts))


def random_of(kind: type[Move[Any]], rng: Random) -> Move[Any]:
    """Return a move of a kind with a random value in every field, ignoring the position."""
    fields = _shape(kind).fields
    return _accepted(
        lambda: kind(**{one.name: _field(kind, place, rng) for place, one in enumerate(fields)})
    )


def changed(move: Move[Any], rng: Random) -> Move[Any]:
    """Return the move with a new random value in one field."""
    fields = _shape(type(move)).fields
    if not fields:
        return move
    place = rng.randrange(len(fields))
    name = fields[place].name
    return _accepted(
        lambda: msgspec.structs.replace(move, **{name: _field(type(move), place, rng)})
    )


def _accepted(make: Callable[[], T]) -> T:
    """Return a struct of random values; draw them again if it refuses them with `ValueError`."""
    for _ in range(TRIES):
        with suppress(ValueError):
            return make()
    raise TypeError("this type of move refuses all random values")


def _field(kind: type[Move[Any]], place: int, rng: Random) -> Any:
    """Return a random value of a field; a text is one that its notation offers."""
    field, lexeme = _shape(kind).fields[place], kind.notation.parts[place].lexeme
    if isinstance(field.type, inspect.StrType) and lexeme.offered:
        return lexeme.read(rng.choice(lexeme.offered))
    return _value(field.type, rng)


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
        case inspect.IntType(ge=least, le=most) if least is not None and most is not None:
            return rng.randint(least, most)
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
    raise TypeError(
        f"{shape} is not a type with random values; use numbers, texts, literals or structs"
    )


@functools.cache
def setups(game: Game[Any]) -> tuple[tuple[int, Options], ...]:
    """Return pairs of a number of seats and options: all pairs, if they are few.

    If there are more than `ALL`, return a seeded sample: each number of seats and each value of an
    option once, with the rest at random. The defaults come first.
    """
    columns = (game.seats, *game.choices().values())
    few = math.prod(map(len, columns)) <= ALL
    found = (
        (_setup(game, row) for row in itertools.product(*columns))
        if few
        else _sample(game, columns)
    )
    return tuple(dict.fromkeys([(game.seats[0], game.options()), *filter(None, found)]))


def _sample(
    game: Game[Any], columns: Sequence[Sequence[Any]]
) -> Iterator[tuple[int, Options] | None]:
    rng = Random(0)
    for place, values in enumerate(columns):
        for value in values:
            rows = ([*map(rng.choice, columns)] for _ in range(TRIES))
            found = (_setup(game, [*row[:place], value, *row[place + 1 :]]) for row in rows)
            yield next(filter(None, found), None)


def _setup(game: Game[Any], row: Sequence[Any]) -> tuple[int, Options] | None:
    seats, *values = row
    options = game.options(**dict(zip(game.choices(), values, strict=True)))
    try:
        game.start(options, seats)
    except OptionError:
        return None
    return seats, options
