"""How pages say things: sentences, times, and who is who."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Final

from domain.names import Names
from replay.book import Book
from replay.match_record import MatchRecord
from replay.names import names_of

PLACE: Final = re.compile(r"[a-z]\d")


def player_names(book: Book, recorded: MatchRecord) -> Names:
    """Return what the players are called on pages: their names where those are known."""
    known = names_of(book, recorded).players
    seats = range(1, recorded.match.seats + 1)
    return Names({seat: known.get(seat, f"Player {seat}") for seat in seats})


def sentence(words: str) -> str:
    """Begin a sentence with a capital, unless it begins with a place."""
    return words if PLACE.match(words) else words[:1].upper() + words[1:]


def moment(milliseconds: int) -> datetime:
    """Return a time as templates write it."""
    return datetime.fromtimestamp(milliseconds / 1000, UTC)
