"""The matches under test: random ones with every number of seats and every option."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator
from random import Random
from typing import Any, Final, NamedTuple, TypeVar

import pytest

from domain.editor import NOT_BY_HAND
from domain.events import LineEvent, State
from domain.game import Game, OptionError, Options
from domain.match import Match
from plybook.testing.players import option_sets, random_match

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


@functools.cache
def subjects(game: Game[Any]) -> tuple[Subject, ...]:
    """Return matches of a game with every number of seats and with its options."""
    return tuple(
        Subject(game, seats, options, seed)
        for seats, options in _tables(game)
        for seed in range(SEEDS)
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


with_secrets = _only(lambda game: not game.lists_all)
with_text = _only(lambda game: game.text is not None)
with_pictures = _only(_is_drawn)
by_hand = _only(lambda game: game.editor is not NOT_BY_HAND)
