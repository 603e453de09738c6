"""Pictures of a position and of a match's card: SVG and PNG."""

from __future__ import annotations

# Imports in functions are of the optional extra `pictures`.
import atexit
import functools
import os
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from domain.names import count
from replay.book import Book
from replay.drawing import svg
from replay.drawing.card import WIDTH, Card, draw_card
from replay.drawing.svg_elements import plain
from replay.errors import Usage, missing_extra
from replay.reading.stops import scene_after
from replay.record.match_record import MatchRecord
from replay.record.match_summary import describe_match
from replay.tags.names import player_names, seats

PICTURE_WIDTH: Final = 960
"""The width of a picture of a position, in pixels."""

MODULES: Final = ("resvg_py", "PIL")
"""The modules of the extra `pictures`."""

EMBEDDED: Final = "Aileron"
"""The font inside Pillow. It has every character of our drawings except the multiplication sign."""


def write_svg(book: Book, record: MatchRecord, ply: int) -> str:
    """Return the position after a ply as SVG, with its annotations, as spectators may see it."""
    names = player_names(book, record)
    return svg.draw(scene_after(book, record, ply, names), title=record.game.name, names=names)


def write_png(book: Book, record: MatchRecord, ply: int) -> bytes:
    """Return the position after a ply as PNG. Raises `Usage` without the extra."""
    return png(write_svg(book, record, ply), PICTURE_WIDTH)


def png(drawing: str, width: int, background: str | None = "#ffffff") -> bytes:
    """Return a drawing as PNG with a width in pixels, transparent without a background."""
    check_extra()
    import resvg_py

    drawn: bytes = resvg_py.svg_to_bytes(
        svg_string=plain(drawing).replace("×", "x"),
        width=width,
        background=background,
        font_files=[_font_file()],
        sans_serif_family=EMBEDDED,
    )
    return drawn


@functools.cache
def _font_file() -> str:
    """Return the path of a file with the embedded font, written once per process.

    A machine may have no font at all; letters and digits would then be missing. On Linux the file
    is in memory, so a killed process leaves nothing behind.
    """
    from PIL import ImageFont

    font = ImageFont.load_default(size=16)
    assert isinstance(font, ImageFont.FreeTypeFont)
    if hasattr(os, "memfd_create"):
        number = os.memfd_create(EMBEDDED)
        os.write(number, font.font_bytes)
        return f"/proc/{os.getpid()}/fd/{number}"
    with tempfile.NamedTemporaryFile(suffix=".ttf", delete=False) as file:
        file.write(font.font_bytes)
    atexit.register(Path(file.name).unlink, missing_ok=True)
    return file.name


def is_installed() -> bool:
    """Return whether the extra for pictures is installed."""
    return not list(_missing(MODULES))


@functools.cache  # looking for modules costs as much as an answer
def check_extra() -> None:
    """Raise `Usage`, with instructions, unless the extra for pictures is installed."""
    missing = list(_missing(MODULES))
    if missing:
        raise Usage(missing_extra(f"a picture ({' and '.join(missing)})", "pictures"))


def _missing(modules: Iterable[str]) -> Iterable[str]:
    from importlib.util import find_spec

    return (module for module in modules if find_spec(module) is None)


def write_card(book: Book, record: MatchRecord, ply: int) -> bytes:
    """Return the card as spectators may see it. Raises `Usage` without the extra."""
    return png(_drawn(book, record, ply), WIDTH)


def _drawn(book: Book, record: MatchRecord, ply: int) -> str:
    names = player_names(book, record)
    scene = scene_after(book, record, ply, names)
    standing = describe_match(record.match, ply, names)
    last = len(record.match.line)
    card = Card(
        record.game.name,
        {seat: names.title(seat) for seat in seats(record)},
        standing[:1].upper() + standing[1:],
        f"after move {ply} of {last}" if 0 < ply < last else count(ply, "move"),
    )
    return draw_card(scene, card, names)
