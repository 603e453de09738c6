"""The preview of a match where its link is shared: title, description, picture, and how to embed.

Only callers without a token get one, as the programs that make previews have none. A private match
has no preview.
"""

from __future__ import annotations

import textwrap
from typing import Final
from urllib.parse import urlencode

from msgspec import Struct

from replay.access import visibility
from replay.book import Book
from replay.drawing.card import HEIGHT, WIDTH
from replay.formats.pictures.raster import is_installed
from replay.record.match_record import MatchRecord
from service.http.access import AnyRequest, MatchAccess
from service.http.addresses import absolute
from service.pages.frame import Frame
from service.pages.words import sentence

LONGEST: Final = 200
"""The length of a description, in characters; sites cut longer ones."""


class LinkPreview(Struct, frozen=True):
    """A preview: its texts and absolute addresses; `picture` is empty without the extra."""

    title: str
    description: str
    address: str
    oembed: str
    picture: str
    width: int = WIDTH
    height: int = HEIGHT


def link_preview(
    request: AnyRequest, book: Book, visit: MatchAccess, shown: Frame, title: str
) -> LinkPreview | None:
    """Return the preview of a page that shows a frame of a match; `None` where there is none."""
    record = visit.record
    past = shown.version != record.match.version
    if visit.caller.role is not None or past or is_private(book, record):
        return None
    address = absolute(request, f"/m/{record.id}/replay?ply={shown.ply}")
    query = urlencode({"url": address, "format": "json"})
    return LinkPreview(
        title,
        _description(shown),
        address,
        absolute(request, f"/matches/{record.id}/oembed?{query}"),
        picture_address(request, record, shown.ply),
    )


def is_private(book: Book, record: MatchRecord) -> bool:
    """Return whether only invited people may see a match."""
    return visibility.visibility_of(book, record) == visibility.PRIVATE


def picture_address(request: AnyRequest, record: MatchRecord, ply: int) -> str:
    """Return the address of the picture at a ply of the line; empty without the extra."""
    path = f"/matches/{record.id}/record?format=card&ply={ply}"
    return absolute(request, path) if is_installed() else ""


def _description(shown: Frame) -> str:
    told = filter(None, (shown.standing, shown.happened))
    return textwrap.shorten(". ".join(map(sentence, told)), LONGEST, placeholder=" …")
