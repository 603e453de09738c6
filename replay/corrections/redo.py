"""Enter again what was taken back, as long as nothing else was entered."""

from __future__ import annotations

from typing import Final

from domain.events import Moved, Stood
from domain.match import LogEvent
from domain.position import Violation
from replay.book import Book
from replay.errors import Refused
from replay.record.dice import RollRequest
from replay.record.match_record import MatchRecord
from replay.referee.entering import SCOREKEEPER, play

NOTHING: Final = Violation(
    "turn",
    "nothing was taken back, something else was entered since, or the move was never revealed:"
    " enter what is played",
)
HOSTS: Final = Violation("turn", "only the host may record that a move stood")
NOT_YOURS: Final = Violation("turn", "only the seat that entered it, or the host, enters it again")


def redo(book: Book, record: MatchRecord, *, actor: str = SCOREKEEPER) -> MatchRecord:
    """Enter the next event that was taken back, and return the match. Raises as `plan_redo`."""
    return play(book, record, [plan_redo(record)], actor=actor)


def plan_redo(record: MatchRecord, seat: int | None = None) -> LogEvent | RollRequest:
    """Return what enters the next event that was taken back; dice of the service roll the same.

    A `seat` may enter its own events alone, and none that only the host may enter. A secret move
    that was never revealed is not entered again: its seat seals one anew. Raises `Refused`.
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
    return event


def may_redo(record: MatchRecord, seat: int | None) -> bool:
    """Return whether a seat, or with `None` the host, can redo now."""
    try:
        plan_redo(record, seat)
    except Refused:
        return False
    return True
