"""Find a forgotten move again: the ways from a record's position to the one on the table.

Positions are compared by their texts, field by field, but for the number of the turn. Whose turn
it is counts only if the person wrote it, and `?` in place of a field says that it is not known.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import groupby, islice
from typing import Any, Final

from msgspec import Struct

from domain.entry import tokens
from domain.events import LineEvent, Moved, Resigned, State
from domain.game import Game
from domain.position import Position
from domain.position_text import PositionError
from replay.corrections.corrections import position_as_text
from replay.errors import Usage
from replay.match_record import MatchRecord

UNKNOWN: Final = "?"
MOST: Final = 1000
"""How many ways are listed, those that differ in dice alone counted apart."""

Fields = tuple[str, ...]
Parents = dict[State, list[tuple[State, LineEvent]]]
"""States of one length, each with the states before it and the events between."""


class Bounds(Struct, frozen=True):
    """How far to search: events in a row, positions looked at, seconds."""

    length: int = 4
    nodes: int = 200_000
    seconds: float = 20.0


class Way(Struct, frozen=True):
    """Tokens that lead to the position on the table; `alike` others differ only in the dice."""

    tokens: tuple[str, ...]
    position: str
    alike: int = 0


class Gap(Struct, frozen=True):
    """The shortest ways, in the order of their tokens, none if nothing was found.

    All ways of up to `searched` events were looked at, `nodes` positions in all; `stopped` is
    `nodes` or `seconds` if that bound ended the search.
    """

    ways: tuple[Way, ...]
    searched: int
    nodes: int
    stopped: str | None = None


Progress = Callable[[int, int], None]
"""Told now and then how long the ways are by now, and how many positions were looked at."""


def find_gap(
    recorded: MatchRecord,
    ply: int,
    target: str,
    bounds: Bounds,
    *,
    progress: Progress = lambda length, nodes: None,
    clock: Callable[[], float] = time.monotonic,
) -> Gap:
    """Search for the shortest ways from a ply of the line to the position on the table.

    Raises `Usage` for a text that is no position, for a game with secret moves, which cannot be
    listed, and after the end of a game.
    """
    game, state = recorded.game, recorded.match.at(ply)
    if not game.lists_all:
        raise Usage(f"{game.name} has secret moves, which cannot be searched")
    if state.outcome is not None:
        raise Usage(f"the game is over at ply {ply}; nothing was forgotten after its end")
    search = _Search(bounds, _wanted(game, state.position, target), progress, clock)
    return search.run(game, State(game, state.position))


class _Spent(Exception):
    """A bound is reached; its name is the argument."""


class _Search:
    """Breadth first, a layer of states for each length, every state only at its first."""

    def __init__(
        self,
        bounds: Bounds,
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
        """Search layer by layer until one holds the position wanted, or a bound is reached."""
        self.layers.append({start: []})
        found = [start] if self._is_wanted(start) else []
        stopped = None
        try:
            while not found and len(self.layers) <= self.bounds.length and self.layers[-1]:
                found = self._next_layer()
        except _Spent as spent:
            stopped = str(spent)
            found = [state for state in self.layers[-1] if self._is_wanted(state)]
        searched = len(self.layers) - 1 - (stopped is not None)
        return Gap(tuple(self._ways(game, found)), searched, self.nodes, stopped)

    def _next_layer(self) -> list[State]:
        """Add the states that are one event further, and return those wanted among them."""
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
                    wanted = self._is_wanted(after)
                    if wanted:
                        found.append(after)
                    # Of the last layer only what is wanted has to be kept.
                    if wanted or not last:
                        layer[after] = [(state, event)]
        return found

    def _count(self) -> None:
        if self.nodes >= self.bounds.nodes:
            raise _Spent("nodes")
        self.nodes += 1
        if self.nodes % 256 == 0:
            self.progress(len(self.layers) - 1, self.nodes)
            if self.clock() > self.until:
                raise _Spent("seconds")

    def _is_wanted(self, state: State) -> bool:
        fields = state.game.write_position(state.position).split(" ")
        return any(
            all(part in (UNKNOWN, field) for part, field in zip(one, fields, strict=True))
            for one in self.wanted
            if len(one) == len(fields)
        )

    def _ways(self, game: Game[Any], found: list[State]) -> Iterator[Way]:
        """Tell the ways to the states found, those that differ in dice alone as one."""
        ways = (
            (
                _without_dice(game, events),
                _tokens(game, events),
                game.write_position(state.position),
            )
            for state in found
            for events in self._back(state, len(self.layers) - 1)
        )
        for _, alike in groupby(sorted(islice(ways, MOST)), key=lambda way: way[0]):
            (_, written, text), *others = alike
            yield Way(written, text, len(others))

    def _back(self, state: State, length: int) -> Iterator[tuple[LineEvent, ...]]:
        """Yield the events that lead to a state of a layer, in every order there is."""
        if length == 0:
            yield ()
            return
        for before, event in self.layers[length][state]:
            for events in self._back(before, length - 1):
                yield (*events, event)


def _events(state: State) -> Iterator[LineEvent]:
    """List what can have happened: every move, and with more than two seats resignations."""
    if state.outcome is not None:
        return
    position = state.position
    # A seat that must do one thing and may do another is awaited twice.
    for seat in dict.fromkeys(awaited.seat for awaited in position.awaiting()):
        for move in position.legal(seat):
            yield Moved(seat, move)
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


def _wanted(game: Game[Any], here: Position, target: str) -> frozenset[Fields]:
    """Return what the fields of a position must be; several, if whose turn it is can matter.

    Raises `Usage` for a text that is no position. With a field unknown this cannot be told.
    """
    example = position_as_text(game, here)
    count, given = example.count(" ") + 1, target.split()
    if not count - 2 <= len(given) <= count:
        raise Usage(
            f"a position of {game.name} has {count} fields, like {example}; whose turn it is and"
            f" its number, the last two, may be left away, and {UNKNOWN} stands for what is unknown"
        )
    *board, seat, turn = (*given, UNKNOWN, UNKNOWN)[:count]
    if UNKNOWN in board:
        return frozenset({(*board, seat, UNKNOWN)})
    found, wrong = set[Fields](), list[PositionError]()
    for text in _whole(board, seat, turn, here):
        try:
            canonical = game.write_position(game.read_position(here, text)).split(" ")
        except PositionError as error:
            wrong.append(error)
        else:
            found.add((*canonical[:-2], seat if seat == UNKNOWN else canonical[-2], UNKNOWN))
    if not found:
        raise Usage(f"this is no position of {game.name}, {wrong[0]}")
    return frozenset(found)


def _whole(board: list[str], seat: str, turn: str, here: Position) -> Iterator[str]:
    """Complete a text with the seats that may have the turn, and with turns that it may be."""
    seats = list(map(str, here.playing)) if seat == UNKNOWN else [seat]
    turns = list(map(str, range(here.turn, here.turn + 9))) if turn == UNKNOWN else [turn]
    return (" ".join((*board, one, number)) for one in seats for number in turns)
