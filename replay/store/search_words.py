"""Split texts into words for search, and compare names, in the same way in every backend."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Final

WORD: Final = re.compile(r"[^\W_]+")


def words(text: str) -> list[str]:
    """Return the words of a text: letters and digits only, without case and accents."""
    decomposed = unicodedata.normalize("NFKD", text).casefold()
    bare = (letter for letter in decomposed if not unicodedata.combining(letter))
    return WORD.findall("".join(bare))


def folded(text: str) -> str:
    """Return a text without case: two names are the same if these are equal."""
    return unicodedata.normalize("NFKC", text.casefold())


def fits(asked: Sequence[str], text: str) -> bool:
    """Tell whether each of the words asked for begins a word of the text."""
    there = words(text)
    return all(any(word.startswith(each) for word in there) for each in asked)
