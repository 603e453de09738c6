"""The clock of a match: time used and time left, from the times recorded with the events.

The clock of a seat that must act runs from the previous event on; a match's first event (in a fork,
its own first event) starts the clocks. A take-back does not refund time. These functions are pure:
times are arguments. Settings are in whole seconds, everything else in milliseconds.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, NamedTuple

from msgspec import Meta, Struct
from msgspec.structs import replace

from domain.events import Adjusted, Moved, State, Stood
from domain.game import Game
from domain.log_edits import Amended, Edit, TakenBack
from domain.match import LogEvent
from replay.errors import Usage
from replay.fields import Seat
from replay.record.time_control import (
    MAX_SECONDS,
    Control,
    Phase,
    Stage,
    TimeAccount,
    begin,
    phases,
    read_control,
    settle,
    until_flag,
)

Seconds = Annotated[int, Meta(ge=1, le=MAX_SECONDS)]


class Clock(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The time limits of the seats: a `control`, or for each `move`, in `total`, or both.

    `control` is written as in PGN, like `40/7200:3600` (`replay.record.time_control`).
    `increment` is added to the total after each of the seat's own moves. `programming` is the time
    that a seat has before a foul can be called on it, in games with secret moves that allow it.
    Raises `ValueError` for an invalid control.
    """

    move: Seconds | None = None
    """Seconds for each move; null without this limit."""
    total: Seconds | None = None
    """Seconds for all moves of a seat; null without this limit."""
    increment: Annotated[int, Meta(ge=0, le=MAX_SECONDS)] = 0
    """Seconds added to the total after each of the seat's own moves."""
    programming: Seconds = 60
    """Seconds for a secret move before it can be claimed to be late."""
    control: Annotated[str, Meta(max_length=100)] | None = None
    """The time control, as in PGN's `TimeControl`: `40/7200:3600`, `300+5`, `300+5d` (delay),
    `300+5b` (Bronstein), `3600:5x30` (byo-yomi); without `move` and `total`."""

    def __post_init__(self) -> None:
        """Refuse an invalid control."""
        if self.control is not None:
            read_control(self.control)

    @property
    def stages(self) -> Control:
        """The stages of the time control; none without a total time."""
        if self.control is not None:
            return read_control(self.control)
        if self.total is None:
            return ()
        return (Stage(self.total * 1000, bonus=self.increment * 1000),)


class Wait(NamedTuple):
    """A required move of a seat: its turn, since when it is due, and from when it may be made."""

    what: str
    turn: int
    opened: int
    since: int


class SeatTime(NamedTuple):
    """The time used by a seat up to the last event, its required move, its account before that."""

    used: int = 0
    wait: Wait | None = None
    account: TimeAccount | None = None


class Times(Struct, frozen=True):
    """The times of a match up to its last event at `at`; `None` before the clock has started.

    `control` are the stages of its clock.
    `spent` has for each version the time that the event's seat took for it. It is `None` for an
    event without a seat, an edit of the line, and an event before the clock started.
    """

    at: int | None
    seats: tuple[SeatTime, ...]
    control: Control
    spent: tuple[int | None, ...] = ()


def read_clock(text: str) -> Clock:
    """Parse a control like `300+5`, or settings like `move=60,total=600`. Raises `Usage`."""
    settings: dict[str, Any] = {}
    for part in text.split(","):
        name, _, seconds = part.partition("=") if "=" in part else ("control", "", part)
        if name not in Clock.__struct_fields__ or name in settings:
            names = ", ".join(Clock.__struct_fields__)
            raise Usage(f"{part!r} is not a setting of a clock; use {names}, each once")
        if name != "control" and not (seconds.isascii() and seconds.isdecimal()):
            raise Usage(f"{part!r} is not valid; use {name}= and a number of seconds")
        settings[name] = seconds if name == "control" else int(seconds[:12])
    try:
        return Clock(**settings)
    except ValueError as error:
        raise Usage(str(error)) from None


def check_clock(game: Game[Any], clock: Clock) -> None:
    """Raise `Usage` for settings that are invalid, or unsuitable for the game."""
    for name in ("move", "total", "increment", "programming"):
        seconds = getattr(clock, name)
        if seconds is not None and not (name != "increment") <= seconds <= MAX_SECONDS:
            raise Usage(
                f"{name} must be a number of seconds from 1 to {MAX_SECONDS}, not {seconds}"
            )
    if clock.increment and clock.total is None:
        raise Usage("an increment is added to a total: set that too, like total=600,increment=5")
    if clock.control is not None and (clock.move or clock.total):
        raise Usage(f"the clock {clock.control} has every limit; leave out move and total")
    patient = any(move.patience for move in game.moves)
    if clock.move is None and not clock.stages and not patient:
        raise Usage(f"a clock of {game.name} needs a time per move or in total, like 600 or 600+5")


def start_times(clock: Clock, seats: int, shared: int = 0) -> Times:
    """Return the times of a match before its own first event, after `shared` events."""
    control = clock.stages
    seat = SeatTime(account=begin(control) if control else None)
    return Times(None, (seat,) * seats, control, (None,) * shared)


def follow(times: Times, happened: Iterable[tuple[LogEvent, State, int]]) -> Times:
    """Return the times after more events; each comes with the state after it and its time."""
    at, seats, spent = times.at, times.seats, list(times.spent)
    for event, state, now in happened:
        elapsed = 0 if at is None else max(now - at, 0)
        at = now if at is None else max(at, now)
        spent.append(_spent(seats, event, at))
        seats = tuple(
            _after(times.control, seat, event, state, elapsed, at) for seat in enumerate(seats, 1)
        )
    return Times(at, seats, times.control, tuple(spent))


def _spent(seats: tuple[SeatTime, ...], event: LogEvent, at: int) -> int | None:
    seat = None if isinstance(event, Edit) else getattr(event, "seat", None)
    if seat is None:
        return None
    wait = seats[seat - 1].wait
    return at - wait.since if wait else 0


def _after(
    control: Control,
    numbered: tuple[int, SeatTime],
    event: LogEvent,
    state: State,
    elapsed: int,
    at: int,
) -> SeatTime:
    number, seat = numbered
    moved = isinstance(event, Moved | Stood) and event.seat == number
    used = seat.used + elapsed if seat.wait else seat.used
    wait, account = _wait(number, seat.wait, event, state, at), seat.account
    if account is not None and (moved or wait != seat.wait):
        account = settle(control, account, _thought(seat, at), moved=moved)
    return SeatTime(used, wait, account)


def _thought(seat: SeatTime, at: int) -> int:
    """Return the time that a seat has spent on its required move."""
    return at - seat.wait.since if seat.wait else 0


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
    for awaited in state.awaiting():
        if awaited.seat == seat and awaited.must:
            return awaited.what
    return None


class SeatClock(Struct, frozen=True, omit_defaults=True):
    """The clock of a seat: time used, time left (`None` without a limit), whether it runs.

    `ahead` are the phases that a running clock will still show; empty if the clock just counts
    `left` down.
    """

    seat: Seat
    used: int
    """Milliseconds used; null without a clock."""
    left: int | None
    """Milliseconds left; null without a limit."""
    running: bool
    """Whether the clock runs."""
    ahead: tuple[Phase, ...] = ()
    """The phases that a running clock shows from `since` on; empty if it just counts down."""

    def shown(self, passed: int) -> Phase | None:
        """Return the display at a time after the last event; `None` without a limit."""
        if self.left is None:
            return None
        passed = passed if self.running else 0
        begun = [phase for phase in self.ahead if phase.after <= passed]
        phase = begun[-1] if begun else Phase(0, self.left)
        since = passed - phase.after
        if phase.still:
            return replace(phase, still=phase.still - since)
        return replace(phase, left=phase.left - since)


class Clocks(Struct, frozen=True):
    """The clocks of all seats at `since`; clocks that run have run since then.

    `since` is in milliseconds since 1970, `None` while no clock has started.
    """

    since: int | None
    seats: tuple[SeatClock, ...]


def clocks(clock: Clock, times: Times) -> Clocks:
    """Return every seat's clock at the last event."""
    return Clocks(
        times.at,
        tuple(_seat_clock(clock, times, number) for number in range(1, len(times.seats) + 1)),
    )


def _seat_clock(clock: Clock, times: Times, number: int) -> SeatClock:
    seat, at = times.seats[number - 1], times.at or 0
    running = seat.wait is not None
    left, ahead = time_left(clock, times, number, at), tuple[Phase, ...]()
    if clock.control is not None and seat.account is not None:
        course = phases(times.control, seat.account, _thought(seat, at))
        ahead = tuple(course) if running else (next(course),)
        left = ahead[0].left
    plain = ahead == (Phase(0, left or 0),)
    return SeatClock(number, seat.used, left, running, () if plain else ahead)


def time_left(clock: Clock, times: Times, seat: int, at: int) -> int | None:
    """Return the time until a seat's time is up, 0 or less afterwards; `None` without a limit."""
    own, limits = times.seats[seat - 1], []
    if own.account is not None:
        thought = _thought(own, max(at, times.at or at))
        limits.append(until_flag(times.control, own.account, thought))
    if clock.move is not None:
        limits.append(clock.move * 1000 - _thought(own, at))
    return min(limits, default=None)
