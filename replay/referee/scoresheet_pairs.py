"""Two scoresheets of one match, which their players keep apart until both are done.

Each is a private unjudged match with the token of its own seat. Both open once both are done, an
hour after the first, or when their host opens them. Then everybody who knows them may read both.
"""

from __future__ import annotations

from typing import Any, Final

from msgspec import Struct

from domain.game import Game
from replay.access import visibility
from replay.access.visibility import BESIDE, OPENS
from replay.book import Book
from replay.errors import Conflict, InvalidField
from replay.record.match_record import MatchRecord
from replay.referee.opening import open_match
from replay.store.types import Stream
from replay.tags.match_tags import OF_SEAT

DONE: Final = "scoresheets.done"
"""The fact of a scoresheet that its player has finished: the time in milliseconds."""
HOUR: Final = 60 * 60 * 1000
"""Milliseconds after which a scoresheet that is done no longer waits for the other."""
SEATS: Final = (1, 2)
"""The seats that keep scoresheets."""
NO_PAIR: Final = "this match is not one of two scoresheets; only those are done"


class ScoresheetState(Struct, frozen=True):
    """Whether a scoresheet is `done` and open, and the `other` one once both are open."""

    match: str
    done: bool
    """Whether its player has finished it."""
    open: bool
    """Whether everybody who knows their addresses may read both."""
    other: str | None
    """The id of the other scoresheet; null until both are open."""
    opens: int | None
    """Milliseconds since 1970 at which both open at the latest; null if neither is done."""


def check_pair(game: Game[Any], seats: int) -> None:
    """Raise `InvalidField` unless each of two players can keep a scoresheet."""
    if seats != len(SEATS):
        wrong = f"scoresheets are kept by two players, and this match has {seats}; use one"
        raise InvalidField(wrong, "scoresheets")
    if game.has_secrets:
        wrong = f"{game.name} has secret moves, which no scoresheet can have; use one"
        raise InvalidField(wrong, "scoresheets")


def open_scoresheet(book: Book, game: Game[Any], seat: int, other: str, **how: Any) -> MatchRecord:
    """Open the scoresheet of a seat, beside the `other` with this id, as `open_match` does."""
    how["tags"] = {**how.get("tags", {}), OF_SEAT: str(seat)}
    apart = {"unjudged": True, "shown": visibility.PRIVATE, "more": {BESIDE: other}}
    return open_match(book, game, **how | apart)


def is_scoresheet(book: Book, record: MatchRecord) -> bool:
    """Return whether a match is a scoresheet that a player keeps apart, or kept so."""
    return BESIDE in book.store.metadata(record.stream.id)


def scoresheet_state(book: Book, record: MatchRecord) -> ScoresheetState | None:
    """Return the state of a scoresheet; `None` for any other match."""
    facts = book.store.metadata(record.stream.id)
    if BESIDE not in facts:
        return None
    is_open = not visibility.is_private(book, record)
    other = facts[BESIDE] if is_open else None
    return ScoresheetState(record.id, DONE in facts, is_open, other, visibility.opens_at(facts))


def may_go_on(state: ScoresheetState | None, seat: int | None) -> bool:
    """Return whether a seat, or the host, still writes into a match.

    The host writes again, once both scoresheets are open.
    """
    return not state or not (state.done or state.open) or (state.open and seat is None)


def check_unfinished(book: Book, record: MatchRecord, seat: int | None) -> None:
    """Raise `Conflict` if a seat, or the host, no longer writes into a scoresheet."""
    if not may_go_on(scoresheet_state(book, record), seat):
        raise Conflict("this scoresheet is done: nothing more is written into it")


def finish(book: Book, record: MatchRecord, *, now: bool = False) -> ScoresheetState:
    """Note that a scoresheet is done, or open both `now`; return its state.

    Raises `Conflict` for a match that is no such scoresheet.
    """
    there, store = book.store.metadata(record.stream.id), book.store
    if BESIDE not in there:
        raise Conflict(NO_PAIR)
    if not now and DONE not in there:
        store.set_metadata(record.stream.id, {DONE: str(book.now())}).result()
    other = other_scoresheet(book, record)
    both = [record.stream, *([other] if other else [])]
    facts: dict[str, str | None] = {}
    if now or all(DONE in store.metadata(each.id) for each in both):
        facts = {visibility.FACT: None, OPENS: None}
    elif OPENS not in there:
        facts = {OPENS: str(book.now() + HOUR)}
    for each in both if visibility.is_private(book, record) else ():
        store.set_metadata(each.id, facts).result()
    state = scoresheet_state(book, record)
    assert state is not None
    return state


def open_due(book: Book) -> int | None:
    """Store that scoresheets have opened by the hour; return when the next one opens, if any.

    They can be read from the hour on; lists, feeds, hooks and statistics hear of it from here.
    """
    known = {number: {OPENS: value} for number, value in book.store.valued(OPENS).items()}
    times = {number: visibility.opens_at(facts) for number, facts in known.items()}
    now, later = book.now(), [time for time in times.values() if time is not None]
    for number, time in times.items():
        if time is not None and time <= now:
            book.store.set_metadata(number, {visibility.FACT: None, OPENS: None}).result()
    return min((time for time in later if time > now), default=None)


def other_scoresheet(book: Book, record: MatchRecord) -> Stream | None:
    """Return the other scoresheet of a pair, unless it was deleted for good.

    An archive may name any match as the other one, so both must name each other.
    """
    facts = book.store.metadata
    other = book.find_existing(facts(record.stream.id).get(BESIDE, ""))
    return other if other and facts(other.id).get(BESIDE) == record.id else None
