"""The fact that tells which text record a match was imported from."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from replay.book import Book
from replay.store.protocol import Stream

IMPORTED: Final = "imported."
"""The beginning of the fact's name; the rest is the digest."""


def without_origin(facts: Iterable[str]) -> dict[str, None]:
    """Return the change of facts that erases the digest."""
    return dict.fromkeys(name for name in facts if name.startswith(IMPORTED))


def forget_origin(book: Book, stream: Stream) -> None:
    """Erase the digest of a match, and of those it is a fork of."""
    while True:
        change = without_origin(book.store.facts(stream.id))
        if change:
            book.store.set_facts(stream.id, change).result()
        if stream.parent is None:
            return
        stream = book.store.stream(stream.parent)
