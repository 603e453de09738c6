"""What a match can be exported as: a table from the name of a format to the function."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from replay.book import Book, Recorded

    Format = Callable[[Book, Recorded], bytes]


def _ply(book: Book, recorded: Recorded) -> bytes:
    from replay.exporting import export_record

    return export_record(book, recorded).encode()


def _archive(book: Book, recorded: Recorded) -> bytes:
    from replay.archive.writing import write_archive

    return write_archive(book, recorded)


def _ap(book: Book, recorded: Recorded) -> bytes:
    from replay.abstract_play import write_game_record

    return write_game_record(book, recorded)


FORMATS: Final[dict[str, Format]] = {
    "ply": _ply,
    "archive": _archive,
    "ap": _ap,
}
"""Each returns the content of a file. Imports are left to the function that needs them."""
