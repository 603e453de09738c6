"""The texts that can be names: of players, of authors of annotations, of forks."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from replay.errors import Usage

LONGEST_NAME: Final = 100
"""The longest name, in characters."""

JOINERS: Final = "\u200c\u200d"
"""The zero-width non-joiner of Persian words and the joiner of emoji; both print as nothing."""

JOINED: Final = re.compile(rf"(?<=[^\s{JOINERS}])[{JOINERS}](?=[^\s{JOINERS}])")
BLANKS: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and symbols that look like a space."""


def check_name(whose: str, name: str) -> None:
    """Raise `Usage` for a name that is empty, invisible, not printable, or too long.

    Joiners may stand between two characters. Unicode's other format characters are refused: they
    can reverse the words around a name, or make two names look the same.
    """
    plain = JOINED.sub("", name)
    if not (plain.isprintable() and any(map(_is_visible, plain)) and len(name) <= LONGEST_NAME):
        raise Usage(f"{whose} must be printable, not blank, and at most {LONGEST_NAME} characters")


def _is_visible(character: str) -> bool:
    return unicodedata.category(character)[0] in "LNPS" and character not in BLANKS
