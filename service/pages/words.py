"""The wording of pages: sentences, times and names."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, date, datetime
from typing import Final, NamedTuple

from domain.names import count
from replay.referee.evenings import table_tags
from replay.tags.match_tags import tags_of


class FormAnswer(NamedTuple):
    """An answer to a question: the value sent, and its label."""

    value: int | str
    words: str
    more: str = ""


READERS: Final = (
    FormAnswer("unlisted", "Anyone with the link", "Only the link leads to the match."),
    FormAnswer("public", "Everybody", "The match is listed in the library."),
    FormAnswer("private", "Only people invited", "No one else can open it."),
)


def reader_answers(lists_all: bool) -> tuple[FormAnswer, ...]:
    """Return the choices of who may read a match; a library that `lists_all` changes the first."""
    listed = FormAnswer("unlisted", "Anyone with the link", "This server’s library lists it, too.")
    return (listed, *READERS[1:]) if lists_all else READERS


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
        return f"{seconds // MINUTE} min ago"
    if days < 1 or seconds < 6 * HOUR:
        return f"{seconds // HOUR} h ago"
    if days == 1:
        return "yesterday"
    return f"{count(days, 'day')} ago" if days < WEEK else dated(_day(at))


def dated(day: date) -> str:
    """Write a day: 7 Mar 2026."""
    return f"{day.day} {day:%b %Y}"


def _day(at: int) -> date:
    return datetime.fromtimestamp(at / 1000).date()


PLACE: Final = re.compile(r"[a-z]\d")


def title_of(facts: Mapping[str, str], game: str) -> str:
    """Return the title of a match, or else the name of its game."""
    return next((each.value for each in tags_of(facts) if each.name == "Title"), game)


def table_words(facts: Mapping[str, str]) -> str:
    """Return where a match is played, from its tags: "Round 1, table 3"."""
    tags = table_tags(facts)
    words = ", ".join(f"{name.lower()} {tags[name]}" for name in ("Round", "Table") if name in tags)
    return words[:1].upper() + words[1:]


def sentence(words: str) -> str:
    """Capitalize the first letter, unless the text begins with a place."""
    return words if PLACE.match(words) else words[:1].upper() + words[1:]


def moment(milliseconds: int) -> datetime:
    """Return a time as templates write it."""
    return datetime.fromtimestamp(milliseconds / 1000, UTC)
