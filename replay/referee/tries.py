"""Refused tries: a match may count them, and a seat with too many in one turn forfeits.

A try is a move that breaks a clause of the game or its notation; an awaited seat enters it, or the
host for that seat. A move out of turn, a stale move, and a refused roll, claim or offer do not
count.
"""

from __future__ import annotations

from typing import Final

from domain.entry import move_text, stood
from domain.entry.move_text import SplitText
from domain.events import DrawAccepted, DrawDeclined, DrawOffered, Forfeited, Moved
from domain.log_edits import SeedRevealed, TakebackAsked, TakebackDeclined, TryRefused
from domain.match import LogEvent
from domain.position import Secret, Violation
from replay.errors import BY_CLAUSE, Refused
from replay.record.dice import RollRequest
from replay.record.match_record import MatchRecord

FORM: Final = "form"
HIDDEN: Final = "hidden"
SAME_TURN: Final = (
    TakebackAsked
    | TakebackDeclined
    | DrawOffered
    | DrawAccepted
    | DrawDeclined
    | Forfeited
    | SeedRevealed
)
"""Events after which the refused tries before them still count."""
ONE_BY_ONE: Final = Violation(FORM, "this match counts refused tries, so enter one event at a time")

Tried = str | SplitText | LogEvent | RollRequest


def is_try(refused: Refused) -> bool:
    """Return whether a refused move of a seat counts: it is awaited, and breaks a rule."""
    clause = refused.violation.clause
    awaited = any(one.seat == refused.seat for one in refused.match.state.awaiting())
    return awaited and (clause == FORM or clause not in BY_CLAUSE)


def events_of(record: MatchRecord, refused: Refused, tried: Tried) -> tuple[LogEvent, ...]:
    """Return the events to log for a refused entry: the try, and after the last try the forfeit.

    An entry that does not count as a try gives no events.
    """
    seat, clause = refused.seat, refused.violation.clause
    move = _text(record, tried)
    if record.header.tries is None or seat is None or refused.index or move is None:
        return ()
    if not is_try(refused):
        return ()
    guarded = seat in record.state.position.guarded
    parsed = record.game.parse(move)
    hidden = guarded or parsed is None or isinstance(parsed, Secret)
    noted = TryRefused(seat, "" if hidden else move, HIDDEN if guarded else clause)
    return (noted,) if left(record, seat) > 1 else (noted, Forfeited(seat))


def left(record: MatchRecord, seat: int) -> int:
    """Return how many tries a seat has left in this turn of a match that counts them."""
    made = 0
    for event in reversed(record.events):
        if isinstance(event, TryRefused):
            made += event.seat == seat
        elif not isinstance(event, SAME_TURN):
            break
    return (record.header.tries or 0) - made


def _text(record: MatchRecord, tried: Tried) -> str | None:
    """Return the text of an entered move without its seat; `None` for any other entry."""
    if isinstance(tried, Moved):
        return record.game.write(tried.move)
    if isinstance(tried, str):
        tried = move_text.split(tried)
    is_move = isinstance(tried, SplitText) and stood.split(tried.body) is None
    return tried.body if is_move and isinstance(tried, SplitText) else None
