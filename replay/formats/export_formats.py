"""The export formats of a match, in one table that the terminal and the API read."""

from __future__ import annotations

# Imports in functions keep start-up short: an export loads only its own format.
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from msgspec import Struct

from domain.events import Moved
from replay.errors import UnknownRuleset, Usage
from replay.formats.text_formats import RECORD_ENDING, RECORD_TYPE, text_formats
from replay.kept_book import KeptMove, needs
from replay.record.addresses import Address

if TYPE_CHECKING:
    from domain.game import Game
    from domain.notation import TextFormat
    from replay.book import Book
    from replay.formats.ply.model import RecordLine
    from replay.record.match_record import MatchRecord


class Format(NamedTuple):
    """A format of files.

    `write` returns the content of a file with a range of plies: an animation shows all of them, a
    format that is `per_ply` shows the last one, and the others show the whole match. Pages can
    display a `shown` format; the others are downloads. A `light` format takes a few milliseconds to
    write. A `picture` needs the extra `pictures`. Files of several matches can be `joined`.
    """

    media_type: str
    ending: str
    write: Callable[[Book, MatchRecord, range], bytes]
    per_ply: bool = False
    shown: bool = False
    light: bool = False
    picture: bool = False
    joined: bool = False


def _ply(book: Book, record: MatchRecord, _: range) -> bytes:
    from replay.formats.ply.writer import export_lines, write_record

    lines = export_lines(book, record)
    _check_texts(record, lines.line)
    return write_record(lines).encode()


def _check_texts(record: MatchRecord, line: RecordLine) -> None:
    """Refuse to write moves that have no known text. Raises `UnknownRuleset`."""
    for node in line.nodes:
        move = node.event.move if isinstance(node.event, Moved) else None
        if isinstance(move, KeptMove) and not move.is_move_text:
            raise UnknownRuleset(f"{needs(record)}, to write its moves; an archive has all of it")
        for variation in node.variations:
            _check_texts(record, variation)


def _archive(book: Book, record: MatchRecord, _: range) -> bytes:
    from replay.formats.archive.writer import write_archive

    return write_archive(book, record)


def _sheet(book: Book, record: MatchRecord, _: range) -> bytes:
    from replay.formats.html.score_sheet import write_sheet

    return write_sheet(book, record).encode()


def _html(book: Book, record: MatchRecord, plies: range) -> bytes:
    from replay.formats.html.player_page import write_page

    return write_page(book, record, plies[-1]).encode()


def _svg(book: Book, record: MatchRecord, plies: range) -> bytes:
    from replay.formats.pictures.stills import write_svg

    return write_svg(book, record, plies[-1]).encode()


def _png(book: Book, record: MatchRecord, plies: range) -> bytes:
    from replay.formats.pictures.stills import write_png

    return write_png(book, record, plies[-1])


def _card(book: Book, record: MatchRecord, plies: range) -> bytes:
    from replay.formats.pictures.stills import write_card

    return write_card(book, record, plies[-1])


def _gif(book: Book, record: MatchRecord, plies: range) -> bytes:
    from replay.formats.pictures.animation import write_gif

    return write_gif(book, record, plies[-1], plies.start)


RECORD: Final = RECORD_TYPE
ARCHIVE: Final = "application/x-plybook-archive"

FORMATS: Final = {
    "ply": Format(RECORD_TYPE, RECORD_ENDING, _ply, light=True, joined=True),
    "archive": Format(ARCHIVE, ".plybook", _archive),
    "html": Format("text/html", ".html", _html, per_ply=True),
    "sheet": Format("text/html", "-sheet.html", _sheet),
    "svg": Format("image/svg+xml", ".svg", _svg, per_ply=True, shown=True, light=True),
    "png": Format("image/png", ".png", _png, per_ply=True, shown=True, picture=True),
    "card": Format("image/png", "-card.png", _card, per_ply=True, shown=True, picture=True),
    "gif": Format("image/gif", ".gif", _gif, per_ply=True, shown=True, picture=True),
}
"""The formats by name. The first of a media type is its default."""


WITHOUT_GAME: Final = ("ply", "archive")
"""The formats of a match whose game is not installed."""


def formats_of(game: Game[Any]) -> dict[str, Format]:
    """Return the formats of matches of a game by name: the common formats and the game's own."""
    own = {
        one.name: Format(one.media_type, one.ending, partial(_own, one), light=True, joined=True)
        for one in game.formats
    }
    return {**FORMATS, **own}


class FormatInfo(Struct, frozen=True):
    """A format of files: whether it is read and written, and the game it belongs to, if any."""

    name: str
    ending: str
    media_type: str
    read: bool
    written: bool
    game: str | None

    def words(self) -> str:
        """Describe the format in a line."""
        done = ("read", "written") if self.read and self.written else ("written",)
        return (
            f"{self.name:<8} {self.ending:<12} {' and '.join(done):<17} {self.game or 'any game'}"
        )


def all_formats() -> list[FormatInfo]:
    """Return the formats of all games, and those of single ones."""
    common = [
        FormatInfo(name, form.ending, form.media_type, name in WITHOUT_GAME, True, None)
        for name, form in FORMATS.items()
    ]
    return common + [
        FormatInfo(form.name, form.ending, form.media_type, True, True, game.slug)
        for game, form in text_formats()
    ]


def _own(form: TextFormat, book: Book, record: MatchRecord, _: range) -> bytes:
    from replay.formats.ply.writer import export_lines

    return form.write(export_lines(book, record)).encode()


def named(game: Game[Any], name: str) -> Format:
    """Return a format of a game.

    Raises `Usage` for an unknown format, or one that needs a missing game.
    """
    formats = formats_of(game)
    if KeptMove in game.moves and name in formats and name not in WITHOUT_GAME:
        known = " and ".join(WITHOUT_GAME)
        raise UnknownRuleset(f"{name} needs {game.ruleset}; without it there are {known}")
    if name not in formats:
        raise Usage(f"{name!r} is not a format of {game.name}; use one of {', '.join(formats)}")
    return formats[name]


def export(book: Book, address: Address, name: str) -> bytes:
    """Return the content of a file in a format; an animation begins at the start.

    Raises `Usage` for an unknown format, and for a ply if the format holds the whole match.
    """
    record, ply = book.at(address)
    form = named(record.game, name)
    if address.ply is not None and not form.per_ply:
        raise Usage(f"{name} holds the whole match, not one ply; use only the match's id")
    return form.write(book, record, range(ply + 1))
