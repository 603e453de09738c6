"""Open the book that a command works on."""

from __future__ import annotations

# Imports in functions keep start-up short: a command loads only what it needs.
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from replay.errors import NotABook, Usage
from replay.store import Location, is_url, locate

if TYPE_CHECKING:
    from replay.book import Book

LATEST: Final = "-"
"""The match that changed last, as an argument; a bare ply, `@3`, means a ply of it."""

BOOK: Final = "plybook.db"
"""The file of the book in the platform's data folder."""

URL: Final = re.compile(r"[A-Za-z][\w+.-]+:/")
"""The beginning of a URL that was read as a path, which has lost a slash."""


@contextmanager
def open_book(db: str | None) -> Iterator[Book]:
    """Open the book, by default in the platform's data folder; create it if needed.

    Raises `StoreError` if the database cannot be used.
    """
    with _open(database(db)) as book:
        yield book


@contextmanager
def _open(location: Location) -> Iterator[Book]:
    from replay import book_file

    grown = set[str]()
    with book_file.open_book(location) as book:
        book.watch(lambda after, _: grown.add(after.id))
        yield book
        if grown:
            _index(book, grown)


def _index(book: Book, grown: Iterable[str]) -> None:
    """Index the moves of matches, so that the views of the database show them at once."""
    from replay.errors import PlybookError
    from replay.library.indexes import finish, new_moves

    with suppress(PlybookError):  # the next query indexes the rest
        moves = (new_moves(book, book.find(match)) for match in grown)
        finish(book.store.index_match(*each) for each in moves if each)


@contextmanager
def existing_book(db: str | None) -> Iterator[Book]:
    """Open an existing book. Raises `NotABook` if it does not exist, and as `open_book` does."""
    with _open(_existing(db)) as book:
        yield book


@contextmanager
def read_book(db: str | None) -> Iterator[Book]:
    """Open a book for reading, even a read-only one. Raises as `existing_book` does."""
    from replay import book_file

    with book_file.read_book(_existing(db)) as book:
        yield book


@contextmanager
def read_kept(db: str | None) -> Iterator[Book]:
    """Open a book for reading, with the matches whose games are not installed."""
    from replay.kept_book import KeptBook

    with read_book(db) as book:
        yield KeptBook(book)


def latest_match(db: str | None) -> str:
    """Return the id of the match that changed last. Raises `Usage` for an empty book."""
    from replay.store.types import SummaryFilter

    with read_book(db) as book:
        for each in book.store.listed(SummaryFilter(kind="match", order="changed")):
            return each.stream.public_id
    raise Usage("the book has no match; `plybook record poptrix Jet Red` begins one")


def may_write(db: str | None) -> bool:
    """Return whether the book itself can be written; otherwise `read_book` opens a copy."""
    from replay.store.sqlite import database_file

    location = database(db)
    return is_url(location) or database_file.may_write(Path(location))


def _existing(db: str | None) -> Location:
    location = database(db)
    if not is_url(location) and not os.path.lexists(location):
        from replay.store.sqlite import lock

        lock.check(Path(location))  # another program may still have it open
        raise NotABook(f"there is no book {location}; `plybook record poptrix Jet Red` begins one")
    return location


def database(db: str | None, file: str = BOOK) -> Location:
    """Return the location of the book, by default a file in the platform's data folder."""
    if db is not None:
        return locate(db)
    from platformdirs import user_data_path

    return user_data_path("plybook", appauthor=False, ensure_exists=True) / file


def local_file(file: Path) -> Path:
    """Return a file that a person names. Raises `Usage` for a URL, which may have a password."""
    if URL.match(str(file)):
        raise Usage("a URL is not a valid file here; use `plybook copy` for a book in PostgreSQL")
    return file


def database_file(db: str | None, instead: str) -> Path:
    """Return the file of a book. Raises `Usage` for PostgreSQL: use `instead`."""
    location = database(db)
    if is_url(location):
        raise Usage(f"this is for a book in a file; for one in PostgreSQL {instead}")
    return Path(location)
