"""The record that a match was imported from: a digest of its canonical text, to find the match by.

The digest is in the name of a fact, which the store can look up. It covers names and comments, so
erasing one of those erases the digest too: nobody can try out names with it.
"""

from __future__ import annotations

import hashlib

from replay.book import Book
from replay.formats.ply.model import Record
from replay.formats.ply.writer import write_record
from replay.store.protocol import Fact, Stream
from replay.tags.origin import IMPORTED


def fact_of(record: Record) -> str:
    """Return the name of the fact that a match was imported from this record."""
    return IMPORTED + hashlib.sha256(write_record(record).encode()).hexdigest()


def find_imported(book: Book, fact: str) -> Stream | None:
    """Return a match with such a fact, perhaps in the trash, or `None`."""
    having = Fact(fact, "")
    for trashed in (False, True):
        for stream in book.store.matches(trashed=trashed, having=having):
            return stream
    return None
