"""Judge a free board by the rules of a game, over HTTP."""

from __future__ import annotations

from typing import Annotated

from litestar import Response
from litestar.params import QueryParameter

from domain.names import UNNAMED
from replay import registry
from replay.book import Book
from replay.errors import Usage
from replay.referee.judged_as import JudgedAs, judge_as
from service.api.exports import PLIES
from service.api.presenters import answer
from service.app_state import TheAppState
from service.http.access import AnyRequest, TheMatchAccess
from service.http.book_reads import read_book
from service.http.caching import ASK_AGAIN
from service.http.problems import Problem
from service.openapi.operations import get


@get("/matches/{match:str}/judged", {200: JudgedAs}, problems=(503,), sends=("ETag",))
async def judge_free_board(
    request: AnyRequest,
    live: TheAppState,
    visit: TheMatchAccess,
    game: Annotated[str, QueryParameter(name="as", description="The game that judges.")],
) -> Response[bytes]:
    """Judge a match of a free board by a game, and name the first ply that breaks its rules.

    `moves` are the moves before that ply in the notation of the game; `broken` is null if no ply
    breaks a rule. Nothing is stored.
    """
    record = visit.record
    try:
        ruleset = registry.find(game).ruleset
    except Usage as error:
        raise Problem(404, str(error)) from None
    version = await read_book(live.book, live.book.store.data_version)
    verdict = await live.workers.do(
        request,
        judged,
        (record.id, ruleset),
        cost=1 + record.match.version // PLIES,
        key=("judged", record.id, ruleset, version),
    )
    return answer(verdict, headers=ASK_AGAIN)


def judged(book: Book, asked: tuple[str, str]) -> JudgedAs:
    """Judge a match by its id and a ruleset. Raises `Usage`."""
    match, ruleset = asked
    return judge_as(book.open(match).match, registry.find(ruleset), UNNAMED)
