"""List the texts that a simple regular expression matches."""

from __future__ import annotations

import functools
import itertools
import math
import re
from typing import Final

MOST: Final = 1000
"""The most texts that are listed for a pattern."""

ATOM: Final = re.compile(r"(?:\[([^]\\^]+)\]|\\(\W)|([^][\\(){}|*+?.^$]))(?:\{(\d+)\})?")
"""A class, an escaped character or a plain one, and its number of repetitions."""

BETWEEN: Final = re.compile(r"(?<!\\)\|")


@functools.cache
def list_texts(pattern: str) -> tuple[str, ...]:
    """Return every text that a simple pattern matches; none for other patterns.

    A simple pattern consists of characters and classes like `[a-e.]`, each perhaps followed by
    `{3}`, and `|` between alternatives.
    """
    alternatives = [_alternative(part) for part in BETWEEN.split(pattern)]
    if not all(alternatives):
        return ()
    return tuple(dict.fromkeys(itertools.chain.from_iterable(alternatives)))


def _alternative(pattern: str) -> tuple[str, ...]:
    atoms = list(ATOM.finditer(pattern))
    if "".join(atom[0] for atom in atoms) != pattern:
        return ()
    signs = [_signs(*atom.group(1, 2, 3)) for atom in atoms for _ in range(int(atom[4] or 1))]
    if math.prod(map(len, signs)) > MOST:
        return ()
    return tuple(map("".join, itertools.product(*signs)))


def _signs(among: str | None, escaped: str | None, plain: str | None) -> str:
    """Return the characters of an atom as one text."""
    if among is None:
        return escaped or plain or ""
    ranges = re.findall(r"(.)-(.)|(.)", among, re.DOTALL)
    return "".join(
        sign or "".join(map(chr, range(ord(low), ord(high) + 1))) for low, high, sign in ranges
    )
