"""Take back events of a match, at once or by a request, and enter them again."""

from __future__ import annotations

from typing import Final

from domain.entry import stood
from domain.events import Moved, State, Stood
from domain.log_edits import TakebackAsked, TakebackDeclined, TakenBack
from domain.match import LogEvent
from domain.position import Violation
from replay.book import Book
from replay.errors import Refused
from replay.record.dice import RollRequest
from replay.record.match_record import MatchRecord
from replay.referee.entering import play
from replay.tags.names import SCOREKEEPER


def take_back(
    book: Book, record: MatchRecord, ply: int, *, actor: str = SCOREKEEPER
) -> MatchRecord:
    """Cut the line back to a ply and return the match; the log keeps the removed events.

    Raises `Refused` for a ply that is not before the head, or `Stale`.
    """
    return play(book, record, [TakenBack(ply)], actor=actor)


def ask_takeback(book: Book, record: MatchRecord, seat: int, ply: int) -> MatchRecord:
    """Record a seat's request to take back to a ply; it lapses with the next event.

    Raises `Refused` for a ply that is not before the head, or `Stale`.
    """
    return play(book, record, [TakebackAsked(seat, ply)], actor=_actor(seat))


def grant_takeback(book: Book, record: MatchRecord, seat: int) -> MatchRecord:
    """Grant another seat's request: cut the line. The consent of a single seat is enough.

    Raises `Refused` if no other seat has asked, or `Stale`.
    """
    violation = record.match.check(TakebackDeclined(seat))
    if violation is not None:
        raise Refused(violation, record.match, seat)
    assert record.match.asked is not None
    return play(book, record, [TakenBack(record.match.asked.ply)], actor=_actor(seat))


def decline_takeback(book: Book, record: MatchRecord, seat: int) -> MatchRecord:
    """Decline another seat's request. Raises as `grant_takeback` does."""
    return play(book, record, [TakebackDeclined(seat)], actor=_actor(seat))


def _actor(seat: int) -> str:
    return f"seat {seat}"


NOTHING: Final = Violation(
    "turn",
    "the match has nothing to redo: nothing was taken back or fell with a correction, another event"
    " was entered since, or the move was never revealed; enter the next move",
)
HOSTS: Final = Violation("turn", "only the host may record an accepted illegal move")
NOT_YOURS: Final = Violation("turn", "only the event's seat, or the host, may redo it")


def redo(book: Book, record: MatchRecord, *, actor: str = SCOREKEEPER) -> MatchRecord:
    """Enter the next event that was taken back or cut. Raises as `plan_redo`."""
    return play(book, record, [plan_redo(record)], actor=actor)


def plan_redo(record: MatchRecord, seat: int | None = None) -> LogEvent | RollRequest:
    """Return the entry that repeats the next event that was taken back, or cut by a correction.

    Dice of the service roll the same after a take-back.

    A `seat` may repeat only its own events, and none that are reserved for the host. A secret move
    that was never revealed is not repeated: its seat seals a new move. Raises `Refused`.
    """
    event = record.match.to_redo
    if event is None:
        raise Refused(NOTHING, record.match, seat)
    if seat is not None and getattr(event, "seat", None) != seat:
        raise Refused(NOT_YOURS, record.match, seat)
    if seat is not None and isinstance(event, Stood):
        raise Refused(HOSTS, record.match, seat)
    if record.header.dice == "service" and isinstance(event, Moved) and event.move.chance:
        return RollRequest(event.seat)
    if isinstance(event, Stood) and record.match.fell:
        return stood.carry_over(event, _before(record, event), record.state)
    return event


def _before(record: MatchRecord, event: Stood) -> State:
    """Return the state before an event that fell, in the line that it fell from."""
    for stored in reversed(record.log):
        if stored.type == "amended":
            match = record.at_version(stored.version - 1).match
            full = (*match.line, *(match.aside or ()))
            place = next((n for n, ply in enumerate(full) if ply.event == event), 0)
            if place:
                return full[place - 1].state
    return record.state


def may_redo(record: MatchRecord, seat: int | None) -> bool:
    """Return whether a seat, or with `None` the host, can redo now."""
    try:
        plan_redo(record, seat)
    except Refused:
        return False
    return True
