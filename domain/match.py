"""A match: what its log of events comes to.

The log only grows; the *line* is what stands of it, plies 1, 2, 3 … Most events append to the
line, `TakenBack` cuts it. A `Match` is a value: `evolve` gives a new one.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from domain.game import Effect, Game, Move, Options, Outcome, Position, Violation


class State(Struct, frozen=True):
    """A point of the line: the position, a draw offer that stands, and how it ended if it did."""

    position: Position
    outcome: Outcome | None = None
    offered: int | None = None
    accepted: tuple[int, ...] = ()

    @property
    def in_turn(self) -> int | None:
        """The seat that a token without a seat speaks for: the only one that must act, or none."""
        if self.outcome is not None:
            return None
        must = [awaited.seat for awaited in self.position.awaiting() if awaited.must]
        return must[0] if len(must) == 1 else None


Step = tuple[State, tuple[Effect, ...]]


class Event(Struct, frozen=True, tag_field="type", tag=str.lower, forbid_unknown_fields=True):
    """Something that happened in a match, in the past tense, that belongs to its line."""

    def check(self, state: State) -> Violation | None:
        """Return why this cannot happen here, or `None`."""
        raise NotImplementedError

    def evolve(self, state: State) -> Step:
        """Return what comes of it, and the effects. Never fails on what passed `check`."""
        raise NotImplementedError


class Moved(Event, frozen=True):
    """A seat made a move of the game."""

    seat: int
    move: Move[Any]

    def check(self, state: State) -> Violation | None:
        """Refuse what comes after the end or from a seat not awaited; the rest is the game's."""
        if state.outcome is not None:
            return _over(state)
        awaited = state.position.awaiting()
        for one in awaited:
            if one.seat == self.seat:
                return self.move.check(state.position, self.seat)
        return Violation("turn", f"it is not for seat {self.seat} to move: {awaited_words(state)}")

    def evolve(self, state: State) -> Step:
        """Let the move work. A draw offer of another seat lapses."""
        position, effects = self.move.evolve(state.position, self.seat)
        outcome = position.outcome()
        if state.offered == self.seat:
            return State(position, outcome, self.seat, state.accepted), effects
        return State(position, outcome), effects


class Resigned(Event, frozen=True):
    """A seat gave up: with two seats the other wins, with more it goes out."""

    seat: int

    def check(self, state: State) -> Violation | None:
        """Only a seat still in can resign."""
        return _absent(state, self.seat)

    def evolve(self, state: State) -> Step:
        """Take the seat out, or end the game."""
        return _put_out(state, self.seat, "resigned")


class Flagged(Event, frozen=True):
    """A seat claimed that the time of the opponent, or of the seat awaited, is up."""

    seat: int

    def check(self, state: State) -> Violation | None:
        """There must be one opponent, or one awaited, whose time can be up."""
        absent = _absent(state, self.seat)
        if absent is not None or self._late(state) is not None:
            return absent
        return Violation("turn", f"no time but that of seat {self.seat} itself is running")

    def evolve(self, state: State) -> Step:
        """Take the late seat out, or end the game."""
        late = self._late(state)
        assert late is not None
        return _put_out(state, late, "flagged")

    def _late(self, state: State) -> int | None:
        others = [seat for seat in state.position.playing if seat != self.seat]
        if len(others) == 1:
            return others[0]
        return state.in_turn if state.in_turn != self.seat else None


class DrawOffered(Event, frozen=True, tag="draw offered"):
    """A seat offered a draw; it stands until it is declined or another seat has moved."""

    seat: int

    def check(self, state: State) -> Violation | None:
        """One offer at a time."""
        if state.outcome is None and state.offered is not None:
            return Violation("turn", f"the draw offer of seat {state.offered} still stands")
        return _absent(state, self.seat)

    def evolve(self, state: State) -> Step:
        """Let the offer stand."""
        return replace(state, offered=self.seat, accepted=()), ()


class DrawAccepted(Event, frozen=True, tag="draw accepted"):
    """A seat agreed to the draw offered; it is one when every other seat still in has."""

    seat: int

    def check(self, state: State) -> Violation | None:
        """Only an offer of another seat, and only once."""
        return _no_offer_for(state, self.seat)

    def evolve(self, state: State) -> Step:
        """Count the acceptance, and end the game with the last one."""
        return _agree(replace(state, accepted=(*state.accepted, self.seat))), ()


class DrawDeclined(Event, frozen=True, tag="draw declined"):
    """A seat declined the draw offered; the offer is gone."""

    seat: int

    def check(self, state: State) -> Violation | None:
        """Only an offer of another seat."""
        return _no_offer_for(state, self.seat)

    def evolve(self, state: State) -> Step:
        """Take the offer away."""
        return replace(state, offered=None, accepted=()), ()


class Ruled(Event, frozen=True):
    """The scorekeeper ended the match: seat `winner` won, it is drawn, or it is abandoned."""

    result: Literal["won", "drawn", "abandoned"]
    winner: int | None = None
    reason: str = ""

    def check(self, state: State) -> Violation | None:
        """A winner must be a seat still in."""
        if state.outcome is not None:
            return _over(state)
        if (self.result == "won") != (self.winner is not None):
            return Violation("form", "a ruling names a winner if the match is won, and only then")
        return None if self.winner is None else _absent(state, self.winner)

    def evolve(self, state: State) -> Step:
        """End the match."""
        outcome = Outcome(self.winner, "ruled", abandoned=self.result == "abandoned")
        return State(state.position, outcome), ()


class TakenBack(
    Struct, frozen=True, tag_field="type", tag="taken back", forbid_unknown_fields=True
):
    """The line was cut back to `ply`; the log keeps what stood there."""

    ply: int


LineEvent = Moved | Resigned | Flagged | DrawOffered | DrawAccepted | DrawDeclined | Ruled
LogEvent = LineEvent | TakenBack


class Ply(Struct, frozen=True):
    """One event of the line, the version it was logged at, and what came of it."""

    event: LineEvent
    version: int
    state: State
    effects: tuple[Effect, ...]


class Match(Struct, frozen=True):
    """A match at a version: version 0 is the start, and each event of the log adds one."""

    game: Game[Any]
    options: Options
    seats: int
    start: State
    version: int = 0
    line: tuple[Ply, ...] = ()

    @property
    def state(self) -> State:
        """The point the line has reached."""
        return self.line[-1].state if self.line else self.start

    def at(self, ply: int) -> State:
        """Return the point after `ply` events of the line. Raises `IndexError` beyond it."""
        if not 0 <= ply <= len(self.line):
            raise IndexError(f"the line has {len(self.line)} plies, and none numbered {ply}")
        return self.line[ply - 1].state if ply else self.start

    def check(self, event: LogEvent) -> Violation | None:
        """Return why the event cannot be logged now, or `None`."""
        if not isinstance(event, TakenBack):
            return event.check(self.state)
        if 0 <= event.ply < len(self.line):
            return None
        last = len(self.line)
        return Violation("turn", f"the line has {last} plies; ply {event.ply} is not behind us")

    def evolve(self, event: LogEvent) -> Match:
        """Return the match with the event logged. The event must have passed `check`."""
        version = self.version + 1
        if isinstance(event, TakenBack):
            line = self.line[: event.ply]
        else:
            state, effects = event.evolve(self.state)
            line = (*self.line, Ply(event, version, state, effects))
        return Match(self.game, self.options, self.seats, self.start, version, line)


def open_match(game: Game[Any], options: Options | None = None, seats: int | None = None) -> Match:
    """Return a match at version 0. Raises `OptionError`."""
    options = game.options() if options is None else options
    seats = game.seats[0] if seats is None else seats
    return Match(game, options, seats, State(game.start(options, seats)))


def fold(match: Match, events: Iterable[LogEvent]) -> Match:
    """Add trusted events to a match: nothing is checked."""
    line, state, version = list(match.line), match.state, match.version
    for event in events:
        version += 1
        if isinstance(event, TakenBack):
            del line[event.ply :]
            state = line[-1].state if line else match.start
        else:
            state, effects = event.evolve(state)
            line.append(Ply(event, version, state, effects))
    return replace(match, version=version, line=tuple(line))


def awaited_words(state: State) -> str:
    """Say who is awaited and what for."""
    if state.outcome is not None:
        return "the game is over"
    must = [one for one in state.position.awaiting() if one.must]
    return " and ".join(f"seat {one.seat} is to {one.what}" for one in must)


def outcome_words(outcome: Outcome) -> str:
    """Say how a match ended: "seat 1 won (POP-6.3)"."""
    if outcome.winner is not None:
        return f"seat {outcome.winner} won ({outcome.clause})"
    return f"{'abandoned' if outcome.abandoned else 'a draw'} ({outcome.clause})"


def _over(state: State) -> Violation:
    assert state.outcome is not None
    return Violation("over", f"the game has ended: {outcome_words(state.outcome)}")


def _absent(state: State, seat: int) -> Violation | None:
    if state.outcome is not None:
        return _over(state)
    if seat in state.position.playing:
        return None
    seats = ", ".join(map(str, state.position.playing))
    return Violation("turn", f"seat {seat} is not in the game; the seats still in are {seats}")


def _no_offer_for(state: State, seat: int) -> Violation | None:
    absent = _absent(state, seat)
    if absent is None and (state.offered in (None, seat) or seat in state.accepted):
        return Violation("turn", f"no draw offer waits for the answer of seat {seat}")
    return absent


def _agree(state: State) -> State:
    """End the match if every seat still in has offered or accepted the draw."""
    if {state.offered, *state.accepted} >= set(state.position.playing):
        return State(state.position, Outcome(None, "agreed"))
    return state


def _put_out(state: State, seat: int, clause: str) -> Step:
    left = [other for other in state.position.playing if other != seat]
    if len(left) == 1:
        return State(state.position, Outcome(left[0], clause)), ()
    position, effects = state.position.retire(seat)
    if state.offered in (None, seat):
        return State(position), effects
    accepted = tuple(other for other in state.accepted if other != seat)
    return _agree(State(position, None, state.offered, accepted)), effects
