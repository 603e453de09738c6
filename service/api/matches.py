"""Matches: open one, show one at a version, put one into the trash, and open a rematch."""

from __future__ import annotations

import asyncio
from typing import Any, Final

from litestar import Response
from litestar.params import FromPath, FromQuery, JSONBody
from msgspec import Struct

from replay import registry
from replay.access import capability_tokens, operators, visibility
from replay.book import Book
from replay.drawing import svg
from replay.errors import AmbiguousMatch, Refused, UnknownMatch, Usage
from replay.reading import timeline
from replay.record.match_creation import MatchCredentials
from replay.record.match_record import MatchRecord
from replay.referee.opening import open_match, seat_count
from replay.referee.rematch import OpenedRematch, find_rematch, open_rematch
from replay.referee.scoresheet_pairs import check_pair, open_scoresheet
from replay.store.types import Stream
from replay.upkeep.purge import purge as purge_match
from service.api.creation import (
    HEADERS,
    create_match,
    create_scoresheets,
    creation_request,
    opening_body,
)
from service.api.presenters import Drawn, about, answer, current
from service.api.tags import check_tags
from service.app_state import TheAppState
from service.http.access import (
    ASK,
    KEPT,
    AnyRequest,
    Caller,
    TheBook,
    TheMatchAccess,
    evening_for,
    find_match,
    is_operator,
    own_key,
    visit_of,
)
from service.http.addresses import prefix
from service.http.book_reads import read_book, reads_book
from service.http.caching import ASK_AGAIN, address_headers
from service.http.cookies import check_origin
from service.http.preconditions import refusal
from service.http.problems import Problem, blaming
from service.http.rights import ANYBODY, HOST_OR_OPERATOR, WRITER, OfWriter
from service.models import responses
from service.models.requests import MatchOpening, VisibilityChange
from service.openapi.operations import delete, get, post, put

DIGITS: Final = 10
SEATS: Final = frozenset("123456789")


class RematchRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A request for a rematch; `swap` moves every player to the next seat.

    Example: {"swap": true}
    """

    swap: bool = False
    """Whether each player takes the next seat."""


class TrashState(Struct, frozen=True):
    """Whether a match is in the trash, and the matches that were deleted for good.

    `purged` has the match and its variations, if it was deleted for good; `remaining` has the
    forks of other people, which keep the events that they share with it. Until the next clean-up
    of the database file, bytes of erased texts may be in it, since `erasure_due`.
    """

    match: str
    trashed: bool
    """Whether the match is in the trash."""
    purged: tuple[str, ...] = ()
    """The matches that were deleted for good."""
    remaining: tuple[str, ...] = ()
    """The forks that stay, with the events they share with the deleted match."""
    erasure_due: int | None = None
    """Milliseconds since 1970; null if no clean-up is due."""


@post(
    "/matches",
    {201: responses.OpenedMatch},
    right=ANYBODY,
    problems=(401, 403, 409),
    headers=HEADERS,
    sends=("Location",),
)
async def open_a_match(
    request: AnyRequest, data: JSONBody[MatchOpening], live: TheAppState, scene: Drawn = False
) -> Response[bytes]:
    """Open a match; the answer contains a token for the host and one for each seat.

    A key of the caller's own, 20 to 200 characters in `Authorization: Bearer`, becomes a host's key
    of the match. With the token of an evening the match belongs to the newest evening of its link,
    or to `evening`; it gets the tags `Event`, `Round` and `Table`. 409 if the `Idempotency-Key`
    belongs to a different request.
    """
    if "authorization" in request.headers:  # pages of other sites may send it
        check_origin(request)
    players = {int(seat): name for seat, name in data.players.items() if seat in SEATS}
    if len(players) != len(data.players):
        raise Problem(400, "players go by seat number: {'1': 'Jet'}", path="$.players")
    options = {name: str(value) for name, value in data.options.items()}
    with blaming("$.game"):
        game = registry.find(data.game)
    count = seat_count(game, data.seats, players)
    check_tags(live.settings, count, data.tags)
    evening = await read_book(live.book, lambda: evening_for(request, live.book, data.evening))
    if evening is None:
        key = await read_book(live.book, lambda: own_key(request, live.book))
    else:
        key = evening.digest
    apart = data.scoresheets == "each"
    this = creation_request(request, opening_body(data))._replace(
        key=key, viewers=data.invite and data.visibility == visibility.PRIVATE and not apart
    )
    how: dict[str, Any] = {
        "players": players,
        "seats": data.seats,
        "options": options,
        "dice": data.dice,
        "clock": data.clock,
        "legal": data.legal,
        "tries": data.tries,
        "comments": data.comments,
        "tags": data.tags,
    }

    def create(credentials: MatchCredentials) -> MatchRecord:
        more = {"unjudged": data.unjudged, "shown": data.visibility, "evening": evening}
        return open_match(live.book, game, **how | more, credentials=credentials)

    def create_apart(seat: int, other: str, credentials: MatchCredentials) -> MatchRecord:
        return open_scoresheet(live.book, game, seat, other, **how, credentials=credentials)

    if apart:
        with blaming("$.scoresheets"):
            check_pair(game, count)
        if evening is not None:
            wrong = "whoever has the link of an evening reads its matches; use one scoresheet there"
            raise Problem(400, wrong, path="$.scoresheets")
        return await create_scoresheets(request, live, this, create_apart, invite=data.invite)
    return await create_match(request, live, this, count, create, invite=data.invite, scene=scene)


@get("/matches/{match:str}", {200: responses.Standing}, sends=("ETag",), opt=KEPT)
@reads_book
def show_match(
    book: TheBook,
    visit: TheMatchAccess,
    ply: FromQuery[int | None] = None,
    version: FromQuery[int | None] = None,
    scene: Drawn = False,
) -> Response[bytes]:
    """Show the state of play of a match, now or at a ply and a version, in the caller's view."""
    record = visit.at(version)
    body = about(book, visit, record, record.ply(ply), scene=scene)
    return answer(body, headers=current(visit.record))


@put(
    "/matches/{match:str}/visibility",
    {200: responses.Standing},
    right=OfWriter("decide who may read the match"),
    sends=("ETag",),
)
def show_to(
    data: JSONBody[VisibilityChange], book: TheBook, visit: TheMatchAccess, scene: Drawn = False
) -> Response[bytes]:
    """Set the visibility of a match: for all, for holders of its address, or for invited people."""
    record = visit.record
    visibility.set_visibility(book, record, data.visibility)
    body = about(book, visit, record, record.ply(), scene=scene)
    return answer(body, headers=current(record))


@get(
    "/matches/{match:str}/board/{version:int}/{picture:str}",
    {200: "image/svg+xml"},
    sends=("ETag",),
)
@reads_book
def draw_board(
    visit: TheMatchAccess, version: FromPath[int], picture: FromPath[str]
) -> Response[bytes]:
    """Draw the position at an address, `{version}/{ply}.svg`, as the caller may see it."""
    number, _, ending = picture.partition(".")
    if ending != "svg" or not (number.isascii() and number.isdecimal() and len(number) < DIGITS):
        raise Problem(404, "name a picture by its ply: 12.svg")
    then = visit.at(version)
    ply = then.ply(int(number))
    drawn = svg.draw(timeline.point(then, ply, visit.viewer).scene, title=then.game.name)
    return Response(
        drawn.encode(), media_type="image/svg+xml", headers=address_headers(visit, then, ply)
    )


@delete("/matches/{match:str}", {200: TrashState}, right=HOST_OR_OPERATOR, problems=(409,))
def put_away(
    request: AnyRequest,
    book: TheBook,
    match: FromPath[str],
    purge: FromQuery[bool] = False,
    variations: FromQuery[bool] = False,
) -> Response[bytes]:
    """Move a match to the trash: it is hidden from everybody, and its host can restore it.

    An operator can also restore it, and deletes a match for good with `purge`, with `variations`
    also its own variations. 409 for a purge without `variations` of a match that has some.
    """
    if variations and not purge:
        raise Problem(400, "variations needs purge", path="variations")
    if is_operator(request, book):
        return _put_away_any(book, book.find_by_id(match), purge, variations)
    found = visit_of(request, book, find_match(book, match))
    found.host("delete the match")
    if purge:
        raise Problem(403, "only an operator may delete a match for good")
    book.store.trash(found.record.stream.id).result()
    return answer(TrashState(match, True), headers=ASK_AGAIN)


@post("/matches/{match:str}/restore", {200: TrashState}, right=HOST_OR_OPERATOR)
def restore(request: AnyRequest, book: TheBook, match: FromPath[str]) -> Response[bytes]:
    """Restore a match from the trash. 403 for a host if an operator put it there."""
    if is_operator(request, book):
        operators.trash(book, book.find_by_id(match), False)
    else:
        operators.restore_as_host(book, _find_as_host(request, book, match))
    return answer(TrashState(match, False), headers=ASK_AGAIN)


@post(
    "/matches/{match:str}/rematch",
    {200: OpenedRematch, 409: responses.Refusal},
    right=WRITER,
    sends=("Location",),
)
async def play_again(
    request: AnyRequest, data: JSONBody[RematchRequest], live: TheAppState, visit: TheMatchAccess
) -> Response[bytes]:
    """Open the rematch of a match that is over; a second request gets the same rematch.

    Every token of the match opens the rematch too: for its holder's seat, or with `swap` the next.
    Followers of the match get a message.
    """
    author, book = visit.caller, live.book

    def make() -> OpenedRematch:
        try:
            return open_rematch(book, visit.record, seat=author.seat, swap=data.swap)
        except Refused as error:
            raise refusal(book, visit, error, None) from None

    made = await asyncio.to_thread(lambda: find_rematch(book, visit.record))
    if made is None:
        with live.limits.opening(request):
            made = await asyncio.to_thread(make)
    headers = {"Location": f"{prefix()}/matches/{made.match}", "Cache-Control": "no-store"}
    return answer(made, headers=headers)


def _put_away_any(book: Book, stream: Stream, purge: bool, variations: bool) -> Response[bytes]:
    """Put any match away, even a trashed or damaged match: only its stream is read."""
    if not purge:
        operators.trash(book, stream)
        return answer(TrashState(stream.public_id, True), headers=ASK_AGAIN)
    try:
        gone = purge_match(book, stream, variations=variations)
    except Usage as error:
        raise Problem(409, str(error)) from None
    purged = (gone.match, *gone.variations)
    due = book.store.erasure_due()
    return answer(TrashState(gone.match, False, purged, gone.left, due), headers=ASK_AGAIN)


def _find_as_host(request: AnyRequest, book: Book, match: str) -> Stream:
    """Return a match that the caller is the host of. Raises `Problem` and `UnknownMatch`."""
    caller = Caller()
    try:
        record = book.read(book.find_by_id(match))
        caller = _caller(request, book, record)
    except (UnknownMatch, AmbiguousMatch):
        # Without a token a trashed match gets the same answer as an unknown one.
        if "authorization" in request.headers:
            raise
    if caller.role is None and caller.account is None:
        raise Problem(401, "restoring a match needs the host's token", headers=ASK)
    if caller.role != capability_tokens.HOST:
        raise Problem(403, "only the host may restore the match")
    return record.stream


def _caller(request: AnyRequest, book: Book, record: MatchRecord) -> Caller:
    """Return the caller. Raises `UnknownMatch` for callers without a role in the trash."""
    try:
        caller = visit_of(request, book, record).caller
    except Problem as problem:
        if problem.status != 401 or not record.stream.trashed:
            raise
        caller = Caller()
    if caller.role is None and record.stream.trashed:
        raise UnknownMatch(record.id)
    return caller
