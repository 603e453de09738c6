"""Find forgotten moves: the ways from a recorded position to the position on the table.

Positions are compared as texts, field by field, ignoring the turn number. The seat in turn is
compared only if the person wrote it. `?` stands for an unknown field.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import groupby, islice
from typing import Any, Final

from msgspec import Struct

from domain.entry import tokens
from domain.events import UNJUDGED, LineEvent, Moved, Resigned, State
from domain.game import Game
from domain.position import Position
from domain.position_text import PositionError
from replay.corrections.adjustments import write_position
from replay.errors import Usage
from replay.fields import Token
from replay.record.match_record import MatchRecord

UNKNOWN: Final = "?"
MAX_WAYS: Final = 1000
"""The most ways that are listed; ways that differ only in dice count separately."""

Fields = tuple[str, ...]
Parents = dict[State, list[tuple[State, LineEvent]]]
"""The states of one layer, each with the preceding states and the events between."""


class SearchBounds(Struct, frozen=True):
    """Limits of a search: events in a row, positions visited, seconds."""

    length: int = 4
    nodes: int = 200_000
    seconds: float = 20.0


class GapWay(Struct, frozen=True):
    """Moves that lead to the position on the table; `alike` more ways differ only in the dice."""

    texts: tuple[Token, ...]
    position: str
    alike: int


class Gap(Struct, frozen=True):
    """The shortest ways, sorted by their moves; empty if the search found none.

    The search covered all ways of up to `searched` events and visited `nodes` positions. `stopped`
    is `nodes` or `seconds` if that limit ended it.
    """

    ways: tuple[GapWay, ...]
    searched: int
    nodes: int
    stopped: str | None = None


Progress = Callable[[int, int], None]
"""Called now and then with the length searched and the number of positions visited."""


def find_gap(
    record: MatchRecord,
    ply: int,
    target: str,
    bounds: SearchBounds,
    *,
    progress: Progress = lambda length, nodes: None,
    clock: Callable[[], float] = time.monotonic,
) -> Gap:
    """Search for the shortest ways from a ply of the line to the position on the table.

    Raises `Usage` for an invalid position text, for a game whose moves cannot all be
    listed, and after the end of a game.
    """
    game, state = record.game, record.match.at(ply)
    if not game.lists_all:
        raise Usage(f"{game.name} has moves that cannot be listed, so it cannot be searched")
    if state.quiet:
        raise Usage(UNJUDGED.message)
    if state.outcome is not None:
        raise Usage(f"the game is over at ply {ply}; search from an earlier ply")
    search = _Search(bounds, _target_fields(game, state.position, target), progress, clock)
    return search.run(game, State(game, state.position))


class _BoundReached(Exception):
    """A limit was reached; the argument is its name."""


class _Search:
    """A breadth-first search with one layer of states per length; a state is in only one."""

    def __init__(
        self,
        bounds: SearchBounds,
        wanted: frozenset[Fields],
        progress: Progress,
        clock: Callable[[], float],
    ) -> None:
        self.bounds = bounds
        self.wanted = wanted
        self.progress = progress
        self.clock = clock
        self.until = clock() + bounds.seconds
        self.nodes = 0
        self.layers: list[Parents] = []
        self.seen: set[State] = set()

    def run(self, game: Game[Any], start: State) -> Gap:
        """Search layer by layer until one contains the target, or a limit is reached."""
        self.layers.append({start: []})
        found = [start] if self._matches_target(start) else []
        stopped = None
        try:
            while not found and len(self.layers) <= self.bounds.length and self.layers[-1]:
                found = self._next_layer()
        except _BoundReached as bound:
            stopped = str(bound)
            found = [state for state in self.layers[-1] if self._matches_target(state)]
        searched = len(self.layers) - 1 - (stopped is not None)
        return Gap(tuple(self._ways(game, found)), searched, self.nodes, stopped)

    def _next_layer(self) -> list[State]:
        """Add the states one event further, and return the states that match the target."""
        before, layer, found = self.layers[-1], Parents(), list[State]()
        self.seen.update(before)
        self.layers.append(layer)
        last = len(self.layers) > self.bounds.length
        for state in before:
            for event in _events(state):
                self._count()
                after, _ = event.evolve(state)
                if after in layer:
                    layer[after].append((state, event))
                elif after not in self.seen:
                    matches = self._matches_target(after)
                    if matches:
                        found.append(after)
                    # The last layer is not expanded, so only matching states are stored.
                    if matches or not last:
                        layer[after] = [(state, event)]
        return found

    def _count(self) -> None:
        if self.nodes >= self.bounds.nodes:
            raise _BoundReached("nodes")
        self.nodes += 1
        if self.nodes % 256 == 0:
            self.progress(len(self.layers) - 1, self.nodes)
            if self.clock() > self.until:
                raise _BoundReached("seconds")

    def _matches_target(self, state: State) -> bool:
        fields = state.game.write_position(state.position).split(" ")
        return any(
            all(part in (UNKNOWN, field) for part, field in zip(one, fields, strict=True))
            for one in self.wanted
            if len(one) == len(fields)
        )

    def _ways(self, game: Game[Any], found: list[State]) -> Iterator[GapWay]:
        """Yield the ways to the states; ways that differ only in dice are merged."""
        ways = (
            (
                _without_dice(game, events),
                _tokens(game, events),
                game.write_position(state.position),
            )
            for state in found
            for events in self._sequences(state, len(self.layers) - 1)
        )
        for _, alike in groupby(sorted(islice(ways, MAX_WAYS)), key=lambda way: way[0]):
            (_, way_tokens, text), *others = alike
            yield GapWay(way_tokens, text, len(others))

    def _sequences(self, state: State, length: int) -> Iterator[tuple[LineEvent, ...]]:
        """Yield every sequence of events that leads to a state of a layer."""
        if length == 0:
            yield ()
            return
        for before, event in self.layers[length][state]:
            for events in self._sequences(before, length - 1):
                yield (*events, event)


def _events(state: State) -> Iterator[LineEvent]:
    """Yield the possible events: every move and, with more than two seats, resignations."""
    if state.outcome is not None:
        return
    position = state.position
    yield from (Moved(seat, move) for seat, move in state.game.legal_moves(position))
    if len(position.playing) > 2:
        yield from (Resigned(seat) for seat in position.playing)


def _tokens(game: Game[Any], events: tuple[LineEvent, ...]) -> tuple[str, ...]:
    return tuple(tokens.write(game, event) for event in events)


def _without_dice(game: Game[Any], events: tuple[LineEvent, ...]) -> tuple[str, ...]:
    return tuple(
        event.move.what
        if isinstance(event, Moved) and event.move.chance
        else tokens.write(game, event)
        for event in events
    )


def _target_fields(game: Game[Any], record: Position, target: str) -> frozenset[Fields]:
    """Return the fields that match a target; one tuple for each seat that may be in turn.

    Raises `Usage` for an invalid position text; a text with unknown fields is not checked.
    """
    example = write_position(game, record)
    if game.text is not None and game.text.key is not None:
        return frozenset({_whole_fields(game, record, target)})
    count, fields = example.count(" ") + 1, target.split()
    if not count - 2 <= len(fields) <= count:
        raise Usage(
            f"a position of {game.name} has {count} fields, like {example}; the last two,"
            f" seat and turn, may be left out, and {UNKNOWN} stands for an unknown field"
        )
    *board, seat, turn = (*fields, UNKNOWN, UNKNOWN)[:count]
    if UNKNOWN in board:
        return frozenset({(*board, seat, UNKNOWN)})
    targets, errors = set[Fields](), list[PositionError]()
    for text in _completions(board, seat, turn, record):
        try:
            canonical = game.write_position(game.read_position(record, text)).split(" ")
        except PositionError as error:
            errors.append(error)
        else:
            targets.add((*canonical[:-2], seat if seat == UNKNOWN else canonical[-2], UNKNOWN))
    if not targets:
        raise Usage(f"this is not a position of {game.name}, {errors[0]}")
    return frozenset(targets)


def _whole_fields(game: Game[Any], record: Position, target: str) -> Fields:
    """Return the fields of a text that has a form of its own: nothing in it may be unknown."""
    try:
        return tuple(game.write_position(game.read_position(record, target)).split(" "))
    except PositionError as error:
        raise Usage(f"this is not a position of {game.name}, {error}") from None


def _completions(board: list[str], seat: str, turn: str, record: Position) -> Iterator[str]:
    """Complete a text with each possible seat and turn number."""
    seats = list(map(str, record.playing)) if seat == UNKNOWN else [seat]
    turns = list(map(str, range(record.turn, record.turn + 9))) if turn == UNKNOWN else [turn]
    return (" ".join((*board, name, number)) for name in seats for number in turns)
