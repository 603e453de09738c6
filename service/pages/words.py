"""The wording of pages: sentences, times and names."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from typing import Final

from domain.names import Names, count
from replay.book import Book
from replay.record.match_record import MatchRecord
from replay.tags.names import names_of, seats

MINUTE: Final = 60
HOUR: Final = 60 * MINUTE
WEEK: Final = 7
"""Days counted in words; earlier times get a date."""


def ago(at: int, now: int) -> str:
    """Describe in words how long before `now` a time was; both in milliseconds since 1970.

    Days follow the server's time zone: any time before midnight was yesterday.
    """
    seconds = max(0, now - at) // 1000
    days = (_day(now) - _day(at)).days
    if seconds < MINUTE:
        return "just now"
    if seconds < HOUR:
        return f"{count(seconds // MINUTE, 'minute')} ago"
    if days < 1 or seconds < 6 * HOUR:
        return f"{count(seconds // HOUR, 'hour')} ago"
    if days == 1:
        return "yesterday"
    return f"{count(days, 'day')} ago" if days < WEEK else dated(_day(at))


def dated(day: date) -> str:
    """Write a day: 7 Mar 2026."""
    return f"{day.day} {day:%b %Y}"


def _day(at: int) -> date:
    return datetime.fromtimestamp(at / 1000).date()


PLACE: Final = re.compile(r"[a-z]\d")


def player_names(book: Book, record: MatchRecord) -> Names:
    """Return the players' names as pages show them."""
    known = names_of(book, record).players
    return Names({seat: known.get(seat, f"Player {seat}") for seat in seats(record)})


def sentence(words: str) -> str:
    """Capitalize the first letter, unless the text begins with a place."""
    return words if PLACE.match(words) else words[:1].upper() + words[1:]


def moment(milliseconds: int) -> datetime:
    """Return a time as templates write it."""
    return datetime.fromtimestamp(milliseconds / 1000, UTC)
