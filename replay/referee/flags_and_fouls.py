"""Check claims that depend on time, flags and fouls, against the clock of the match."""

from __future__ import annotations

from functools import partial

from domain.edits import Amended
from domain.events import Flagged, Moved, State, task_of
from domain.match import LogEvent
from domain.names import Player, Sentence
from domain.position import Violation
from replay.record.clock import Clock, Times, time_left


def check(clock: Clock, times: Times, event: LogEvent, state: State, at: int) -> Violation | None:
    """Return why the clock forbids an event at a time, or `None`; the rules already allow it."""
    match event:
        case Flagged():
            return _check_flag(clock, times, event.late(state), at)
        case Moved() if event.move.patience:
            return _check_patience(clock, times, event, state, at)
        case Amended() if _is_timed(event.event):
            return Violation(
                "clock",
                "a claim on the clock cannot be amended; rule instead",
            )
    return None


def _is_timed(event: LogEvent | None) -> bool:
    if isinstance(event, Moved):
        return event.move.patience is not None
    return isinstance(event, Flagged)


def _check_flag(clock: Clock, times: Times, late: int | None, at: int) -> Violation | None:
    assert late is not None
    rest = time_left(clock, times, late, at)
    if rest is None:
        return Violation("clock", "this clock limits only the time to program, and has no flag")
    if rest <= 0:
        return None
    message = Sentence(
        "the time of {seat} is not up: it has {left} left", seat=Player(late), left=_seconds(rest)
    )
    return Violation("clock", message)


def _check_patience(
    clock: Clock, times: Times, event: Moved, state: State, at: int
) -> Violation | None:
    """Refuse the claim until the other seats have had a full second more than their time."""
    assert event.move.patience is not None
    waits = {number: seat.wait for number, seat in enumerate(times.seats, 1)}
    for seat, wait in waits.items():
        if seat != event.seat and wait is not None:
            rest = wait.opened + (clock.programming + 1) * 1000 - at
            if rest > 0:
                message = Sentence(
                    "{seat} has time to {task}; {what} in {rest}",
                    seat=Player(seat),
                    task=partial(task_of, state.game, seat, wait.what),
                    what=event.move.what,
                    rest=_seconds(rest),
                )
                return Violation(event.move.patience, message)
    return None


def _seconds(rest: int) -> str:
    seconds = -(-rest // 1000)
    return f"{seconds} second{'' if seconds == 1 else 's'}"
