"""The matches under test: random players, and matches with every option.

The given `Random` makes all choices, so a seed always reproduces the same match.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial
from random import Random
from typing import Any, Final, NamedTuple, TypeVar

import msgspec
import pytest
from msgspec import inspect

from domain.editor import NOT_BY_HAND
from domain.events import DrawAccepted, DrawDeclined, DrawOffered, LineEvent, Moved, Resigned, State
from domain.game import Game, OptionError, Options
from domain.match import Match, open_match
from domain.position import Move, Position

T = TypeVar("T")
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
    raise AssertionError(f"no seat of {awaited} has a legal move in {state.position}")


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
    kind: type[Move[Any]], position: Position, seat: int, rng: Random
) -> Move[Any] | None:
    """Return a legal move of a secret kind, or `None` if none was found; dice decide a roll."""
    attempts = (
        kind.roll(position, partial(rng.randint, 1)) if kind.chance else random_of(kind, rng)
        for _ in range(TRIES)
    )
    return next((move for move in attempts if move.check(position, seat) is None), None)


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


def _field(kind: type[Move[Any]], place: int, rng: Random) -> Any:
    """Return a random value of a field; a text is one that its notation offers."""
    field, lexeme = _shape(kind).fields[place], kind.notation.parts[place].lexeme
    if isinstance(field.type, inspect.StrType) and lexeme.offered:
        return lexeme.read(rng.choice(lexeme.offered))
    return _value(field.type, rng)


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


def _accepted(make: Callable[[], T]) -> T:
    """Return a struct of random values; it may refuse some by a `ValueError`, as a token would."""
    for _ in range(TRIES):
        with suppress(ValueError):
            return make()
    raise TypeError("this struct refuses all random values")


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


SEEDS: Final = 2
"""Matches for each combination of seats and options."""


class Subject(NamedTuple):
    """A game with a number of seats and options, and the seed of a random match of it."""

    game: Game[Any]
    seats: int
    options: Options
    seed: int

    def __str__(self) -> str:
        options = "-".join(f"{k}={v}" for k, v in self.game.set_options(self.options).items())
        return "-".join(filter(None, (self.game.slug, f"{self.seats}", options, f"s{self.seed}")))

    @property
    def match(self) -> Match:
        """The random match."""
        return _match(self)

    @property
    def states(self) -> list[State]:
        """All points of its line, in order from the start."""
        return [self.match.start, *(ply.state for ply in self.match.line)]

    @property
    def steps(self) -> list[tuple[State, LineEvent, State]]:
        """Every event of its line, with the points before and after it."""
        events = [ply.event for ply in self.match.line]
        return list(zip(self.states, events, self.states[1:], strict=False))

    def some(self, number: int) -> list[State]:
        """Return this many points of its line, including the start and the end."""
        between = self.states[1:-1]
        chosen = Random(self.seed).sample(between, min(number - 2, len(between)))
        return [self.states[0], *chosen, self.states[-1]]


MAX_TABLES: Final = 12
"""The numbers of seats and options that are all tried; of more, some spread evenly."""
SOME: Final = 4


@functools.cache
def subjects(game: Game[Any]) -> tuple[Subject, ...]:
    """Return matches of a game with every number of seats and with its options."""
    tables = list(_tables(game))
    some = tables if len(tables) <= MAX_TABLES else tables[:: -(-len(tables) // SOME)]
    return tuple(
        Subject(game, seats, options, seed) for seats, options in some for seed in range(SEEDS)
    )


def _tables(game: Game[Any]) -> Iterator[tuple[int, Options]]:
    for seats in game.seats:
        for options in option_sets(game):
            try:
                game.start(options, seats)
            except OptionError:
                continue
            yield seats, options


@functools.cache
def _match(subject: Subject) -> Match:
    game, seats, options, seed = subject
    return random_match(game, seed, seats=seats, options=options)


AnyGame = Game[Any]
Applies = Callable[[AnyGame], bool]
Test = TypeVar("Test", bound=Callable[..., None])


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test on the `GAME` of its module."""
    run_on(metafunc, [metafunc.module.GAME])


def run_on(metafunc: pytest.Metafunc, games: Iterable[AnyGame]) -> None:
    """Run a test on the games with the tested feature, or on random matches of them."""
    applies: Applies = getattr(metafunc.function, "applies", _always)
    chosen = [game for game in games if applies(game)]
    if "game" in metafunc.fixturenames:
        metafunc.parametrize("game", chosen, ids=lambda game: game.slug)
    if "subject" in metafunc.fixturenames:
        every = [subject for game in chosen for subject in subjects(game)]
        metafunc.parametrize("subject", every, ids=str)


def _only(applies: Applies) -> Callable[[Test], Test]:
    def mark(test: Test) -> Test:
        test.applies = applies  # type: ignore[attr-defined]
        return test

    return mark


def _always(game: AnyGame) -> bool:
    return True


def _is_drawn(game: AnyGame) -> bool:
    return bool(game.scene(game.start().view(None)).panels)


with_secrets = _only(lambda game: game.has_secrets)
without_numbers = _only(lambda game: not game.unlisted_tags)
with_text = _only(lambda game: game.text is not None)
with_pictures = _only(_is_drawn)
by_hand = _only(lambda game: game.editor is not NOT_BY_HAND)
