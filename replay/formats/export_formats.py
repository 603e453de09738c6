"""The export formats of a match: a table from names to functions."""

from __future__ import annotations

# Imports in functions keep start-up short: an export loads only its own format.
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from replay.errors import Usage
from replay.record.addresses import Address

if TYPE_CHECKING:
    from replay.book import Book
    from replay.record.match_record import MatchRecord

    Format = Callable[[Book, MatchRecord], bytes]
    PlacedFormat = Callable[[Book, MatchRecord, int], bytes]


def _ply(book: Book, record: MatchRecord) -> bytes:
    from replay.formats.ply.writer import export_record

    return export_record(book, record).encode()


def _archive(book: Book, record: MatchRecord) -> bytes:
    from replay.formats.archive.writer import write_archive

    return write_archive(book, record)


def _ap(book: Book, record: MatchRecord) -> bytes:
    from replay.formats.abstract_play import write_game_record

    return write_game_record(book, record)


def _sheet(book: Book, record: MatchRecord) -> bytes:
    from replay.formats.html.score_sheet import write_sheet

    return write_sheet(book, record).encode()


def _html(book: Book, record: MatchRecord, ply: int) -> bytes:
    from replay.formats.html.player_page import write_page

    return write_page(book, record, ply).encode()


def _png(book: Book, record: MatchRecord, ply: int) -> bytes:
    from replay.formats.pictures.raster import write_png

    return write_png(book, record, ply)


def _card(book: Book, record: MatchRecord, ply: int) -> bytes:
    from replay.formats.pictures.raster import write_card

    return write_card(book, record, ply)


def _gif(book: Book, record: MatchRecord, ply: int) -> bytes:
    from replay.formats.pictures.animation import write_gif

    return write_gif(book, record, ply)


FORMATS: Final[dict[str, Format]] = {
    "ply": _ply,
    "archive": _archive,
    "ap": _ap,
    "sheet": _sheet,
}
"""Each returns the content of a file. Functions import formats of optional extras themselves."""

PER_PLY: Final[dict[str, PlacedFormat]] = {
    "html": _html,
    "png": _png,
    "card": _card,
    "gif": _gif,
}
"""Formats of a match at a ply: the page opens there, PNG and card show it, a GIF ends there."""

NAMES: Final = (*FORMATS, *PER_PLY)

ENDINGS: Final = {
    ".ply": "ply",
    ".plybook": "archive",
    ".json": "ap",
    ".html": "html",
    ".png": "png",
    ".gif": "gif",
}
"""The formats by the endings of their files."""


def export(book: Book, address: Address, name: str) -> bytes:
    """Return the content of a file in a format.

    Raises `Usage` for an unknown format, and for a ply if the format holds the whole match.
    """
    if name in PER_PLY:
        return PER_PLY[name](book, *book.at(address))
    if name not in FORMATS:
        raise Usage(f"there is no format {name!r}; there are {', '.join(NAMES)}")
    if address.ply is not None:
        raise Usage(f"the format {name} holds a whole match as it stands: write just its id")
    return FORMATS[name](book, book.open(address.match))
