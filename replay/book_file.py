"""A book in a database: a file of SQLite, or a database of PostgreSQL."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from replay.book import Book
from replay.errors import NotABook
from replay.store import Location, is_url, open_store


@contextmanager
def open_book(location: Location) -> Iterator[Book]:
    """Open the book in a database, creating a missing file; close it at the end.

    Raises `StoreError` if the database cannot be used.
    """
    with closing(open_store(location)) as store:
        yield Book(store)


@contextmanager
def read_book(location: Location) -> Iterator[Book]:
    """Open the book in an existing database for reading; close it at the end.

    A file or folder that may not be written is copied first, because SQLite's log and the indexes
    for searching must be written there. Raises `StoreError` if the database cannot be used.
    """
    # Commands about games load no database.
    from replay.store.sqlite import database_file, driver, file_copy

    if not is_url(location) and database_file.recognise(Path(location)) is None:
        raise NotABook(f"there is no book {location}")
    if is_url(location) or database_file.may_write(path := Path(location)):
        with open_book(location) as book:
            yield book
        return
    with tempfile.TemporaryDirectory(prefix="plybook-") as folder:
        copy = Path(folder, "book.db")
        try:
            file_copy.copy_finished(path, copy)
        except driver.ERRORS as error:
            raise driver.translate_error(error, path) from error
        with open_book(copy) as book:
            yield book
