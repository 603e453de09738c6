"""The games: refereeing, folding, random playouts and perft, on the matches of `fixtures/`."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from random import Random
from time import perf_counter
from typing import Any, ClassVar, Final, NamedTuple

from domain.entry import tokens
from domain.events import LineEvent, Moved, State
from domain.game import Game
from domain.games import built_in
from domain.match import Match, fold
from domain.perft import perft
from domain.position import Position, Violation
from replay.formats.ply.model import Record
from replay.formats.ply.reader import read_records
from tests.bench import yardsticks
from tests.bench.row import Figure, Row, Sample
from tests.paths import FIXTURES

MIDDLE: Final = 16
"""The ply at which playouts and perft begin."""

NODES: Final = 1500
"""Perft goes as deep as it must to count this many positions."""

PLAYED: Final = 300
"""A playout without an end stops after this many moves."""

Work = Callable[[], int]
"""Does some work and returns the number of its units: moves, nodes, turns."""


class Played(NamedTuple):
    """A move of a recorded match: its seat, its token as written, and without the seat."""

    seat: int
    token: str
    body: str


class Recorded(NamedTuple):
    """A recorded match: its opening, its moves, and the number of its turns."""

    opened: Match
    events: tuple[LineEvent, ...]
    moves: tuple[Played, ...]
    turns: int

    @property
    def game(self) -> Game[Any]:
        """The game of the match."""
        return self.opened.game


@dataclass(frozen=True)
class GameRow(Row):
    """Recorded matches, to python-chess doing the same kind of work just before and after: a move
    parsed, found legal, pushed and its outcome asked for (for steps, events and folding), a move
    of a random playout, a perft node. A step is judged by the game alone, an event by the match
    around it. Folding is aimed at 200 events in the time of 50 moves of chess, or 100.
    """

    events: int = 1000
    """The approximate number of recorded events in a round."""
    slug: ClassVar[str]
    step: ClassVar[float]
    """The aim for a step: a move, or a whole turn of secret programs and their effects."""
    fold: ClassVar[float] = 200 / 50
    rounds: ClassVar[int] = 15

    @property
    def figures(self) -> Sequence[Figure]:
        listed = built_in(self.slug).lists_all
        return (
            Figure(f"{'referee steps' if listed else 'whole turns'}, to chess", at_least=self.step),
            Figure("events refereed, to chess"),
            Figure("events folded, to chess", at_least=self.fold),
            *([Figure("playout moves, to chess"), Figure("perft nodes, to chess")] * listed),
        )

    @contextmanager
    def prepared(self) -> Iterator[Sample]:
        matches = list(recorded(self.slug, self.events))
        pairs = list(_pairs(built_in(self.slug), matches))
        gc.collect()
        gc.freeze()  # the prepared objects need no further garbage collection
        yield lambda: [to_yardstick(work, yardstick) for work, yardstick in pairs]


class Poptrix(GameRow):
    slug, step = "poptrix", 4.0


class Blockade(GameRow):
    slug, step = "blockade", 1.0


class PowerPlay(GameRow):
    slug, step = "power-play", 2.0


class PyramidBall(GameRow):
    slug, step, fold = "pyramid-ball", 0.5, 2.0


class CubePyramid(GameRow):
    slug, step = "cube-pyramid", 4.0


def to_yardstick(work: Work, yardstick: Work) -> float:
    """Return how many times as fast some work goes as its yardstick, timed before and after.

    A passing slowdown of the machine then affects both sides, or only few rounds.
    """
    before, speed, after = map(_speed, (yardstick, work, yardstick))
    return 2 * speed / (before + after)


def _speed(work: Work) -> float:
    start = perf_counter()
    units = work()
    return units / (perf_counter() - start)


def _pairs(game: Game[Any], matches: Sequence[Recorded]) -> Iterator[tuple[Work, Work]]:
    """Yield the work of each figure with its yardstick."""
    step = partial(moves, matches) if game.lists_all else partial(turns, game, matches)
    for work in (step, partial(entered, matches), partial(folded, matches)):
        yield work, yardsticks.refereed
    if game.lists_all:
        middle = _middle(matches[0])
        yield partial(played_out, middle), yardsticks.played_out
        depth = next(depth for depth in range(1, 9) if perft(middle, depth) >= NODES)
        yield partial(perft, middle, depth), yardsticks.counted


def recorded(slug: str, most: int) -> Iterator[Recorded]:
    """Read recorded matches of a game until they have as many events."""
    events = 0
    for record in read_records((FIXTURES / slug / "games.ply").read_text()):
        assert isinstance(record, Record), record
        if events < most:
            yield _recorded(record)
        events += len(record.match.line)


def _recorded(record: Record) -> Recorded:
    match = record.match
    opened = Match(match.game, match.options, match.seats, match.start)
    events = tuple(ply.event for ply in match.line)
    plain = all(isinstance(event, Moved) for event in events)
    assert plain, f"a match of {match.game.name} in the fixtures has more than moves"
    written = [tokens.write(match.game, event) for event in events]
    moves = tuple(
        Played(event.seat, token, tokens.split(token).body)
        for event, token in zip(events, written, strict=True)
    )
    return Recorded(opened, events, moves, len({node.turn for node in record.line.nodes}))


def moves(matches: Sequence[Recorded]) -> int:
    """Referee the moves (parse, awaited seat, check, evolve, outcome) and return their number."""
    for match in matches:
        game, position = match.game, match.opened.start.position
        for seat, _, token in match.moves:
            move = game.parse(token)
            assert move is not None
            for one in position.awaiting():
                if one.seat == seat:
                    break
            else:
                raise AssertionError(f"{token}: seat {seat} is not awaited")
            assert move.check(position, seat) is None
            position, _ = move.evolve(position, seat)
            position.outcome()
    return sum(len(match.moves) for match in matches)


def turns(game: Game[Any], matches: Sequence[Recorded]) -> int:
    """Referee the moves of a game whose turns are secret programs; return the number of turns."""
    # Other moves are a small stock that caches learn soon; a program hardly comes twice.
    game._parsed.cache_clear()
    moves(matches)
    return sum(match.turns for match in matches)


def entered(matches: Sequence[Recorded]) -> int:
    """Referee the moves as events of a match, draw offers included; return their number."""
    for match in matches:
        game, state = match.game, match.opened.start
        for _, token, _ in match.moves:
            event = tokens.read(game, state, token)
            assert not isinstance(event, Violation)
            assert event.check(state) is None
            state, _ = event.evolve(state)
    return sum(len(match.moves) for match in matches)


def folded(matches: Sequence[Recorded]) -> int:
    """Fold the matches from their events, as from a store; return the number of events."""
    return sum(fold(match.opened, match.events).version for match in matches)


def played_out(start: Position) -> int:
    """Play at random to the end; return the number of moves."""
    rng, position, count = Random(1), start, 0
    while position.outcome() is None and count < PLAYED:
        seats = dict.fromkeys(awaited.seat for awaited in position.awaiting())
        seat, move = rng.choice([(seat, move) for seat in seats for move in position.legal(seat)])
        position, _ = move.evolve(position, seat)
        count += 1
    return count


def _middle(match: Recorded) -> Position:
    state: State = fold(match.opened, match.events[:MIDDLE]).state
    return state.position
