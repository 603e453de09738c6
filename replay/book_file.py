"""A book in a database file."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from replay.book import Book
from replay.store import open_store


@contextmanager
def open_book(path: Path | str) -> Iterator[Book]:
    """Open the book in a database file, making the file if there is none; close it at the end.

    Raises `StoreError` if the file cannot be used.
    """
    with closing(open_store(Path(path))) as store:
        yield Book(store)
