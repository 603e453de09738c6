"""Verify all matches of a book."""

from __future__ import annotations

from collections.abc import Iterator

from replay.book import Book
from replay.match_batches import all_streams
from replay.referee.verification import Verified, verify_streams


def verify_all(book: Book) -> Iterator[Verified]:
    """Verify every match of the book, including the trash."""
    return verify_streams(book, all_streams(book))
