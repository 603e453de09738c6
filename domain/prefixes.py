"""Incomplete move texts, and the texts that a pattern matches."""

from __future__ import annotations

import functools
import itertools
import math
import re
from collections.abc import Container, Iterator, Sequence
from typing import Final, NamedTuple

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


class Unfinished(NamedTuple):
    """For each part of a token its possible texts; one text if the part is decided.

    A part without texts cannot be listed.
    """

    parts: tuple[tuple[str, ...], ...]

    @property
    def size(self) -> int:
        """The number of these tokens, without parts that cannot be listed."""
        return math.prod(map(len, self.parts))

    @property
    def plain(self) -> Unfinished:
        """The tokens without their optional parts."""
        return Unfinished(tuple(("",) if "" in texts else texts for texts in self.parts))

    def within(self, known: Sequence[Container[str]]) -> Unfinished:
        """Restrict each part to its known texts, where they occur."""
        pairs = zip(self.parts, known, strict=True)
        return Unfinished(
            tuple(tuple(text for text in texts if text in some) or texts for texts, some in pairs)
        )

    def some(self, most: int) -> Iterator[str]:
        """Yield the tokens, or if there are more than `most`, a sample spread evenly over them."""
        size = self.size
        if size <= most:
            return (self._token(number) for number in range(size))
        # Multiples of about the golden section are spread evenly; coprime steps never repeat.
        step = next(each for each in range(int(size * 0.618), size) if math.gcd(each, size) == 1)
        return (self._token(number * step % size) for number in range(most))

    def grown(self, length: int) -> Iterator[tuple[str, bool]]:
        """Yield beginnings that end with the first part beyond `length`, and their completeness.

        The first `length` characters of the tokens must be decided.
        """
        heads = [""]
        for number, texts in enumerate(self.parts, 1):
            reached, heads = [head + text for head in heads for text in texts], []
            for head in reached:
                if len(head) > length:
                    yield head, number == len(self.parts)
                else:
                    heads.append(head)

    def _token(self, number: int) -> str:
        texts = []
        for part in reversed(self.parts):
            number, place = divmod(number, len(part))
            texts.append(part[place])
        return "".join(reversed(texts))
