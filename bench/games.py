"""The games: refereeing and folding the matches of `fixtures/`."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from time import process_time
from typing import Any, ClassVar, NamedTuple

from bench import yardsticks
from bench.row import Figure, Row, Sample
from domain.entry import move_text
from domain.events import LineEvent, Moved
from domain.game import Game
from domain.games import built_in
from domain.match import Match, fold
from domain.position import Violation
from replay.formats.ply.model import Record
from replay.formats.ply.reader import read_records
from tests.paths import FIXTURES

Work = Callable[[], int]
"""Does some work and returns the number of its units: moves, nodes, turns."""


class Played(NamedTuple):
    """A move of a recorded match: its seat, its text as written, and without the seat."""

    seat: int
    text: str
    body: str


class Recorded(NamedTuple):
    """A recorded match: its opening, its moves, and the number of its turns."""

    opened: Match
    events: tuple[LineEvent, ...]
    moves: tuple[Played, ...]
    turns: int

    @property
    def game(self) -> Game[Any]:
        return self.opened.game


@dataclass(frozen=True)
class GameRow(Row):
    """Recorded matches, to python-chess doing the same kind of work just before and after, by CPU
    time: a move parsed, found legal, pushed and its outcome asked for. A step is judged by the game
    alone, an event by the match around it. Folding is aimed at 200 events in the time of 50 moves
    of chess; of Pyramid Ball, 100.
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
        )

    @contextmanager
    def prepared(self) -> Iterator[Sample]:
        matches = list(record(self.slug, self.events))
        works = _works(built_in(self.slug), matches)
        gc.collect()
        gc.freeze()  # the prepared objects need no further garbage collection
        yield lambda: [to_yardstick(work, yardsticks.refereed) for work in works]


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

    A passing slowdown of the processor then affects both sides, or only few rounds.
    """
    before, speed, after = map(_speed, (yardstick, work, yardstick))
    return 2 * speed / (before + after)


def _speed(work: Work) -> float:
    """Return the units per second of CPU time: waiting for a processor does not count."""
    start = process_time()
    units = work()
    return units / (process_time() - start)


def _works(game: Game[Any], matches: Sequence[Recorded]) -> list[Work]:
    step = partial(moves, matches) if game.lists_all else partial(turns, game, matches)
    return [step, partial(entered, matches), partial(folded, matches)]


def record(slug: str, most: int) -> Iterator[Recorded]:
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
    written = [move_text.write(match.game, event) for event in events]
    moves = tuple(
        Played(event.seat, text, move_text.split(text).body)
        for event, text in zip(events, written, strict=True)
    )
    return Recorded(opened, events, moves, len({node.turn for node in record.line.nodes}))


def moves(matches: Sequence[Recorded]) -> int:
    """Referee the moves (parse, awaited seat, check, evolve, outcome) and return their number."""
    for match in matches:
        game, position = match.game, match.opened.start.position
        for seat, _, body in match.moves:
            move = game.parse(body)
            assert move is not None
            for one in position.awaiting():
                if one.seat == seat:
                    break
            else:
                raise AssertionError(f"{body}: seat {seat} is not awaited")
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
        for _, text, _ in match.moves:
            event = move_text.read(game, state, text)
            assert not isinstance(event, Violation)
            assert event.check(state) is None
            state, _ = event.evolve(state)
    return sum(len(match.moves) for match in matches)


def folded(matches: Sequence[Recorded]) -> int:
    """Fold the matches from their events, as from a store; return the number of events."""
    return sum(fold(match.opened, match.events).version for match in matches)
