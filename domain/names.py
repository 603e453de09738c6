"""Sentences about seats, the names of the players in them, numbers with their nouns, and lists."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, Final

from msgspec import Struct


def count(number: float, one: str, many: str = "") -> str:
    """Return a number with its noun; the plural adds an s by default: "1 ply", "2 events"."""
    return f"{number} {one if number == 1 else many or f'{one}s'}"


def cut(text: str, most: int) -> str:
    """Return a text of at most `most` characters, with an ellipsis in place of the rest.

    >>> cut("takeback", 5)
    'take…'
    """
    return text if len(text) <= most else f"{text[: most - 1]}…"


def one_of(words: Iterable[str], join: str = "or") -> str:
    """Join words with commas and "or".

    >>> one_of(["S", "M", "L"])
    'S, M or L'
    """
    *first, last = words
    return f"{', '.join(first)} {join} {last}" if first else last


def all_of(words: Iterable[str]) -> str:
    """Join words with commas and "and".

    >>> all_of(["seat 1", "seat 3"])
    'seat 1 and seat 3'
    """
    return one_of(words, "and")


class Names(Struct, frozen=True):
    """The names of players by seat. A seat without a name is called "seat 1".

    If other players hold the seats now, sentences name the players who `sat` when the match ended.
    """

    players: Mapping[int, str] = MappingProxyType({})
    sat: Mapping[int, str] | None = None

    def __getitem__(self, seat: int) -> str:
        """Return the name of a seat in a sentence."""
        return (self.players if self.sat is None else self.sat).get(seat) or f"seat {seat}"

    def its(self, seat: int) -> str:
        """Return the possessive pronoun of a seat: "their" with a name, else "its"."""
        return "their" if (self.players if self.sat is None else self.sat).get(seat) else "its"

    def listed(self, seats: Iterable[int]) -> str:
        """List seats by their names, or else by their numbers."""
        return ", ".join(self.players.get(seat) or str(seat) for seat in seats)

    def title(self, seat: int) -> str:
        """Return the name of a seat at the beginning of a line."""
        return self.players.get(seat) or f"Seat {seat}"


UNNAMED: Final = Names()
"""Names for a match without players' names."""


class Player(int):
    """The player of a seat, as a term of a sentence."""


class Sentence(str):
    """A sentence about seats: a text that says "seat 1", and that can be worded with names.

    Names in braces in `template` are replaced by `terms`: a `Player` by a name, another sentence by
    its words, a function by its result for the names. `{its}` is the possessive of the term `seat`.
    """

    template: str
    terms: dict[str, Any]

    def __new__(cls, template: str, /, **terms: Any) -> Sentence:
        """Make a sentence. Only the template is searched for braces, never a term."""
        sentence = super().__new__(cls, _fill(template, terms, UNNAMED))
        sentence.template, sentence.terms = template, terms
        return sentence

    def words(self, names: Names = UNNAMED) -> str:
        """Return the sentence with names."""
        return _fill(self.template, self.terms, names)


def worded(text: str, names: Names) -> str:
    """Return a text, with names if it is a sentence."""
    return text.words(names) if isinstance(text, Sentence) else text


def _fill(template: str, terms: Mapping[str, Any], names: Names) -> str:
    said = {
        name: term if type(term) is str else _say(term, names)  # most terms are plain texts
        for name, term in terms.items()
    }
    if isinstance(terms.get("seat"), Player):
        said["its"] = names.its(terms["seat"])
    return template.format_map(said)


def _say(term: Any, names: Names) -> Any:
    if isinstance(term, str):
        return worded(term, names)
    if isinstance(term, Player):
        return names[term]
    return term(names) if callable(term) else term


ROLE: Final = re.compile(r"\s*(scorekeeper|host|seat[\s_-]*[0-9]+)\s*", re.IGNORECASE)
"""The names of the roles that enter events; a player's name could be confused with them."""


def is_role(name: str) -> bool:
    """Return whether a name reads like a role: "scorekeeper", "host" or "seat 2"."""
    return bool(ROLE.fullmatch(unicodedata.normalize("NFKC", name)))


def quote_role(name: str, seat: int) -> str:
    """Return a player's name for a list with roles: in quotes if it reads like a role.

    A seat without a name is called "seat 1", without quotes.

    >>> quote_role("Ann", 1), quote_role("host", 1), quote_role("seat 1", 1)
    ('Ann', '"host"', 'seat 1')
    """
    return f'"{name}"' if is_role(name) and name != f"seat {seat}" else name
