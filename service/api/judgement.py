"""Judge a match whose moves were only taken down."""

from __future__ import annotations

from typing import Final

import msgspec
from litestar import Response, Router, get, post
from msgspec import Struct

from replay.record.match_record import MatchRecord
from replay.referee.unjudged import BrokenPly, first_broken, plan_judgement
from replay.tags.names import names_of
from service.api.log_writes import HEADERS, LogWrite
from service.api.presenters import answer, current
from service.http.access import AnyRequest, TheBook, TheMatchAccess, TheSettings
from service.http.book_reads import reads_book
from service.models import responses
from service.models.requests import JudgingMatch, read
from service.openapi.operations import documented

JUDGING: Final = msgspec.json.Decoder(JudgingMatch)


class MatchJudgement(Struct, frozen=True):
    """Whether the moves of a match are `judged`, and the first that breaks a rule, if any does."""

    match: str
    version: responses.Version
    plies: responses.Plies
    judged: bool
    broken: BrokenPly | None


@post(
    "/matches/{match:str}/judgement",
    **documented(
        {200: MatchJudgement, 409: responses.Refusal, 412: responses.Stale},
        body=JudgingMatch,
        auth="host",
        headers=HEADERS,
        sends=("ETag",),
    ),
)
async def judge_match(
    request: AnyRequest, book: TheBook, settings: TheSettings, visit: TheMatchAccess
) -> Response[bytes]:
    """Judge the moves of a quiet match, once, and name the first that breaks a rule.

    Amend that one, and the later ones are judged again. 409 for a fork of a match that is not
    judged yet.
    """
    visit.host("judge the moves")
    body = await read(request, JUDGING)
    write = LogWrite(request, book, settings, visit, body.expected)
    return await write.log(lambda now: plan_judgement(book, now), lambda now: _judgement(book, now))


@get("/matches/{match:str}/judgement", **documented({200: MatchJudgement}, sends=("ETag",)))
@reads_book
def read_judgement(book: TheBook, visit: TheMatchAccess) -> Response[bytes]:
    """Name the first move that breaks a rule, if the moves are judged."""
    record = visit.record
    return answer(_judgement(book, record), headers=current(record))


def _judgement(book: TheBook, record: MatchRecord) -> MatchJudgement:
    match, judged = record.match, not record.match.start.quiet
    broken = first_broken(match, names_of(book, record)) if judged else None
    return MatchJudgement(record.id, match.version, len(match.line), judged, broken)


ROUTER: Final = Router("/", route_handlers=[judge_match, read_judgement])
