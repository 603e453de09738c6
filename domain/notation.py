"""Tokens of the game notations: one template per kind of move gives parser and formatter."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple


class Lexeme(NamedTuple):
    """How one field of a move is written: a pattern, and the way from and to its text."""

    pattern: str
    read: Callable[[str], Any] = str
    write: Callable[[Any], str] = str


def words(names: Mapping[str, str]) -> Lexeme:
    """Return the lexeme of a field whose values have names of their own: `{"l": "light"}`."""
    texts = {value: text for text, value in names.items()}
    return Lexeme("|".join(map(re.escape, names)), names.__getitem__, texts.__getitem__)


SIZE = Lexeme("[SML]")
"""Small, medium or large."""


def square(columns: str, rows: str) -> Lexeme:
    """Return the lexeme of a square, from two character ranges: `square("a-e", "1-6")`."""
    return Lexeme(f"[{columns}][{rows}]")


class Notation(NamedTuple):
    """The tokens of one kind of move. `read` gives a move's fields in order, or `None`."""

    read: Callable[[str], tuple[Any, ...] | None]
    write: Callable[[Any], str]


def template(text: str, **lexemes: Lexeme) -> Notation:
    """Build a notation from `"{from_}x{to}"` and a lexeme per field, in the fields' order.

    >>> template("{size}@{at}", size=SIZE, at=square("a-e", "1-6")).read("M@c1")
    ('M', 'c1')
    """
    parts = re.split(r"\{(\w+)\}", text)
    pattern = re.compile("".join(_pattern(parts, lexemes)))
    order = parts[1::2]
    if order != list(lexemes):
        raise ValueError(f"template {text!r} does not name the fields {list(lexemes)} in order")
    readers = tuple(lexeme.read for lexeme in lexemes.values())
    plain = all(reader is str for reader in readers)

    def read(token: str) -> tuple[Any, ...] | None:
        found = pattern.fullmatch(token)
        if found is None:
            return None
        if plain:
            return found.groups()
        return tuple(reader(part) for reader, part in zip(readers, found.groups(), strict=True))

    def write(move: Any) -> str:
        return text.format_map(
            {name: lexeme.write(getattr(move, name)) for name, lexeme in lexemes.items()}
        )

    return Notation(read, write)


def _pattern(parts: list[str], lexemes: Mapping[str, Lexeme]) -> Iterable[str]:
    for index, part in enumerate(parts):
        yield f"({lexemes[part].pattern})" if index % 2 else re.escape(part)
