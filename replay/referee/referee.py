"""The referee: judge entries and claims on the clock, and explain refusals."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from domain.entry.spellings import meant
from domain.events import Flagged, Moved, State, task_of
from domain.log_edits import Amended
from domain.match import LogEvent, Match
from domain.names import UNNAMED, Names, Player, Sentence, count
from domain.position import Violation
from replay import rules_text
from replay.errors import Refused
from replay.record import clock, dice
from replay.record.clock import Clock, Times, time_left
from replay.record.match_record import Header


class RefusedEvent(Struct, frozen=True):
    """A refused event: its index, text and seat, and the violated clause with its text.

    `tries_left` are the tries left in this turn, if refused tries are counted. `near` are the move
    texts that an ill-formed text may mean.
    """

    event: int
    """The event as an object, as the game defines it."""
    text: str | None
    seat: int | None
    clause: str
    words: str | None
    message: str
    """The error in words."""
    squares: tuple[str, ...]
    ok: bool = False
    """Whether every check succeeded."""
    tries_left: int | UnsetType = UNSET
    """The tries that the seat has left in this turn."""
    near: tuple[str, ...] | UnsetType = UNSET
    """The moves that a text of the wrong form may mean."""


def describe(
    refused: Refused, text: str | None, names: Names = UNNAMED, near: tuple[str, ...] = ()
) -> RefusedEvent:
    """Return a refusal with the players' names, and the text of the clause it cites."""
    violation = refused.violation
    return RefusedEvent(
        refused.index,
        text,
        refused.seat,
        violation.clause,
        rules_text.words(refused.match.game, violation.clause),
        violation.words(names),
        violation.squares,
        tries_left=UNSET if refused.tries_left is None else refused.tries_left,
        near=near or UNSET,
    )


def explain(refusal: RefusedEvent) -> str:
    """Return a refusal as lines for a person: the message, then the text of the clause."""
    message = f"refused: {refusal.message}{left_words(refusal)}{_near_words(refusal)}"
    return f"{message}\n  {refusal.clause} {refusal.words}" if refusal.words else message


def left_words(refusal: RefusedEvent) -> str:
    """Say how many tries are left after a refusal, if tries are counted: "; 2 tries left"."""
    match refusal.tries_left:
        case 0:
            return "; this was the last try, so the seat forfeits"
        case int(left):
            return f"; {count(left, 'try', 'tries')} left"
    return ""


def _near_words(refusal: RefusedEvent) -> str:
    return f"; did you mean {' or '.join(refusal.near)}?" if refusal.near else ""


def near(
    refused: Refused, text: str | None, hidden: Collection[int] | None = None
) -> tuple[str, ...]:
    """Return the move texts that a text of the wrong form may mean; none where tries count.

    The moves of `hidden` seats are not used: by default, moves that a spectator may not know.
    """
    if text is None or refused.violation.clause != "form" or refused.tries_left is not None:
        return ()
    return tuple(each for each in meant(refused.match.state, text, hidden) if each != text)


class Referee:
    """Follows a match event by event, and checks that each is legal at its time."""

    def __init__(self, header: Header, match: Match, times: Times | None) -> None:
        self.header = header
        self.match = match
        self.times = times and _without_spent(times)

    def check(self, event: LogEvent, at: int) -> Violation | None:
        """Return why the event cannot be logged at this time, or `None`.

        The values of a roll are not checked here.
        """
        violation = self.match.check(event) or dice.check(self.header, self.match, event)
        if violation is None and self.header.clock is not None and self.times is not None:
            state = self.match.state
            return check_clock(self.header.clock, self.times, event, state, at)
        return violation

    def take(self, event: LogEvent, at: int) -> None:
        """Advance the match by a checked or trusted event."""
        self.match = self.match.evolve(event)
        if self.times is not None:
            happened = event, self.match.state, at
            self.times = _without_spent(clock.follow(self.times, [happened]))


def _without_spent(times: Times) -> Times:
    """Drop the per-event times, which are long and which no check needs."""
    return replace(times, spent=())


def check_clock(
    clock: Clock, times: Times, event: LogEvent, state: State, at: int
) -> Violation | None:
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
    """Refuse the claim until the other seats have had a second more than their time."""
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
