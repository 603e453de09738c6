"""Corrections by the host: amend, set the position, rule; and the position as text."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final

import msgspec
from litestar import Response, Router, get, post
from litestar.params import FromQuery
from msgspec import Struct, structs

from domain.events import Ruled
from domain.match import LogEvent
from replay.book import Book
from replay.corrections import adjustments, amendments
from replay.errors import Refused
from replay.record.match_record import MatchRecord
from replay.tags.names import names_of
from service.api.log_writes import HEADERS, LogWrite
from service.api.presenters import answer, current
from service.api.takebacks import STANDING
from service.http.access import AnyRequest, TheBook, TheMatchAccess, TheSettings
from service.http.preconditions import refusal
from service.http.problems import Problem, blaming
from service.models import responses
from service.models.requests import Adjusting, Amending, Ruling, read
from service.openapi.operations import documented

AMENDING: Final = msgspec.json.Decoder(Amending)
ADJUSTING: Final = msgspec.json.Decoder(Adjusting)
RULING: Final = msgspec.json.Decoder(Ruling)


class AmendmentResult(amendments.AmendmentReport, frozen=True):
    """The result of an amendment: `stood` later events remain, `fell` were cut, from `first` on.

    `was` is the token that stood at the ply, `tokens` replace it or precede it. `stored` is false
    after a dry run.
    """

    match: str
    stored: bool
    version: responses.Version
    plies: responses.Plies


class PositionText(Struct, frozen=True):
    """The position after a ply in the game's own text form."""

    match: str
    version: responses.Version
    ply: responses.Ply
    position: str


@post(
    "/matches/{match:str}/amendments",
    **documented(
        {200: AmendmentResult, 409: responses.Refusal, 412: responses.Stale},
        body=Amending,
        auth="host",
        headers=HEADERS,
        sends=("ETag",),
    ),
)
async def amend(
    request: AnyRequest,
    book: TheBook,
    settings: TheSettings,
    visit: TheMatchAccess,
    dry_run: FromQuery[bool] = False,
) -> Response[bytes]:
    """Replace, insert or delete an event of the line, and report which later events stand.

    Several tokens, like a forgotten round, are played there one after the other. With `dry_run`
    nothing is stored. Later events that no longer stand are cut from the line; the log keeps them.
    """
    visit.host("amend")
    body = await read(request, AMENDING)
    if bool(body.tokens) == (body.how == "deleted"):
        wrong = "tokens are given to replace or insert, and only then"
        raise Problem(400, wrong, path="$.tokens")

    write = LogWrite(request, book, settings, visit, body.expected)
    if dry_run:
        return answer(await asyncio.to_thread(lambda: _rehearsed(book, write.check(), body)))
    made = list[amendments.Correction]()

    def make(record: MatchRecord) -> Sequence[LogEvent]:
        made.append(_correction(record, body))
        return made[-1].edits

    def report(after: MatchRecord) -> AmendmentResult:
        # A retry amends again at the original version; the last amendment is the stored one.
        return _amendment(after, made[-1].report(names_of(book, after)), stored=True)

    return await write.log(make, report)


@post(
    "/matches/{match:str}/adjustments",
    **documented(STANDING, body=Adjusting, auth="host", headers=HEADERS, sends=("ETag",)),
)
async def adjust(
    request: AnyRequest, book: TheBook, settings: TheSettings, visit: TheMatchAccess
) -> Response[bytes]:
    """Set the position as it is on the table, whatever the rules say, for a reason."""
    visit.host("set the position")
    body = await read(request, ADJUSTING)

    def set_up(record: MatchRecord) -> Sequence[LogEvent]:
        with blaming("$.reason"):
            return [adjustments.adjustment(book, record, body.position, body.reason)]

    write = LogWrite(request, book, settings, visit, body.expected)
    return await write.standing(set_up)


@post(
    "/matches/{match:str}/rulings",
    **documented(STANDING, body=Ruling, auth="host", headers=HEADERS, sends=("ETag",)),
)
async def rule(
    request: AnyRequest, book: TheBook, settings: TheSettings, visit: TheMatchAccess
) -> Response[bytes]:
    """End the match: a seat won, it is drawn, or it is abandoned."""
    visit.host("rule")
    body = await read(request, RULING)
    if not body.reason.isprintable():
        raise Problem(400, "a reason is one line that can be printed", path="$.reason")
    event = Ruled(body.result, body.winner, body.reason.strip())
    write = LogWrite(request, book, settings, visit, body.expected)
    return await write.standing(lambda _: [event])


@get("/matches/{match:str}/position", **documented({200: PositionText}, sends=("ETag",)))
async def write_position(
    visit: TheMatchAccess, ply: FromQuery[int | None] = None, version: FromQuery[int | None] = None
) -> Response[bytes]:
    """Write the position after a ply as text; 400 if anything is sealed."""
    then = visit.at(version)
    here = then.ply(ply)
    text = adjustments.write_position_at(then, here)
    body = PositionText(then.id, then.match.version, here, text)
    return answer(body, headers=current(visit.record))


def _correction(record: MatchRecord, body: Amending) -> amendments.Correction:
    if body.how == "deleted":
        return amendments.plan_deletion(record, body.ply)
    change = amendments.plan_replacement if body.how == "replaced" else amendments.plan_insertion
    return change(record, body.ply, *body.tokens)


def _rehearsed(book: Book, record: MatchRecord, body: Amending) -> AmendmentResult:
    try:
        report = _correction(record, body).report(names_of(book, record))
    except Refused as error:
        raise refusal(book, record, error, None) from None
    return _amendment(record, report, stored=False)


def _amendment(
    record: MatchRecord, report: amendments.AmendmentReport, *, stored: bool
) -> AmendmentResult:
    match = record.match
    return AmendmentResult(
        **structs.asdict(report),
        match=record.id,
        stored=stored,
        version=match.version,
        plies=len(match.line),
    )


ROUTER: Final = Router("/", route_handlers=[amend, adjust, rule, write_position])
