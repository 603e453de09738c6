"""The matches under test: random players, and matches with every option.

The given `Random` makes all choices, so a seed always reproduces the same match.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from random import Random
from typing import Any, Final, NamedTuple, TypeVar

import pytest

from domain.editor import NOT_BY_HAND
from domain.events import DrawAccepted, DrawDeclined, DrawOffered, LineEvent, Resigned, State
from domain.game import Game, Options
from domain.match import Match, open_match
from replay import registry
from replay.sampling.moves import random_turn, setups


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
    return random_turn(game, state.position, rng)


def _interruption(state: State, rng: Random) -> LineEvent:
    playing = state.position.playing
    seat = rng.choice(playing)
    if len(playing) == 1 or (len(playing) > 2 and rng.random() < 0.3):
        return Resigned(seat)
    if state.offered is None:
        return DrawOffered(seat)
    others = [one for one in playing if one not in (state.offered, *state.accepted)]
    answer = DrawAccepted if rng.random() < 0.2 else DrawDeclined
    return answer(rng.choice(others))


SEEDS: Final = 2
"""Matches for each combination of seats and options."""


class Subject(NamedTuple):
    """A game with a number of seats and options, and the seed of a random match."""

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
        """All points of the subject's line, in order from the start."""
        return [self.match.start, *(ply.state for ply in self.match.line)]

    @property
    def steps(self) -> list[tuple[State, LineEvent, State]]:
        """Every event of the subject's line, with the points before and after it."""
        events = [ply.event for ply in self.match.line]
        return list(zip(self.states, events, self.states[1:], strict=False))

    def some(self, number: int) -> list[State]:
        """Return this many points of the subject's line, including the start and the end."""
        between = self.states[1:-1]
        chosen = Random(self.seed).sample(between, min(number - 2, len(between)))
        return [self.states[0], *chosen, self.states[-1]]


FEW: Final = 4
"""The combinations that some tests are content with."""


@functools.cache
def subjects(game: Game[Any]) -> tuple[Subject, ...]:
    """Return matches with every number of seats and set of options, or a sample if there are many.

    `setups` of `replay.sampling.moves` defines the sample.
    """
    return tuple(
        Subject(game, seats, options, seed)
        for seats, options in setups(game)
        for seed in range(SEEDS)
    )


def few(game: Game[Any]) -> tuple[Subject, ...]:
    """Return the matches of a few combinations, spread evenly, with the defaults among them."""
    every = subjects(game)
    step = -(-len(every) // (SEEDS * FEW))
    return tuple(one for number, one in enumerate(every) if number // SEEDS % step == 0)


@functools.cache
def _match(subject: Subject) -> Match:
    game, seats, options, seed = subject
    return random_match(game, seed, seats=seats, options=options)


AnyGame = Game[Any]
Applies = Callable[[AnyGame], bool]
Test = TypeVar("Test", bound=Callable[..., None])


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test on the `GAME` of its module."""
    game = metafunc.module.GAME
    game.check_start()
    run_on(metafunc, [game])


@pytest.fixture(autouse=True, scope="module")
def known_game(request: pytest.FixtureRequest) -> None:
    """Let the registry find the `GAME` of a module, which need not be installed.

    Other tests may have changed the games since the module was collected.
    """
    game = getattr(request.module, "GAME", None)
    if game is not None and registry.games().get(game.slug) is not game:
        registry.add(game, request.module.__name__)


def run_on(
    metafunc: pytest.Metafunc,
    games: Iterable[AnyGame],
    subjects: Callable[[AnyGame], Iterable[Subject]] = subjects,
) -> None:
    """Run a test on the games with the tested feature, or on random matches of them."""
    applies: Applies = getattr(metafunc.function, "applies", lambda game: True)
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


def _is_drawn(game: AnyGame) -> bool:
    return bool(game.scene(game.start().view(None)).panels)


with_secrets = _only(lambda game: game.has_secrets)
without_numbers = _only(lambda game: not game.unlisted_tags)
with_text = _only(lambda game: game.text is not None)
with_keys = _only(lambda game: game.compares)
with_script = _only(lambda game: game.script is not None)
with_pictures = _only(_is_drawn)
by_hand = _only(lambda game: game.editor is not NOT_BY_HAND)
