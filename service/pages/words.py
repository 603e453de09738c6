"""The wording of pages: sentences, times and names."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Final

from domain.names import Names
from replay.book import Book
from replay.record.match_record import MatchRecord
from replay.tags.names import names_of

PLACE: Final = re.compile(r"[a-z]\d")


def player_names(book: Book, record: MatchRecord) -> Names:
    """Return the names of the players on pages, where known."""
    known = names_of(book, record).players
    seats = range(1, record.match.seats + 1)
    return Names({seat: known.get(seat, f"Player {seat}") for seat in seats})


def sentence(words: str) -> str:
    """Capitalize the first letter, unless the text begins with a place."""
    return words if PLACE.match(words) else words[:1].upper() + words[1:]


def moment(milliseconds: int) -> datetime:
    """Return a time as templates write it."""
    return datetime.fromtimestamp(milliseconds / 1000, UTC)
