"""Analyse a match: search its positions in worker processes, and comment on them."""

from __future__ import annotations

import asyncio
import math
from typing import Annotated, Final

from litestar import Response
from litestar.params import JSONBody
from msgspec import Meta, Struct

from replay.annotations.current import current_notes
from replay.book import Book
from replay.programs import evaluations
from replay.programs.evaluations import Effort, Evaluation
from replay.reading.curve import read_point
from replay.record.match_record import MatchRecord
from service.api.annotations import check_room
from service.api.presenters import answer
from service.app_state import AppState, TheAppState
from service.http.access import AnyRequest, MatchAccess, TheMatchAccess
from service.http.caching import ASK_AGAIN
from service.http.problems import Problem, blaming
from service.http.rights import WRITER
from service.models import responses
from service.models.requests import Ply
from service.openapi.operations import post

COST: Final = 20
"""The cost of a second of search, in requests: the default limit allows a constant search."""
GIVES_ADVICE: Final = "an analysis gives advice, so before the end only the host may ask for it"
WITHHELD: Final = "this match withholds its legal moves, so it is analysed after its end"

Percent = Annotated[int, Meta(ge=0, le=100, description="Percent for seat 1; 50 is a draw.")]


class AnalysisRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """The position after a ply, and how many seconds to search it.

    Example: {"ply": 1, "seconds": 0.5}
    """

    ply: Ply
    """The ply after which the position is searched."""
    seconds: Annotated[float, Meta(ge=0.1, le=10)] = 1.0
    """How long to search."""


class AnalysedPly(Struct, frozen=True):
    """The search of the position after a ply; `value` and `playouts` are null without a result.

    `comment` is the comment there by the author `analysis`, null at the end of a match.
    """

    match: str
    version: responses.Version
    ply: responses.Ply
    comment: str | None
    """The new comment of the author `analysis`."""
    value: Percent | None
    """The chances of seat 1, in percent."""
    playouts: int | None
    """The random continuations that were played."""


@post("/matches/{match:str}/analysis", {200: AnalysedPly}, right=WRITER, problems=(409, 503))
async def analyse_ply(
    request: AnyRequest, data: JSONBody[AnalysisRequest], live: TheAppState, visit: TheMatchAccess
) -> Response[bytes]:
    """Search the position after a ply, and replace the comment of `analysis` on it.

    The search knows a spectator's view, and the hidden moves that the seat in turn had seen. The
    search ends if the client disconnects.
    """
    _check_allowed(visit)
    record = visit.record
    ply = record.ply(data.ply)
    evaluations.check_searchable(record.match)
    with blaming("ply"):
        found = await live.analysts.do(
            request,
            search_ply,
            record.id,
            record.match.version,
            ply,
            data.seconds,
            cost=math.ceil(COST * data.seconds),
        )
    if found is not None:
        await asyncio.to_thread(_write, live, record, found)
    return answer(_describe(record, ply, found), headers=ASK_AGAIN)


def search_ply(book: Book, match: str, version: int, ply: int, seconds: float) -> Evaluation | None:
    """Search the position after a ply of a match at a version; `None` at the end of a match."""
    asked = evaluations.question(book.open(match).at_version(version), ply)
    return None if asked is None else evaluations.evaluate_one(Effort(seconds), asked)


def _check_allowed(visit: MatchAccess) -> None:
    """Raise `Problem` unless the caller may know the result of a search."""
    if not visit.may_analyse and visit.record.header.legal == "withheld":
        raise Problem(409, WITHHELD, "hidden")
    if not visit.may_analyse:
        raise Problem(403, GIVES_ADVICE)


def _write(live: AppState, record: MatchRecord, found: Evaluation) -> None:
    check_room(live.settings, current_notes(live.book, record))
    evaluations.write(live.book, record, [found])


def _describe(record: MatchRecord, ply: int, found: Evaluation | None) -> AnalysedPly:
    words = found.words() if found else None
    point = read_point(ply, words) if words else None
    return AnalysedPly(
        record.id,
        record.match.version,
        ply,
        words,
        point.value if point else None,
        found.found.playouts if found and found.found else None,
    )
