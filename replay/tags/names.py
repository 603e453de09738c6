"""The names of a match's players."""

from __future__ import annotations

from collections.abc import Mapping

from domain.names import Names
from replay.book import Book
from replay.record.match_record import MatchRecord

UNKNOWN = "?"
"""The name of a seat whose player has no name."""

OF_A_SEAT = "seat "


def names_of(book: Book, record: MatchRecord) -> Names:
    """Return the known names of the players."""
    return names_in(book.facts(record), seats(record))


def names_in(facts: Mapping[str, str], seats: range) -> Names:
    """Return the known names among the facts of a match."""
    named = ((seat, facts.get(f"Seat{seat}", UNKNOWN)) for seat in seats)
    return Names({seat: name for seat, name in named if name != UNKNOWN})


def shared_names(one: Names, other: Names) -> Names:
    """Return the names that the players of two matches have in common."""
    return Names(dict(one.players.items() & other.players.items()))


def seats(record: MatchRecord) -> range:
    """Return the numbers of the seats."""
    return range(1, record.match.seats + 1)


def actor_words(actor: str, names: Names) -> str:
    """Return the name of an event's author: for a seat, its player's name."""
    number = actor.removeprefix(OF_A_SEAT)
    return names[int(number)] if number != actor and number.isdecimal() else actor
