"""Check that the contents of an archive are values that could have been entered.

Hashes prove that nothing was changed, not that the values were ever valid: a forged archive has
fitting hashes. So times must be within the calendar, and texts must be ones that the book and a
text record accept.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

import msgspec

from replay.annotations.events import Annotation, Commented, Glyphed
from replay.annotations.glyphs import LAST as LAST_GLYPH
from replay.book import is_tag
from replay.errors import Usage
from replay.tags.match_tags import SEAT_TAG, decode_other_tags, tags_of
from replay.tags.name_rules import CONTROL

LATEST: Final = 253_370_764_800_000
"""The beginning of the year 9999, in milliseconds since 1970, near the end of calendars."""

LINE_BREAK: Final = re.compile("[\r\n]")
TAG: Final = re.compile("[A-Za-z0-9_]+")
ANY_SEAT: Final = re.compile("Seat[0-9]+")


def check_time(at: int) -> None:
    """Raise `Usage` for a time before 1970 or beyond the calendar."""
    if not 0 <= at <= LATEST:
        raise Usage(f"{at} is no time: milliseconds since 1970, before the year 9999")


def check_words(text: str) -> None:
    """Raise `Usage` for a text that is not a single line."""
    _check_characters(text)
    if LINE_BREAK.search(text):
        raise Usage(f"{text[:40]!r} is more than a line")


def check_facts(facts: Mapping[str, str]) -> None:
    """Raise `Usage` for names and tags that no text record can hold."""
    try:
        decode_other_tags(facts)
    except msgspec.DecodeError as error:
        raise Usage(f"the tags of this match cannot be read: {error}") from None
    for name, value in (*facts.items(), *tags_of(facts)):
        check_words(value)
        if is_tag(name) and (not TAG.fullmatch(name) or _is_no_seat(name)):
            raise Usage(f"{name[:40]!r} is no name of a tag")


def check_said(said: Annotation) -> None:
    """Raise `Usage` for an annotation that could not be entered."""
    if isinstance(said, Commented):
        _check_characters(said.text)
    if isinstance(said, Glyphed) and not 0 <= said.glyph <= LAST_GLYPH:
        raise Usage(f"{said.glyph} is no glyph; they are 0 to {LAST_GLYPH}")


def _is_no_seat(name: str) -> bool:
    return ANY_SEAT.fullmatch(name) is not None and SEAT_TAG.fullmatch(name) is None


def _check_characters(text: str) -> None:
    bad = CONTROL.search(text)
    if bad:
        raise Usage(f"{text[:40]!r} holds the control character U+{ord(bad[0]):04X}")
