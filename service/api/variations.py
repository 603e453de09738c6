"""Host actions on variations: promote to the main line, hide, rename."""

from __future__ import annotations

import asyncio
from typing import Final

import msgspec
from litestar import Response, Router, post, put
from msgspec import Struct

from replay.access import capability_tokens, visibility
from replay.book import Book
from replay.branches import forks
from replay.record.match_record import MatchRecord
from service.api.presenters import answer
from service.http.access import AnyRequest, MatchAccess, TheBook, TheMatchAccess, caller_of
from service.http.book_reads import in_thread
from service.http.caching import ASK_AGAIN
from service.http.problems import Problem
from service.models.requests import Naming, read
from service.openapi.operations import documented

NAMING: Final = msgspec.json.Decoder(Naming)


class Variation(Struct, frozen=True):
    """A fork: its name, whether it is hidden, and whether it is the main line of the analysis.

    `analyses` is the match that it analyses, or the match itself if it was played.
    """

    match: str
    analyses: str
    name: str
    hidden: bool
    main: bool


@post("/matches/{match:str}/promote", **documented({200: Variation}, auth="host", problems=(400,)))
@in_thread
def promote(request: AnyRequest, book: TheBook, visit: TheMatchAccess) -> Response[bytes]:
    """Make a variation the main line of its analysis; the match itself restores the played line.

    Only the host of the analysed match may.
    """
    visit.host("promote a variation")
    _check_host(request, book, visit)
    forks.promote(book, visit.record)
    return _answered(book, visit.record)


@post("/matches/{match:str}/hide", **documented({200: Variation}, auth="host", problems=(400,)))
@in_thread
def hide(book: TheBook, visit: TheMatchAccess) -> Response[bytes]:
    """Hide a variation and its descendants from lists, trees and exports.

    The variation's host and the host of the analysed match may.
    """
    visit.host("hide a variation")
    forks.hide(book, visit.record)
    return _answered(book, visit.record)


@post("/matches/{match:str}/unhide", **documented({200: Variation}, auth="host", problems=(400,)))
@in_thread
def unhide(book: TheBook, visit: TheMatchAccess) -> Response[bytes]:
    """Show a variation again."""
    visit.host("show a variation")
    forks.unhide(book, visit.record)
    return _answered(book, visit.record)


@put("/matches/{match:str}/name", **documented({200: Variation}, body=Naming, auth="host"))
async def rename(request: AnyRequest, book: TheBook, visit: TheMatchAccess) -> Response[bytes]:
    """Rename a fork; an empty name removes its name."""
    visit.host("name a fork")
    body = await read(request, NAMING)

    def write() -> Response[bytes]:
        forks.rename(book, visit.record, body.name)
        return _answered(book, visit.record)

    return await asyncio.to_thread(write)


def _check_host(request: AnyRequest, book: Book, visit: MatchAccess) -> None:
    """Raise `Problem` 403 unless the caller is the host of the analysed match."""
    analysed = forks.played(book, visit.record)
    try:
        role = caller_of(request, book, analysed).role
    except Problem:  # the token belongs to the variation
        role = None
    if role != capability_tokens.HOST:
        raise Problem(403, f"only the host of {analysed.id}, which it analyses, may promote it")


def _answered(book: Book, record: MatchRecord) -> Response[bytes]:
    played = forks.played(book, record)
    body = Variation(
        record.id,
        played.id,
        forks.name_of(book, record.stream),
        visibility.is_hidden(book, record.stream),
        forks.promoted(book, played) == record.id,
    )
    return answer(body, headers=ASK_AGAIN)


ROUTER: Final = Router("/", route_handlers=[promote, hide, unhide, rename])
