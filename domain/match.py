"""A match as the result of its log of events.

The log only grows. The *line* is the current sequence of events, plies 1, 2, 3 … Most events append
to the line (`domain.events`), some edit it (`domain.log_edits`). A `Match` is a value: `evolve`
returns a new one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Any, Final, NamedTuple, TypeGuard

from msgspec import Struct
from msgspec.structs import replace

from domain.events import LineEvent, Moved, Noted, Ply, State, Unrecorded, as_noted
from domain.game import Game, Options
from domain.log_edits import (
    Amended,
    Edit,
    Filled,
    Judged,
    Reopened,
    SeedRevealed,
    TakebackAsked,
    TakebackDeclined,
    TakenBack,
    TryRefused,
)
from domain.position import Secret, Violation

LogEvent = (
    LineEvent
    | TakenBack
    | TakebackAsked
    | TakebackDeclined
    | TryRefused
    | Amended
    | Judged
    | Filled
    | Reopened
    | SeedRevealed
)

NEAR: Final = 3
"""How many of the events that fell are tried as the next event, because some no longer fit."""

Undone = tuple[tuple[LineEvent, ...], int, bool]
NOTHING_UNDONE: Final[Undone] = ((), 0, False)


class Match(Struct, frozen=True):
    """A match at a version: version 0 is the start, and each event of the log adds one.

    `seed` is the revealed seed of its dice, in hex. `aside` are the later plies while an amendment
    with several events is incomplete; otherwise `None`. `undone` are the events that were taken
    back, of which the first `redone` were entered again since; it is empty once any other event is
    entered. They end before the first secret move that was never revealed: comparing it with later
    events would reveal whether a guess is right. If they `fell` with an amendment, any line event
    passes over the next of them, and they end before the first secret move.
    """

    game: Game[Any]
    options: Options
    seats: int
    start: State
    version: int = 0
    line: tuple[Ply, ...] = ()
    asked: TakebackAsked | None = None
    seed: str | None = None
    aside: tuple[Ply, ...] | None = None
    undone: tuple[LineEvent, ...] = ()
    redone: int = 0
    fell: bool = False

    @property
    def state(self) -> State:
        """The state at the end of the line."""
        return self.line[-1].state if self.line else self.start

    @property
    def to_redo(self) -> LineEvent | None:
        """The next event to redo, unless any other event was entered.

        After a correction that cut events, the next cut event that is legal now, among the next
        `NEAR`.
        """
        near = self.undone[self.redone :][:NEAR]
        if not self.fell:
            return near[0] if near else None
        return next((event for event in near if event.check(self.state) is None), None)

    def at(self, ply: int) -> State:
        """Return the state after `ply` events of the line. Raises `IndexError` beyond it."""
        if not 0 <= ply <= len(self.line):
            raise IndexError(f"ply {ply} is not in the line; use 0 to {len(self.line)}")
        return self.line[ply - 1].state if ply else self.start

    def open_dash(self, at: int | None = None) -> int | None:
        """Return the ply of the dash that hides the position at a ply, by default at the end.

        `None` if that position is known, if no move was ever judged, or if a ply breaks a rule.
        """
        if self.start.unjudged:
            return None
        known = last = len(self.line) if at is None else at
        while self.at(known).unjudged:
            known -= 1
        dashed = known < last and isinstance(self.line[known].event, Unrecorded)
        return known + 1 if dashed else None

    def check(self, event: LogEvent) -> Violation | None:
        """Return why the event cannot be logged in the match now, or `None`."""
        return event.check(self) if isinstance(event, Edit) else event.check(self.state)

    def evolve(self, event: LogEvent) -> Match:
        """Return the match with the event logged. The event must have passed `check`."""
        version = self.version + 1
        if isinstance(event, Edit):
            line = event.line(self)
        else:
            state, effects = event.evolve(self.state)
            line = (*self.line, Ply(event, version, state, effects))
        asked = event if isinstance(event, TakebackAsked) else None
        seed = event.seed if isinstance(event, SeedRevealed) else self.seed
        aside = event.tail(self) if isinstance(event, Amended) and event.more else None
        start = replace(self.start, unjudged=False) if isinstance(event, Judged) else self.start
        undone, redone, fell = self._undo(event) if isinstance(event, Edit) else self._redo([event])
        return Match(
            self.game,
            self.options,
            self.seats,
            start,
            version,
            line,
            asked,
            seed,
            aside,
            undone,
            redone,
            fell,
        )

    def _undo(self, edit: Edit) -> Undone:
        """Return `undone`, `redone` and `fell` after an edit."""
        if isinstance(edit, TakenBack):
            taken = [ply.event for ply in self.line[edit.ply :]]
            known = self._known_plies(edit.ply) if any(map(is_secret, taken)) else None
            return (*taken, *self.undone[self.redone :])[:known], 0, self.fell
        if isinstance(edit, Amended) and not edit.more:
            cut = (ply.event for ply in edit.tail(self)[edit.stood :])
            fallen = tuple(takewhile(lambda event: not is_secret(event), cut))
            return fallen, 0, bool(fallen)
        if isinstance(edit, Amended | Judged):
            return NOTHING_UNDONE
        return self.undone, self.redone, self.fell

    def _known_plies(self, after: int) -> int | None:
        """Count the plies after a ply up to the first secret move that was never revealed, if any.

        A move that was taken back earlier may have revealed it.
        """
        line, state = list(self.line), self.state
        for event in self.undone[self.redone :]:
            if not state.position.sealed:
                break
            state, effects = event.evolve(state)
            line.append(Ply(event, 0, state, effects))
        hidden = (ply - after - 1 for ply in unrevealed_plies(line) if ply > after)
        return min(hidden, default=None)

    def _redo(self, events: Sequence[LineEvent]) -> Undone:
        """Return `undone`, `redone` and `fell` after a run of line events."""
        if self.fell:
            return self._replace_fallen(events)
        until = self.redone + len(events)
        if self.undone and _are_same(self.undone[self.redone : until], events):
            return self.undone, until, False
        return NOTHING_UNDONE

    def _replace_fallen(self, events: Sequence[LineEvent]) -> Undone:
        """Skip the cut event that is entered again, or else the next cut event."""
        at = self.redone
        for event in events:
            near = self.undone[at : at + NEAR]
            if not near or is_secret(event):
                return NOTHING_UNDONE
            at += 1 + (near.index(event) if event in near else 0)
        return (self.undone, at, True) if at < len(self.undone) else NOTHING_UNDONE


def _are_same(undone: Sequence[LineEvent], events: Sequence[LineEvent]) -> bool:
    """Return whether events are those that were undone; a dash may be open in between."""
    return len(undone) == len(events) and all(
        one == other or (Noted in (type(one), type(other)) and as_noted(one) == as_noted(other))
        for one, other in zip(undone, events, strict=True)
    )


def open_match(
    game: Game[Any],
    options: Options | None = None,
    seats: int | None = None,
    position: str | None = None,
    *,
    unjudged: bool = False,
) -> Match:
    """Return a match at version 0, from the start or from the text of a position.

    In an `unjudged` match moves are not judged until they are `Judged`. Raises `OptionError`
    and `PositionError`.
    """
    options = game.options() if options is None else options
    seats = game.seats[0] if seats is None else seats
    start = game.start(options, seats)
    if position is not None:
        start = game.read_position(start, position)
    return Match(game, options, seats, State(game, start, start.outcome(), unjudged=unjudged))


def unrevealed_plies(line: Iterable[Ply]) -> dict[int, int]:
    """Return the secret moves that a line never reveals: plies, from 1, mapped to seats."""
    return follow_secrets({}, enumerate(line, 1))


def follow_secrets(
    pending: Mapping[int, int], numbered: Iterable[tuple[int, Ply]]
) -> dict[int, int]:
    """Return the unrevealed moves after more plies: numbers mapped to seats, like `pending`."""
    waiting, buried = dict(pending), dict[int, int]()
    for number, ply in numbered:
        if is_secret(ply.event):
            waiting[number] = ply.event.seat
        sealed = ply.state.position.sealed
        resolved = {each: seat for each, seat in waiting.items() if seat not in sealed}
        waiting = {each: seat for each, seat in waiting.items() if each not in resolved}
        buried |= {each: seat for each, seat in resolved.items() if _is_buried(ply, seat)}
    return buried | waiting


def is_secret(event: LogEvent) -> TypeGuard[Moved]:
    """Return whether an event is a move that only its seat may see until it is revealed."""
    return isinstance(event, Moved) and isinstance(event.move, Secret)


def _is_buried(ply: Ply, seat: int) -> bool:
    """Return whether a seat's sealed move left the game with its seat, unseen."""
    return not isinstance(ply.event, Moved) and seat not in ply.state.position.playing


class AppliedEvents(NamedTuple):
    """Events added to a match together, and the match after them.

    They are one edit of the line, or consecutive line events that are now its last plies.
    """

    events: Sequence[LogEvent]
    match: Match

    @property
    def states(self) -> tuple[State, ...]:
        """The state after each event."""
        if isinstance(self.events[0], Edit):
            return (self.match.state,)
        return tuple([ply.state for ply in self.match.line[-len(self.events) :]])


def fold(match: Match, events: Iterable[LogEvent]) -> Match:
    """Add trusted events to a match without checking them."""
    for stretch in stretches(match, events):
        match = stretch.match
    return match


def stretches(match: Match, events: Iterable[LogEvent]) -> Iterator[AppliedEvents]:
    """Add trusted events to a match, and yield it after each edit and each run of line events."""
    run: list[LineEvent] = []
    for event in events:
        if not isinstance(event, Edit):
            run.append(event)
            continue
        if run:
            match = _fold_line(match, run)
            yield AppliedEvents(run, match)
            run = []
        match = match.evolve(event)
        yield AppliedEvents((event,), match)
    if run:
        yield AppliedEvents(run, _fold_line(match, run))


def _fold_line(match: Match, events: Sequence[LineEvent]) -> Match:
    """Append a run of line events, building the line only once."""
    line, state = list(match.line), match.state
    for version, event in enumerate(events, match.version + 1):
        state, effects = event.evolve(state)
        line.append(Ply(event, version, state, effects))
    undone, redone, fell = match._redo(events)
    return replace(
        match,
        version=version,
        line=tuple(line),
        asked=None,
        aside=None,
        undone=undone,
        redone=redone,
        fell=fell,
    )
