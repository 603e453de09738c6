"""Who may find and read a match: everybody, who has its address, or who was invited."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

from replay.book import Book
from replay.errors import Usage
from replay.match_record import MatchRecord, header_of
from replay.store.protocol import Fact, Stream, Unlike

Visibility = Literal["unlisted", "public", "private"]

FACT: Final = "access.visibility"
"""The fact that tells it; it is no tag. Without it a match is unlisted."""

REMEMBERED: Final = 100_000
"""So many variations are remembered with the match that they analyse."""

UNLISTED: Final = "unlisted"
PUBLIC: Final = "public"
PRIVATE: Final = "private"

SHOWN: Final = Fact(FACT, PUBLIC)
"""The fact that public matches have."""
CLOSED: Final = Unlike(FACT, (UNLISTED, PUBLIC))
"""The fact that private matches have; a value that cannot be read is private too."""


def visibility_of(book: Book, recorded: MatchRecord) -> Visibility:
    """Return who may read a match. A variation is as visible as the match it analyses."""
    return stream_visibility(book, recorded.stream)


def stream_visibility(book: Book, stream: Stream) -> Visibility:
    """Do what `of` does, without reading the match. Raises `Damaged` for a bad header."""
    return read_visibility(book.store.facts(analysed_match(book, stream).id))


def read_visibility(facts: Mapping[str, str]) -> Visibility:
    """Return the visibility that the facts of a match tell; a value nobody knows is private."""
    match facts.get(FACT, UNLISTED):
        case "unlisted":
            return "unlisted"
        case "public":
            return "public"
    return "private"


def analysed_match(book: Book, stream: Stream) -> Stream:
    """Return the match that a variation analyses, or the match itself. Raises as `of_stream`.

    What a stream forks from never changes, so the way up a deep family is walked once.
    """
    passed: list[int] = []
    while stream.parent is not None and header_of(stream).kind == "variation":
        known = book.analysed.get(stream.id)
        passed.append(stream.id)
        stream = book.store.stream(stream.parent if known is None else known)
    if len(book.analysed) > REMEMBERED:
        book.analysed.clear()
    book.analysed.update(dict.fromkeys(passed, stream.id))
    return stream


def set_visibility(book: Book, recorded: MatchRecord, visibility: Visibility) -> None:
    """Decide who may read a match. Raises `Usage` for a variation, which has no say in it."""
    if recorded.header.kind == "variation":
        raise Usage("whoever may read a match may read its variations: decide it for the match")
    book.store.set_facts(recorded.stream.id, visibility_fact(visibility)).result()


def visibility_fact(visibility: Visibility) -> dict[str, str | None]:
    """Return the fact that stands for a visibility, or takes it away."""
    return {FACT: None if visibility == UNLISTED else visibility}
