"""The names of players: their rules, and their place in tags."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from typing import Final

from domain.names import Names
from replay.book import Book
from replay.errors import Usage
from replay.record.match_record import MatchRecord

BLANK: Final = re.compile("[ \t\r\n]+")
CONTROL: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
"""Forbidden characters of tags, tokens and comments: control characters and lone surrogates."""

MAX_NAME: Final = 100
"""The longest name, in characters."""

JOINERS: Final = "\u200c\u200d"
"""The zero-width non-joiner of Persian words and the joiner of emoji; both print as nothing."""

JOINED: Final = re.compile(rf"(?<=[^\s{JOINERS}])[{JOINERS}](?=[^\s{JOINERS}])")
FORMATS: Final = re.compile(
    "\U0001f3f4[\U000e0020-\U000e007e]+\U000e007f"  # the flag of a region
    rf"|(?<=[^\s{JOINERS}])[{JOINERS}]"
    rf"|(?P<hidden>[{JOINERS}\u180e\u200b\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\U000e0001\U000e0020-\U000e007f])"
)
"""Characters that print as nothing. The `hidden` ones reverse a text, or have no use in one."""

BLANKS: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and symbols that look like a space."""


def check_name(whose: str, name: str) -> None:
    """Raise `Usage` for a name that is empty, invisible, not printable, or too long.

    Joiners are allowed between two characters. Unicode's other format characters are refused: they
    can reverse the words around a name, or make two names look the same.
    """
    plain = JOINED.sub("", name)
    if not (plain.isprintable() and any(map(_is_visible, plain)) and len(name) <= MAX_NAME):
        raise Usage(f"{whose} must be printable, not blank, and at most {MAX_NAME} characters")


def check_visible(whose: str, text: str) -> None:
    """Raise `Usage` for a text with characters that reverse it or cannot be seen.

    Joiners after a character, the flags of regions, and the marks of languages that are written
    from right to left are allowed.
    """
    hidden = next((found for found in FORMATS.finditer(text) if found["hidden"]), None)
    if hidden is not None:
        raise Usage(
            f"{whose} cannot hold the invisible character U+{ord(hidden[0]):04X}, column"
            f" {hidden.start() + 1}; leave it out"
        )


def make_visible(text: str) -> str:
    """Return a text with an escape for each character that `check_visible` refuses."""
    if text.isascii():
        return text
    return FORMATS.sub(_escape, text)


def _escape(found: re.Match[str]) -> str:
    hidden = found["hidden"]
    return hidden.encode("ascii", "backslashreplace").decode() if hidden else found[0]


def _is_visible(character: str) -> bool:
    return unicodedata.category(character)[0] in "LNPS" and character not in BLANKS


def tidy(comment: str) -> str:
    """Collapse white space to single spaces, and strip both ends."""
    return BLANK.sub(" ", comment).strip(" ")


UNKNOWN = "?"
"""The name of a seat whose player has no name."""

OF_A_SEAT = "seat "


def names_of(book: Book, record: MatchRecord) -> Names:
    """Return the known names of the players."""
    return names_in(book.facts(record), seats(record))


def names_in(facts: Mapping[str, str], seats: range) -> Names:
    """Return the known names among the facts of a match."""
    named = ((seat, facts.get(f"Seat{seat}", UNKNOWN)) for seat in seats)
    return Names({seat: name for seat, name in named if name not in ("", UNKNOWN)})


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
