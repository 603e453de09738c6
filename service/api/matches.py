"""Open a match, and show it as it stands or stood."""

from __future__ import annotations

import asyncio
from typing import Final

import msgspec
from litestar import Response, Router, get, post, put
from litestar.params import FromPath, FromQuery

from replay import registry
from replay.access import visibility
from replay.drawing import svg
from replay.reading import timeline
from replay.record.match_creation import MatchCredentials
from replay.record.match_record import MatchRecord
from replay.referee.opening import open_match, seat_count
from service.api.creation import HEADERS, create_match, creation_request, opening_body
from service.api.presenters import about, answer, current
from service.api.tags import check_tags
from service.http.access import (
    AnyRequest,
    TheBook,
    TheMatchAccess,
    TheSettings,
    check_origin,
    own_key,
)
from service.http.book_reads import read_book, reads_book
from service.http.caching import address_headers
from service.http.limits import TheLimits
from service.http.problems import Problem, blaming
from service.models import responses
from service.models.requests import Opening, Showing, read
from service.openapi.operations import documented

OPENING: Final = msgspec.json.Decoder(Opening)
SHOWING: Final = msgspec.json.Decoder(Showing)


@post(
    "/matches",
    **documented(
        {201: responses.Opened},
        body=Opening,
        auth="anybody",
        problems=(409,),
        headers=HEADERS,
        sends=("Location",),
    ),
)
async def open_a_match(
    request: AnyRequest, book: TheBook, settings: TheSettings, limits: TheLimits
) -> Response[bytes]:
    """Open a match; the answer contains a token for the host and one for each seat.

    A key of the caller's own, 20 to 200 characters in `Authorization: Bearer`, becomes a host's key
    of the match. 409 if the `Idempotency-Key` belongs to a different request.
    """
    if "authorization" in request.headers:  # pages of other sites may send it
        check_origin(request)
    opening = await read(request, OPENING)
    players = {int(seat): name for seat, name in opening.players.items() if seat in SEATS}
    if len(players) != len(opening.players):
        raise Problem(400, "players go by seat number: {'1': 'Jet'}", path="$.players")
    options = {name: str(value) for name, value in opening.options.items()}
    with blaming("$.game"):
        game = registry.find(opening.game)
    count = seat_count(game, opening.seats, players)
    check_tags(settings, count, opening.tags)
    key = await read_book(book, lambda: own_key(request, book))
    this = creation_request(request, opening_body(opening))._replace(
        key=key, viewers=opening.invite and opening.visibility == visibility.PRIVATE
    )

    def create(credentials: MatchCredentials) -> MatchRecord:
        return open_match(
            book,
            game,
            players=players,
            seats=opening.seats,
            options=options,
            dice=opening.dice,
            clock=opening.clock,
            quiet=opening.quiet,
            shown=opening.visibility,
            tags=opening.tags,
            credentials=credentials,
        )

    return await create_match(request, book, limits, this, count, create, invite=opening.invite)


@get("/matches/{match:str}", **documented({200: responses.Standing}, sends=("ETag",)))
@reads_book
def show_match(
    book: TheBook,
    visit: TheMatchAccess,
    ply: FromQuery[int | None] = None,
    version: FromQuery[int | None] = None,
) -> Response[bytes]:
    """Show how a match stands, or stood at a ply and a version, as the caller may see it."""
    record = visit.at(version)
    body = about(book, visit, record, record.ply(ply))
    return answer(body, headers=current(visit.record))


@put(
    "/matches/{match:str}/visibility",
    **documented({200: responses.Standing}, body=Showing, auth="host", sends=("ETag",)),
)
async def show_to(request: AnyRequest, book: TheBook, visit: TheMatchAccess) -> Response[bytes]:
    """Set who may find and read a match: everybody, those with its address, or those invited."""
    visit.host("decide who may read the match")
    showing = await read(request, SHOWING)
    record = visit.record

    def write() -> responses.Standing:
        visibility.set_visibility(book, record, showing.visibility)
        return about(book, visit, record, record.ply())

    return answer(await asyncio.to_thread(write), headers=current(record))


@get(
    "/matches/{match:str}/board/{version:int}/{picture:str}",
    **documented({200: "image/svg+xml"}, sends=("ETag",)),
)
async def draw_board(
    visit: TheMatchAccess, version: FromPath[int], picture: FromPath[str]
) -> Response[bytes]:
    """Draw the position at an address, `{version}/{ply}.svg`, as the caller may see it."""
    number, _, ending = picture.partition(".")
    if ending != "svg" or not (number.isascii() and number.isdecimal() and len(number) < DIGITS):
        raise Problem(404, "a picture is named by its ply: 12.svg")
    then = visit.at(version)
    ply = then.ply(int(number))
    drawn = svg.draw(timeline.point(then, ply, visit.viewer).scene, title=then.game.name)
    return Response(
        drawn.encode(), media_type="image/svg+xml", headers=address_headers(visit, then, ply)
    )


DIGITS: Final = 10
SEATS: Final = frozenset("123456789")

ROUTER: Final = Router("/", route_handlers=[open_a_match, show_match, show_to, draw_board])
