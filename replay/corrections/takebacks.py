"""Take back events of a match: at once, or by a request that another seat grants or declines."""

from __future__ import annotations

from domain.edits import TakebackAsked, TakebackDeclined, TakenBack
from replay.book import Book
from replay.errors import Refused
from replay.record.match_record import MatchRecord
from replay.referee.entering import SCOREKEEPER, play


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
    """Grant another seat's request: cut the line. The consent of one seat is enough.

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
