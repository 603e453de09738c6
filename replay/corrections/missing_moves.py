"""Find forgotten moves: the ways from a recorded position to the position on the table.

`domain.reconstruction.targets` says how positions are compared.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import groupby, islice
from typing import Any, Final

from msgspec import Struct

from domain.entry import move_text
from domain.events import UNJUDGED, LineEvent, Moved, Resigned, State
from domain.game import Game
from domain.reconstruction.steps import Work, moves_at
from domain.reconstruction.targets import Target, TargetError, read_target
from replay.corrections.adjustments import write_position
from replay.errors import Conflict, Usage
from replay.fields import EventText
from replay.record.match_record import MatchRecord

MAX_WAYS: Final = 1000
"""The most ways that are listed; ways that differ only in dice count separately."""

Parents = dict[State, list[tuple[State, LineEvent]]]
"""The states of one layer, each with the preceding states and the events between."""


class SearchBounds(Struct, frozen=True):
    """Limits of a search: events in a row, positions visited, seconds."""

    length: int = 4
    nodes: int = 200_000
    seconds: float = 20.0


class GapWay(Struct, frozen=True):
    """Moves that lead to the position on the table; `alike` more ways differ only in the dice."""

    texts: tuple[EventText, ...]
    """Events in the notation of the game."""
    position: str
    alike: int
    """How many more ways differ from this one only in the dice."""


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

    Raises `Usage` for an invalid position text and after the end of a game, and `Conflict` for a
    match whose moves cannot all be listed.
    """
    game, state = record.game, record.match.at(ply)
    if not game.lists_all:
        raise Conflict(f"{game.name} has moves that cannot be listed, so it cannot be searched")
    if state.unjudged:
        raise Conflict(UNJUDGED.message)
    if state.outcome is not None:
        raise Usage(f"the game is over at ply {ply}; search from an earlier ply")
    write_position(game, state.position)
    try:
        wanted = read_target(game, state.position, target)
    except TargetError as error:
        raise Usage(str(error)) from None
    return _Search(bounds, wanted, progress, clock).run(game, State(game, state.position))


class _BoundReached(Exception):
    """A limit was reached; the argument is its name."""


class _Search:
    """A breadth-first search in layers of states by length; each state is in one layer."""

    def __init__(
        self,
        bounds: SearchBounds,
        target: Target,
        progress: Progress,
        clock: Callable[[], float],
    ) -> None:
        self.bounds = bounds
        self.target = target
        self.progress = progress
        self.clock = clock
        self.until = clock() + bounds.seconds
        self.work = Work(bounds.nodes)
        self.layers: list[Parents] = []
        self.seen: set[State] = set()

    def run(self, game: Game[Any], start: State) -> Gap:
        """Search layer by layer until a layer contains the target, or a limit is reached."""
        self.layers.append({start: []})
        found = [start] if self.target.matches(start) else []
        stopped = None
        try:
            while not found and len(self.layers) <= self.bounds.length and self.layers[-1]:
                found = self._next_layer()
        except _BoundReached as bound:
            stopped = str(bound)
            found = [state for state in self.layers[-1] if self.target.matches(state)]
        searched = len(self.layers) - 1 - (stopped is not None)
        return Gap(tuple(self._ways(game, found)), searched, self.work.done, stopped)

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
                    matches = self.target.matches(after)
                    if matches:
                        found.append(after)
                    # The last layer is not expanded, so only matching states are stored.
                    if matches or not last:
                        layer[after] = [(state, event)]
        return found

    def _count(self) -> None:
        if not self.work.take():
            raise _BoundReached("nodes")
        if self.work.done % 256 == 0:
            self.progress(len(self.layers) - 1, self.work.done)
            if self.clock() > self.until:
                raise _BoundReached("seconds")

    def _ways(self, game: Game[Any], found: list[State]) -> Iterator[GapWay]:
        """Yield the ways to the states; ways that differ only in dice are merged."""
        ways = (
            (
                _without_dice(game, events),
                tuple(move_text.write(game, event) for event in events),
                game.write_position(state.position),
            )
            for state in found
            for events in self._sequences(state, len(self.layers) - 1)
        )
        for _, alike in groupby(sorted(islice(ways, MAX_WAYS)), key=lambda way: way[0]):
            (_, way_texts, text), *others = alike
            yield GapWay(way_texts, text, len(others))

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
    yield from moves_at(state)
    if len(state.position.playing) > 2:
        yield from (Resigned(seat) for seat in state.position.playing)


def _without_dice(game: Game[Any], events: tuple[LineEvent, ...]) -> tuple[str, ...]:
    return tuple(
        event.move.what
        if isinstance(event, Moved) and event.move.chance
        else move_text.write(game, event)
        for event in events
    )
