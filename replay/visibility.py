"""Who may find and read a match: everybody, who has its address, or who was invited."""

from __future__ import annotations

from typing import Final, Literal

from replay.book import Book
from replay.recorded import Recorded

Visibility = Literal["unlisted", "public", "private"]

FACT: Final = "access.visibility"
"""The fact that tells it; it is no tag. Without it a match is unlisted."""

UNLISTED: Final = "unlisted"
PUBLIC: Final = "public"
PRIVATE: Final = "private"


def of(book: Book, recorded: Recorded) -> Visibility:
    """Return who may read a match. A variation is as visible as the match it analyses."""
    while recorded.header.kind == "variation" and (parent := book.parent(recorded)):
        recorded = parent
    return _read(book.store.facts(recorded.stream.id))


def show_to(book: Book, recorded: Recorded, visibility: Visibility) -> None:
    """Decide who may read a match."""
    book.store.set_facts(recorded.stream.id, fact(visibility)).result()


def fact(visibility: Visibility) -> dict[str, str | None]:
    """Return the fact that stands for a visibility, or takes it away."""
    return {FACT: None if visibility == UNLISTED else visibility}


def _read(facts: dict[str, str]) -> Visibility:
    match facts.get(FACT):
        case "public":
            return "public"
        case "private":
            return "private"
    return "unlisted"
