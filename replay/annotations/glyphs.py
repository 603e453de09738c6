"""PGN's numeric annotation glyphs (NAG): numbers, signs and names, in three groups.

White in the standard is seat 1 here, and Black seat 2. Numbers beyond the standard's 139 are kept
as numbers; the few that are in common use have names.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from typing import Final, Literal, NamedTuple

from domain.names import UNNAMED, Names
from replay.errors import Usage

Group = Literal["move", "position", "observation"]
"""A move has at most one glyph of each of the first two groups, but any number of observations."""

LAST: Final = 255
LAST_OF_MOVE: Final = 9
LAST_OF_POSITION: Final = 135

SINGLE: Final = {
    1: ("!", "good move"),
    2: ("?", "mistake"),
    3: ("!!", "brilliant move"),
    4: ("??", "blunder"),
    5: ("!?", "interesting move"),
    6: ("?!", "dubious move"),
    7: ("□", "forced move"),
    8: ("", "only sensible move"),
    9: ("", "worst move"),
    10: ("=", "drawish"),
    11: ("", "equal and quiet"),
    12: ("", "equal and lively"),
    13: ("∞", "unclear"),
    140: ("∆", "with the idea"),
    141: ("∇", "against the idea"),
    142: ("⌓", "better is"),
    143: ("", "worse is"),
    146: ("N", "novelty"),
}

FIRST_PAIR: Final = 14
PAIRS: Final = (
    ("⩲ ⩱", "slight advantage"),
    ("± ∓", "clear advantage"),
    ("+- -+", "winning advantage"),
    ("", "crushing advantage"),
    ("⨀", "zugzwang"),
    ("", "slightly more space"),
    ("", "clearly more space"),
    ("", "decisively more space"),
    ("", "slight lead in development"),
    ("⟳", "clear lead in development"),
    ("", "decisive lead in development"),
    ("↑", "initiative"),
    ("", "lasting initiative"),
    ("→", "attack"),
    ("", "too little for the material"),
    ("=∞", "enough for the material"),
    ("", "more than enough for the material"),
    ("", "slight control of the centre"),
    ("", "clear control of the centre"),
    ("", "decisive control of the centre"),
    ("", "slight control of the king's side"),
    ("", "clear control of the king's side"),
    ("", "decisive control of the king's side"),
    ("", "slight control of the queen's side"),
    ("", "clear control of the queen's side"),
    ("", "decisive control of the queen's side"),
    ("", "weak first rank"),
    ("", "well guarded first rank"),
    ("", "poorly guarded king"),
    ("", "well guarded king"),
    ("", "poorly placed king"),
    ("", "well placed king"),
    ("", "very weak pawns"),
    ("", "rather weak pawns"),
    ("", "rather strong pawns"),
    ("", "very strong pawns"),
    ("", "poorly placed knights"),
    ("", "well placed knights"),
    ("", "poorly placed bishops"),
    ("", "well placed bishops"),
    ("", "poorly placed rooks"),
    ("", "well placed rooks"),
    ("", "poorly placed queen"),
    ("", "well placed queen"),
    ("", "poorly working pieces"),
    ("", "well working pieces"),
    ("", "opening played very badly"),
    ("", "opening played badly"),
    ("", "opening played well"),
    ("", "opening played very well"),
    ("", "middle game played very badly"),
    ("", "middle game played badly"),
    ("", "middle game played well"),
    ("", "middle game played very well"),
    ("", "ending played very badly"),
    ("", "ending played badly"),
    ("", "ending played well"),
    ("", "ending played very well"),
    ("", "slight counterplay"),
    ("⇆", "clear counterplay"),
    ("", "decisive counterplay"),
    ("", "some time pressure"),
    ("⊕", "severe time pressure"),
)
"""The glyphs from `FIRST_PAIR` on, for seat 1, then seat 2. A shared sign gets the number."""

OF_CHESS: Final = range(54, 102)
"""The glyphs about wings, ranks and pieces of chess. They can be read in a record of any game."""


class Glyph(NamedTuple):
    """A glyph. `sign` is printed after a move; by default it is the number as `$n`.

    `meaning` is about `seat`, or about no seat (0).
    """

    number: int
    sign: str
    meaning: str
    seat: int = 0

    @property
    def name(self) -> str:
        """The meaning, with its seat."""
        return self.title(UNNAMED)

    @property
    def group(self) -> Group:
        """The group of the glyph."""
        return group(self.number)

    def title(self, names: Names) -> str:
        """Return the meaning, with the name of its seat's player."""
        return f"{self.meaning} for {names[self.seat]}" if self.seat else self.meaning

    def words(self) -> str:
        """Return the sign and the name, for a list of annotations."""
        return f"{self.sign}  {self.name}".rstrip()


def group(number: int) -> Group:
    """Return the group of a glyph: the last move, the position, or anything else."""
    if 1 <= number <= LAST_OF_MOVE:
        return "move"
    return "position" if LAST_OF_MOVE < number <= LAST_OF_POSITION else "observation"


def _table() -> Iterator[Glyph]:
    for number, (sign, name) in SINGLE.items():
        yield Glyph(number, sign or f"${number}", name)
    for place, (signs, name) in enumerate(PAIRS):
        apart = signs.split(" ") if " " in signs else [signs and f"{signs}{n}" for n in (1, 2)]
        for seat, sign in enumerate(apart, 1):
            number = FIRST_PAIR + 2 * place + seat - 1
            yield Glyph(number, sign or f"${number}", name, seat)


GLYPHS: Final = {each.number: each for each in sorted(_table())}
"""The glyphs with names, by number."""

FOR_ANY_GAME: Final = tuple(each for each in GLYPHS.values() if each.number not in OF_CHESS)
"""The glyphs with names that make sense for any game."""

OFFERED: Final = tuple(each for each in FOR_ANY_GAME if each.sign != f"${each.number}")
"""The glyphs that pages offer have a sign, and a name that makes sense for any game."""


def glyph(number: int) -> Glyph:
    """Return the glyph with a number, with or without a name."""
    return GLYPHS.get(number) or Glyph(number, f"${number}", "")


def read_glyph(text: str) -> int:
    """Parse a glyph written as `!?`, as `$5` or as its name. Raises `Usage`."""
    text = text.strip()
    if re.fullmatch(r"\$[0-9]{1,3}", text, re.ASCII) and 1 <= int(text[1:]) <= LAST:
        return int(text[1:])
    name = _plain(text)
    for each in GLYPHS.values():
        if text == each.sign or name == _plain(each.name):
            return each.number
    raise Usage(f"{text!r} is not a valid glyph; {_hint(name)}")


def _plain(name: str) -> str:
    return " ".join(re.findall(r"[\w']+", name.lower()))


def _hint(name: str) -> str:
    names = [_plain(each.name) for each in GLYPHS.values()]
    close = difflib.get_close_matches(name, names, n=3)
    if close:
        return "did you mean " + " or ".join(map(repr, close)) + "?"
    return f"use a sign like !?, a number from $1 to ${LAST}, or a name like 'mistake'"
