"""A match's data outside its log: readers, names, tags, annotations, tokens."""

from __future__ import annotations

from typing import Any

from replay.book import Book
from replay.errors import UnknownMatch


def read_metadata(book: Book, stream: int) -> Any:
    """Return a value that is equal until a match's data outside its log changes."""
    store = book.store
    try:
        here = store.stream(stream)
        notes = store.notes(stream)
        facts = [store.facts(stream)]
        while here.parent is not None:
            here = store.stream(here.parent)
            facts.append(store.facts(here.id))
        keys = frozenset(store.keys(stream)), store.operators()
        return store.stream(stream).trashed, notes and notes.head, facts, keys
    except UnknownMatch:
        return None
