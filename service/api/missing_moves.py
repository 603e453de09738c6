"""Search for forgotten moves: from the recorded position to the one on the table."""

from __future__ import annotations

from typing import Annotated, Final

from litestar import Response, Router, get
from litestar.params import FromQuery, QueryParameter
from msgspec import Struct

from replay.book import Book
from replay.corrections.missing_moves import Gap, SearchBounds, find_gap
from service.api.presenters import answer
from service.http.access import AnyRequest, TheMatchAccess
from service.http.caching import ASK_AGAIN
from service.http.problems import blaming
from service.models import responses
from service.openapi.operations import documented
from service.workers.pool import TheWorkers

BOUNDS: Final = SearchBounds(length=4, nodes=20_000, seconds=2.0)
"""Only those who may write can search, and only briefly: a search occupies a processor."""

COST: Final = 20
"""The cost of a search, in requests."""


class GapWay(Struct, frozen=True):
    """Tokens that lead to the position on the table; `alike` more ways differ only in the dice."""

    tokens: tuple[responses.Token, ...]
    position: str
    alike: int


class FoundGap(Struct, frozen=True):
    """The shortest ways from a ply to the position on the table, empty if none was found.

    All ways of up to `searched` events were tried; `stopped` names the limit, `nodes` or `seconds`,
    that ended the search early.
    """

    match: str
    version: responses.Version
    ply: responses.Ply
    ways: tuple[GapWay, ...]
    searched: int
    stopped: str | None


@get(
    "/matches/{match:str}/gap",
    **documented({200: FoundGap}, auth="writer", problems=(503,), sends=("ETag",)),
)
async def find_the_gap(
    request: AnyRequest,
    workers: TheWorkers,
    visit: TheMatchAccess,
    to: Annotated[
        str,
        QueryParameter(max_length=2000, description="The position; ? stands for what is unknown."),
    ],
    ply: FromQuery[int | None] = None,
) -> Response[bytes]:
    """Search the moves that lead from a ply of the record to the position on the table.

    The search covers up to four events and takes at most two seconds.
    """
    visit.writer()
    record, here = visit.record, visit.record.ply(ply)
    with blaming("to"):
        found = await workers.do(
            request, search_gap, record.id, record.match.version, here, to, cost=COST
        )
    ways = tuple(GapWay(way.tokens, way.position, way.alike) for way in found.ways)
    body = FoundGap(record.id, record.match.version, here, ways, found.searched, found.stopped)
    return answer(body, headers=ASK_AGAIN)


def search_gap(book: Book, match: str, version: int, ply: int, to: str) -> Gap:
    """Search from a ply of a match at a version."""
    return find_gap(book.open(match).at_version(version), ply, to, BOUNDS)


ROUTER: Final = Router("/", route_handlers=[find_the_gap])
