"""Rematches: play once more with the same people, whose tokens open it too."""

from __future__ import annotations

import asyncio
from typing import Final

import msgspec
from litestar import Response, Router, post
from msgspec import Struct

from replay.errors import Refused
from replay.referee.rematch import Rematch, find_rematch, open_rematch
from service.api.presenters import answer
from service.http.access import AnyRequest, TheBook, TheMatchAccess
from service.http.limits import TheLimits
from service.http.preconditions import refusal
from service.models import responses
from service.models.requests import Rematching, read
from service.openapi.operations import documented

REMATCHING: Final = msgspec.json.Decoder(Rematching)


class OpenedRematch(Struct, frozen=True):
    """The rematch of a match, and the seat that wanted it; null for the host."""

    match: str
    by: responses.Seat | None
    swapped: bool


@post(
    "/matches/{match:str}/rematch",
    **documented(
        {200: OpenedRematch, 409: responses.Refusal},
        body=Rematching,
        auth="writer",
        sends=("Location",),
    ),
)
async def play_again(
    request: AnyRequest, book: TheBook, limits: TheLimits, visit: TheMatchAccess
) -> Response[bytes]:
    """Open the rematch of a match that is over; whoever asks again gets the same one.

    Every token of the match opens the rematch too: for its holder's seat, or with `swap` the next.
    Followers of the match are told.
    """
    author = visit.writer()
    body = await read(request, REMATCHING)

    def make() -> Rematch:
        try:
            return open_rematch(book, visit.record, seat=author.seat, swap=body.swap)
        except Refused as error:
            raise refusal(book, visit.record, error, None) from None

    made = await asyncio.to_thread(lambda: find_rematch(book, visit.record))
    if made is None:
        with limits.opening(request):
            made = await asyncio.to_thread(make)
    headers = {"Location": f"/matches/{made.match}", "Cache-Control": "no-store"}
    return answer(OpenedRematch(made.match, made.by, made.swapped), headers=headers)


ROUTER: Final = Router("/", route_handlers=[play_again])
