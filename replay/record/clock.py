"""The clock of a match: time used and time left, from the times recorded with the events.

The clock of a seat that must act runs from the previous event on; a match's first event (in a fork,
its own first event) starts the clocks. A take-back does not refund time. These functions are pure:
times are arguments. Settings are in whole seconds, everything else in milliseconds.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, Final, NamedTuple

from msgspec import Meta, Struct

from domain.edits import Amended, Edit, TakenBack
from domain.events import Adjusted, Moved, State, Stood
from domain.game import Game
from domain.match import LogEvent
from replay.errors import Usage
from replay.fields import Seat

MAX_SECONDS: Final = 30 * 24 * 60 * 60
"""The longest time that can be set, in seconds: thirty days."""

Seconds = Annotated[int, Meta(ge=1, le=MAX_SECONDS)]


class Clock(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The time limits of the seats: for each `move`, in `total`, or both.

    `increment` is added to the total after each of the seat's own moves. `programming` is the time
    that a seat has before a foul can be called on it, in games with secret moves that allow it.
    """

    move: Seconds | None = None
    total: Seconds | None = None
    increment: Annotated[int, Meta(ge=0, le=MAX_SECONDS)] = 0
    programming: Seconds = 60

    def words(self) -> str:
        """Describe the settings: "600 seconds in all and 5 more after each move"."""
        each = f"{self.move} seconds a move" if self.move else ""
        more = f" and {self.increment} more after each move" if self.increment else ""
        total = f"{self.total} seconds in all{more}" if self.total else ""
        return ", ".join(filter(None, (each, total))) or f"{self.programming} seconds to program"


class Wait(NamedTuple):
    """A required move of a seat: its turn, since when it is due, and from when it may be made."""

    what: str
    turn: int
    opened: int
    since: int


class SeatTime(NamedTuple):
    """The time a seat has used up to the last event, its number of moves, and its required move."""

    used: int = 0
    moves: int = 0
    wait: Wait | None = None


class Times(Struct, frozen=True):
    """The times of a match up to its last event, at `at` (`None` before the clock has started).

    `spent` has for each version the time that the event's seat took for it. It is `None` for an
    event without a seat, an edit of the line, and an event before the clock started.
    """

    at: int | None
    seats: tuple[SeatTime, ...]
    spent: tuple[int | None, ...] = ()


def read_clock(text: str) -> Clock:
    """Parse settings like `total=600,increment=5`. Raises `Usage`."""
    settings: dict[str, int] = {}
    for part in text.split(","):
        name, _, seconds = part.partition("=")
        if name not in Clock.__struct_fields__ or name in settings:
            names = ", ".join(Clock.__struct_fields__)
            raise Usage(f"{part!r} is not a setting of a clock; use {names}, each once")
        if not (seconds.isascii() and seconds.isdecimal()):
            raise Usage(f"{part!r} is not valid; use {name}= and a number of seconds")
        settings[name] = int(seconds[:12])
    return Clock(**settings)


def check_clock(game: Game[Any], clock: Clock) -> None:
    """Raise `Usage` for settings that are invalid, or unsuitable for the game."""
    for name in clock.__struct_fields__:
        seconds = getattr(clock, name)
        if seconds is not None and not (name != "increment") <= seconds <= MAX_SECONDS:
            raise Usage(f"{name} is a number of seconds from 1 to {MAX_SECONDS}, not {seconds}")
    if clock.increment and clock.total is None:
        raise Usage("an increment is added to a total: set that too, like total=600,increment=5")
    patient = any(move.patience for move in game.moves)
    if clock.move is None and clock.total is None and not patient:
        raise Usage(f"a clock of {game.name} needs a time per move or in total, like total=600")


def start_times(seats: int, shared: int = 0) -> Times:
    """Return the times of a match before its own first event, after `shared` events."""
    return Times(None, (SeatTime(),) * seats, (None,) * shared)


def follow(times: Times, happened: Iterable[tuple[LogEvent, State, int]]) -> Times:
    """Return the times after more events; each comes with the state after it and its time."""
    at, seats, spent = times.at, times.seats, list(times.spent)
    for event, state, now in happened:
        elapsed = 0 if at is None else max(now - at, 0)
        at = now if at is None else max(at, now)
        spent.append(_spent(seats, event, at))
        seats = tuple(_after(seat, event, state, elapsed, at) for seat in enumerate(seats, 1))
    return Times(at, seats, tuple(spent))


def _spent(seats: tuple[SeatTime, ...], event: LogEvent, at: int) -> int | None:
    seat = None if isinstance(event, Edit) else getattr(event, "seat", None)
    if seat is None:
        return None
    wait = seats[seat - 1].wait
    return at - wait.since if wait else 0


def _after(
    numbered: tuple[int, SeatTime], event: LogEvent, state: State, elapsed: int, at: int
) -> SeatTime:
    number, seat = numbered
    moved = isinstance(event, Moved | Stood) and event.seat == number
    used = seat.used + elapsed if seat.wait else seat.used
    return SeatTime(used, seat.moves + moved, _wait(number, seat.wait, event, state, at))


def _wait(seat: int, before: Wait | None, event: LogEvent, state: State, at: int) -> Wait | None:
    """Return the required move of a seat; its time keeps running if it was required before."""
    tag = _must(state, seat)
    if tag is None:
        return None
    turn = state.position.turn
    reset = before is None or isinstance(event, TakenBack | Amended | Adjusted)
    if reset or before is None or (before.what, before.turn) != (tag, turn):
        return Wait(tag, turn, at, at)
    if isinstance(event, Moved | Stood) and event.seat == seat:
        return before._replace(since=at)
    return before


def _must(state: State, seat: int) -> str | None:
    if state.outcome is not None:
        return None
    for awaited in state.position.awaiting():
        if awaited.seat == seat and awaited.must:
            return awaited.what
    return None


class SeatClock(Struct, frozen=True):
    """The clock of a seat: time used, time left (`None` without a limit), whether it runs."""

    seat: Seat
    used: int
    left: int | None
    running: bool


class Clocks(Struct, frozen=True):
    """The clocks of all seats at `since`; running ones have run since then.

    `since` is in milliseconds since 1970, `None` while no clock has started.
    """

    since: int | None
    seats: tuple[SeatClock, ...]


def clocks(clock: Clock, times: Times) -> Clocks:
    """Return every seat's clock at the last event."""
    at = times.at or 0
    return Clocks(
        times.at,
        tuple(
            SeatClock(number, seat.used, time_left(clock, times, number, at), seat.wait is not None)
            for number, seat in enumerate(times.seats, 1)
        ),
    )


def time_left(clock: Clock, times: Times, seat: int, at: int) -> int | None:
    """Return the time a seat has left, 0 or less if it is up; `None` without a limit."""
    own, limits = times.seats[seat - 1], []
    if clock.total is not None:
        running = max(at - (times.at or at), 0) if own.wait else 0
        whole = (clock.total + clock.increment * own.moves) * 1000
        limits.append(whole - own.used - running)
    if clock.move is not None:
        limits.append(clock.move * 1000 - (at - own.wait.since if own.wait else 0))
    return min(limits, default=None)
