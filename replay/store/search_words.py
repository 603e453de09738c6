"""Split texts into words for search, and compare names, in the same way in every backend."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Final

WORD: Final = re.compile(r"[^\W_]+")
UNSPACED: Final = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
)
"""Thai, Lao, Burmese, Khmer, Japanese and Chinese letters."""


def words(text: str) -> list[str]:
    """Return the words of a text: letters and digits only, without case and accents."""
    decomposed = unicodedata.normalize("NFKD", text).casefold()
    bare = (letter for letter in decomposed if not unicodedata.combining(letter))
    return WORD.findall("".join(bare))


def folded(text: str) -> str:
    """Return a text without case: two names are the same if these are equal."""
    return unicodedata.normalize("NFKC", text.casefold())


def is_unspaced(word: str) -> bool:
    """Return whether a word is in a script that writes no spaces between words."""
    return UNSPACED.search(word) is not None


def fits(asked: Sequence[str], text: str) -> bool:
    """Return whether each of the words asked for begins a word of the text.

    A word of a script without spaces may be anywhere in the text.
    """
    there = words(text)
    return all(any(_fits(each, word) for word in there) for each in asked)


def _fits(asked: str, word: str) -> bool:
    return asked in word if is_unspaced(asked) else word.startswith(asked)
