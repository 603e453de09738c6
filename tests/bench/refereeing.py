"""The games: refereeing, folding, random playouts and perft, on the matches of `fixtures/`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from random import Random
from typing import Any, Final, NamedTuple

from domain.entry import tokens
from domain.events import LineEvent, Moved, State
from domain.game import Game
from domain.games import BUILT_IN, built_in
from domain.match import Match, fold
from domain.perft import perft
from domain.position import Position, Violation
from replay.formats.ply.model import Record
from replay.formats.ply.reader import read_records
from tests.bench import yardsticks
from tests.bench.timing import Job
from tests.paths import FIXTURES

EVENTS: Final = 1000
"""The approximate number of recorded events per run."""

MIDDLE: Final = 16
"""The ply at which playouts and perft begin."""

NODES: Final = 1500
"""Perft goes as deep as it must to count this many positions."""

PLAYED: Final = 300
"""A playout without an end stops after this many moves."""

REFEREEING: Final = {"poptrix": 4.0, "cube-pyramid": 4.0, "power-play": 2.0, "blockade": 1.0}
"""The aims for a move, as a multiple of python-chess's time."""

TURN: Final = 0.5
"""The aim for a whole turn of Pyramid Ball: two programs and their effects."""

FOLDING: Final = 200 / 50
"""The aim for folding: 200 events in the time that python-chess needs for 50 moves."""


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


def jobs() -> Iterator[Job]:
    """Return the jobs of every built-in game."""
    for slug in BUILT_IN:
        yield from _jobs(built_in(slug), list(recorded(slug)))


def _jobs(game: Game[Any], matches: Sequence[Recorded]) -> Iterator[Job]:
    slug, referee = game.slug, yardsticks.refereed
    if game.lists_all:
        yield Job(slug, "moves refereed", partial(moves, matches), referee, REFEREEING[slug])
    else:
        yield Job(slug, "turns refereed", partial(turns, game, matches), referee, TURN)
    yield Job(slug, "events refereed", partial(entered, matches), referee)
    yield Job(slug, "events folded", partial(folded, matches), referee, FOLDING)
    if game.lists_all:
        middle = _middle(matches[0])
        yield Job(slug, "playout moves", partial(played_out, game, middle), yardsticks.played_out)
        depth = next(depth for depth in range(1, 9) if perft(game, middle, depth) >= NODES)
        yield Job(slug, "perft nodes", partial(perft, game, middle, depth), yardsticks.counted)


def recorded(slug: str) -> Iterator[Recorded]:
    """Read about `EVENTS` events of recorded matches of a game."""
    events = 0
    for record in read_records((FIXTURES / slug / "games.ply").read_text()):
        assert isinstance(record, Record), record
        if events < EVENTS:
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


def played_out(game: Game[Any], start: Position) -> int:
    """Play at random to the end; return the number of moves."""
    rng, position, count = Random(1), start, 0
    while position.outcome() is None and count < PLAYED:
        seat, move = rng.choice(list(game.legal_moves(position)))
        position, _ = move.evolve(position, seat)
        count += 1
    return count


def _middle(match: Recorded) -> Position:
    state: State = fold(match.opened, match.events[:MIDDLE]).state
    return state.position
