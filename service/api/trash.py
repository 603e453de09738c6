"""The trash: a host or an operator puts a match there, and an operator deletes it for good."""

from __future__ import annotations

from typing import Final

from litestar import Response, Router, delete, post
from litestar.params import FromPath, FromQuery
from msgspec import Struct

from replay.access import capability_tokens
from replay.book import Book
from replay.errors import AmbiguousMatch, UnknownMatch, Usage
from replay.record.match_record import MatchRecord
from replay.store.protocol import Stream
from replay.upkeep.purge import purge as purge_match
from service.api.presenters import answer
from service.http.access import (
    ASK,
    AnyRequest,
    TheBook,
    caller_of,
    find_match,
    is_operator,
    visit_of,
)
from service.http.book_reads import in_thread
from service.http.caching import ASK_AGAIN
from service.http.problems import Problem
from service.openapi.operations import documented


class Trashed(Struct, frozen=True):
    """Whether a match is in the trash, and what was deleted for good.

    `purged` has the match and its variations, if it was deleted for good; `remaining` has the
    forks of other people, which keep the events that they share with it.
    """

    match: str
    trashed: bool
    purged: tuple[str, ...] = ()
    remaining: tuple[str, ...] = ()


@delete(
    "/matches/{match:str}",
    **documented({200: Trashed}, auth="host or operator", problems=(409,)),
)
@in_thread
def put_away(
    request: AnyRequest,
    book: TheBook,
    match: FromPath[str],
    purge: FromQuery[bool] = False,
    variations: FromQuery[bool] = False,
) -> Response[bytes]:
    """Move a match to the trash: it is hidden from everybody, and its host can restore it.

    An operator can also restore it, and deletes a match for good with `purge`, with `variations`
    also its own variations. 409 if it has some, and they are not to be deleted.
    """
    if variations and not purge:
        raise Problem(400, "variations goes with purge", path="variations")
    if is_operator(request, book):
        return _put_away_any(book, book.find_by_id(match), purge, variations)
    found = visit_of(request, book, find_match(book, match))
    found.host("delete the match")
    if purge:
        raise Problem(403, "only an operator may delete a match for good")
    book.store.trash(found.record.stream.id).result()
    return answer(Trashed(match, True), headers=ASK_AGAIN)


@post("/matches/{match:str}/restore", **documented({200: Trashed}, auth="host or operator"))
@in_thread
def restore(request: AnyRequest, book: TheBook, match: FromPath[str]) -> Response[bytes]:
    """Restore a match from the trash."""
    if is_operator(request, book):
        stream = book.find_by_id(match)
    else:
        stream = _find_as_host(request, book, match)
    book.store.trash(stream.id, False).result()
    return answer(Trashed(match, False), headers=ASK_AGAIN)


def _put_away_any(book: Book, stream: Stream, purge: bool, variations: bool) -> Response[bytes]:
    """Put any match away, also one in the trash; only its stream is read, so it may be damaged."""
    if not purge:
        book.store.trash(stream.id).result()
        return answer(Trashed(stream.public_id, True), headers=ASK_AGAIN)
    try:
        gone = purge_match(book, stream, variations=variations)
    except Usage as error:
        raise Problem(409, str(error)) from None
    purged = (gone.match, *gone.variations)
    return answer(Trashed(gone.match, False, purged, gone.left), headers=ASK_AGAIN)


def _find_as_host(request: AnyRequest, book: Book, match: str) -> Stream:
    """Return a match that the caller is the host of. Raises `Problem` and `UnknownMatch`."""
    try:
        record = book.read(book.find_by_id(match))
        role = _role(request, book, record)
    except (UnknownMatch, AmbiguousMatch):
        # Without a token a trashed match gets the same answer as an unknown one.
        if "authorization" in request.headers:
            raise
        role = None
    if role is None:
        raise Problem(401, "restoring a match needs the host's token", headers=ASK)
    if role != capability_tokens.HOST:
        raise Problem(403, "only the host may restore the match")
    return record.stream


def _role(request: AnyRequest, book: Book, record: MatchRecord) -> str | None:
    """Return the caller's role. Raises `UnknownMatch` for any other token of a trashed match."""
    try:
        return caller_of(request, book, record).role
    except Problem as problem:
        if problem.status == 401 and record.stream.trashed:
            raise UnknownMatch(record.id) from None
        raise


ROUTER: Final = Router("/", route_handlers=[put_away, restore])
