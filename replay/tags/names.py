"""The names of players: their rules, and their place in tags."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from typing import Final

from domain.names import Names, is_role, quote_role
from replay.book import Book
from replay.errors import Usage
from replay.record.match_record import MatchRecord
from replay.store.people_chain import sat
from replay.texts import JOINERS, Cleaned, Unfit, make_visible, without

MAX_NAME: Final = 100
"""The longest name, in characters."""

SCOREKEEPER: Final = "scorekeeper"
"""The author of what a host enters, as it is stored."""

ROLES: Final = re.compile(f"{SCOREKEEPER}|seat [1-9]")
"""The roles that enter events, as they are stored."""

JOINED: Final = re.compile(rf"(?<=[^\s{JOINERS}])[{JOINERS}](?=[^\s{JOINERS}])")
BLANKS: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and symbols that look like a space."""


def check_name(whose: str, name: str) -> None:
    """Raise `Usage` for a name that is empty, invisible, not printable, or too long.

    Joiners are allowed between two characters. Unicode's other format characters are refused: they
    can reverse the words around a name, or make two names look the same.
    """
    unfit = next(_unfit_in(name), None)
    if unfit is not None or not any(map(_is_visible, name)) or len(name) > MAX_NAME:
        rule = f"{whose} must be printable, not blank, and at most {MAX_NAME} characters"
        place = f"; leave out {unfit.words()}, column {unfit.place + 1}" if unfit else ""
        raise Usage(rule + place)


def clean_name(name: str) -> Cleaned:
    """Remove from a name in a file what `check_name` refuses; a blank name becomes empty."""
    cleaned = without(name, _unfit_in(name), MAX_NAME)
    return cleaned if any(map(_is_visible, cleaned.text)) else Cleaned("", cleaned.done)


def check_player(whose: str, name: str) -> None:
    """Raise `Usage` for a name that no player can type: also for one of a role in the match.

    Files may have such names, and keep them.
    """
    check_name(whose, name)
    if is_role(name):
        raise Usage(f"{whose} cannot be {name!r}, the word for a role; use another name")


def _unfit_in(name: str) -> Iterator[Unfit]:
    if not name.isprintable():
        joined = {found.start() for found in JOINED.finditer(name)}
        for index, sign in enumerate(name):
            if not sign.isprintable() and index not in joined:
                yield Unfit(index, sign)


def _is_visible(character: str) -> bool:
    return unicodedata.category(character)[0] in "LNPS" and character not in BLANKS


UNKNOWN = "?"
"""The name of a seat whose player has no name."""

OF_A_SEAT = "seat "


def names_of(book: Book, record: MatchRecord, facts: Mapping[str, str] | None = None) -> Names:
    """Return the known names of the players, and who sat when the match ended."""
    names = names_in(book.facts(record) if facts is None else facts, seats(record))
    end = end_of(record)
    if end is None:
        return names
    events = book.store.people(record.stream.id).events
    return Names(names.players, sat(events, end, record.shared, names.players))


def player_names(book: Book, record: MatchRecord, facts: Mapping[str, str] | None = None) -> Names:
    """Return the players' names as people read them: on pages, in files, pictures and on paper.

    A player without a name is "Player 1".
    """
    known = names_of(book, record, facts)

    def filled(players: Mapping[int, str]) -> dict[int, str]:
        return {seat: players.get(seat, f"Player {seat}") for seat in seats(record)}

    return Names(filled(known.players), None if known.sat is None else filled(known.sat))


def end_of(record: MatchRecord) -> int | None:
    """Return the version at which a match ended; `None` before its end."""
    return record.match.line[-1].version if record.state.outcome and record.match.line else None


def names_in(facts: Mapping[str, str], seats: range) -> Names:
    """Return the known names among the facts of a match."""
    named = ((seat, facts.get(f"Seat{seat}", UNKNOWN)) for seat in seats)
    return Names({seat: make_visible(name) for seat, name in named if name not in ("", UNKNOWN)})


def shared_names(one: Names, other: Names) -> Names:
    """Return the names that the players of two matches have in common."""
    return Names(dict(one.players.items() & other.players.items()))


def seats(record: MatchRecord) -> range:
    """Return the numbers of a match's seats."""
    return range(1, record.match.seats + 1)


def actor_words(actor: str, names: Names) -> str:
    """Return the name of an author: for a seat, its player's name; like a role, in quotes."""
    number = actor.removeprefix(OF_A_SEAT)
    name = names.players.get(int(number)) if number != actor and number.isdecimal() else None
    if name is None:
        return actor if ROLES.fullmatch(actor) else quote_role(actor, 0)
    return quote_role(name, int(number))
