"""The text records of all matches with one tag as one file, which broadcasters poll."""

from __future__ import annotations

import logging
from typing import Annotated, Final, NamedTuple

from litestar import Response
from litestar.params import FromQuery, QueryParameter

from replay import registry
from replay.book import Book
from replay.errors import Usage
from replay.formats.export_formats import RECORD, Format, formats_of
from replay.library.match_list import ListFilter, page
from service.api.library import read_tag
from service.api.presenters import left_out
from service.app_state import TheAppState
from service.http.access import AnyRequest, read_scope
from service.http.book_reads import read_book
from service.http.caching import ASK_AGAIN
from service.http.problems import Problem
from service.http.rights import ANYBODY
from service.openapi.operations import get

MAX_RECORDS: Final = 64
"""The most matches of a file: as many as a round of a broadcast has."""

LOGGER: Final = logging.getLogger(__name__)
RECORDS: Final = 10
"""The number of records that costs one request."""


class Joined(NamedTuple):
    """A requested file: the matches, the oldest first, and the format."""

    matches: tuple[str, ...]
    format: str


@get("/records", {200: {RECORD: str}}, right=ANYBODY, problems=(503,), sends=("ETag",))
async def tagged_records(
    request: AnyRequest,
    live: TheAppState,
    tag: Annotated[
        str, QueryParameter(max_length=1100, description="A tag with its whole value: `Event:Cup`.")
    ],
    format: FromQuery[str] = "ply",  # noqa: A002  # the name in the query
) -> Response[bytes]:
    """Export the newest 64 matches with a tag that the caller may list, as one file, oldest first.

    The `format` is a text format of a game, like `pgn`; matches of other games are left out.
    `Left-Out` names the matches that cannot be written.
    """
    form, wanted = _format(format), ListFilter(tag=read_tag(tag))

    def find() -> tuple[Joined, int]:
        scope = read_scope(request)
        listed = page(live.book, wanted, scope, MAX_RECORDS).matches
        ids = (each.stream.public_id for each in reversed(listed))
        return Joined(tuple(ids), format), live.book.store.data_version()

    joined, version = await read_book(live.book, find)
    content, bad = await live.workers.do(
        request,
        records_of,
        joined,
        cost=1 + len(joined.matches) // RECORDS,
        key=("records", joined, version),
    )
    headers = ASK_AGAIN | left_out(bad)
    return Response(content, media_type=form.media_type, headers=headers)


def _format(name: str) -> Format:
    """Return a text format of any game. Raises `Problem` 400."""
    found = {
        known: form
        for game in registry.games().values()
        for known, form in formats_of(game).items()
        if form.joined
    }
    if name not in found:
        known = ", ".join(found)
        raise Problem(400, f"{name!r} is not a text format; use one of {known}", path="format")
    return found[name]


def records_of(book: Book, joined: Joined) -> tuple[bytes, list[str]]:
    """Return the records of matches as one file, and the matches that cannot be written."""
    content, bad = list[bytes](), list[str]()
    for match in joined.matches:
        try:
            content.append(_record(book, match, joined.format))
        except Exception:  # the format of a plug-in may fail, and the other records are wanted
            LOGGER.exception("the match %s cannot be written as %s", match, joined.format)
            bad.append(match)
    return b"".join(content), bad


def _record(book: Book, match: str, name: str) -> bytes:
    """Return the record of a match; nothing if its game lacks the format or is not installed."""
    try:
        record = book.open(match)
    except Usage:
        return b""
    form = formats_of(record.game).get(name)
    return form.write(book, record, range(record.ply() + 1)) if form else b""
