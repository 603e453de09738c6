"""Relative times in words."""

from __future__ import annotations

from datetime import date, datetime
from typing import Final

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
        return _many(seconds // MINUTE, "minute")
    if days < 1 or seconds < 6 * HOUR:
        return _many(seconds // HOUR, "hour")
    if days == 1:
        return "yesterday"
    return _many(days, "day") if days < WEEK else dated(_day(at))


def dated(day: date) -> str:
    """Write a day: 7 Mar 2026."""
    return f"{day.day} {day:%b %Y}"


def _day(at: int) -> date:
    return datetime.fromtimestamp(at / 1000).date()


def _many(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'} ago"
