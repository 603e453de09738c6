"""What the players of a match are called."""

from __future__ import annotations

from domain.names import Names
from replay.book import Book
from replay.match_record import MatchRecord

UNKNOWN = "?"
"""The name of a seat whose player nobody named."""

OF_A_SEAT = "seat "


def names_of(book: Book, recorded: MatchRecord) -> Names:
    """Return the names of the players that are known."""
    facts = book.facts(recorded)
    named = ((seat, facts.get(f"Seat{seat}", UNKNOWN)) for seat in seats(recorded))
    return Names({seat: name for seat, name in named if name != UNKNOWN})


def seats(recorded: MatchRecord) -> range:
    """Return the numbers of the seats."""
    return range(1, recorded.match.seats + 1)


def actor_words(actor: str, names: Names) -> str:
    """Return what the author of an event is called: a seat by its player's name."""
    number = actor.removeprefix(OF_A_SEAT)
    return names[int(number)] if number != actor and number.isdecimal() else actor
