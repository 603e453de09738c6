"""Corrections: take back, redo, amend, set the position, rule; and the position as text."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Annotated, Literal

from litestar import Response
from litestar.params import FromQuery, JSONBody
from msgspec import Meta, Struct, structs

from domain.events import Ruled
from domain.log_edits import TakebackAsked, TakebackDeclined, TakenBack
from domain.match import LogEvent
from domain.position import Violation
from replay.book import Book
from replay.corrections import adjustments, amendments
from replay.corrections.takebacks import plan_redo
from replay.errors import Refused
from replay.fields import Seat
from replay.record.match_record import MatchRecord
from replay.tags.names import names_of, seats
from replay.texts import check_text
from service.api.log_writes import begin, begin_dry_run
from service.api.presenters import Drawn, answer, current
from service.http.access import AnyRequest, MatchAccess, TheMatchAccess
from service.http.book_reads import reads_book
from service.http.caching import JSONAnswer
from service.http.problems import Problem, blaming
from service.http.rights import TO_LOG, ToLog
from service.models import responses
from service.models.requests import Ply, PositionAdjustment, Reason, Version, Written
from service.openapi.operations import get, post


class LineTakeback(Struct, frozen=True, forbid_unknown_fields=True):
    """A request to cut the line back to a ply, at the `expected` version.

    Example: {"ply": 0}
    """

    ply: Ply
    expected: Version | None = None


class TakebackAnswer(Struct, frozen=True, forbid_unknown_fields=True):
    """The answer to a take-back request. The host may name the `seat` that gives it.

    Example: {"grant": true}
    """

    grant: bool
    """Whether the take-back is granted."""
    seat: Seat | None = None
    expected: Version | None = None


class RedoRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A request to enter again the event that was taken back last.

    Example: {}
    """

    expected: Version | None = None


class LineAmendment(Struct, frozen=True, forbid_unknown_fields=True):
    """An amendment: replace an event of the line, insert events before it, or delete it.

    Example: {"ply": 1, "how": "replaced", "texts": ["M@c1"]}
    """

    ply: Ply
    how: Literal["replaced", "inserted", "deleted"]
    """The kind of amendment."""
    texts: Annotated[tuple[Written, ...], Meta(max_length=100)] = ()
    """The texts that replace the event or are inserted before it."""
    expected: Version | None = None


class Ruling(Struct, frozen=True, forbid_unknown_fields=True):
    """A ruling that ends the match: seat `winner` won, it is drawn, or it is abandoned.

    Example: {"result": "drawn", "reason": "the last train leaves"}
    """

    result: Literal["won", "drawn", "abandoned"]
    """How the ruling ends the match."""
    winner: Seat | None = None
    """The seat that has won."""
    reason: Reason = ""
    """The reason, for the record."""
    expected: Version | None = None


class AmendmentResult(amendments.AmendmentReport, frozen=True):
    """The result of an amendment: `stood` later events remain, `fell` were cut, from `first` on.

    `was` is the former text of the ply, `texts` replace it or precede it. `stored` is false after
    a dry run.
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


@post("/matches/{match:str}/takeback", {200: responses.Standing}, right=TO_LOG)
async def take_back(
    request: AnyRequest, data: JSONBody[LineTakeback], scene: Drawn = False
) -> JSONAnswer:
    """Take back to a ply. The host cuts the line at once; a seat asks the others.

    A seat's request lapses with the next event. The log keeps the events taken back.
    """
    write = begin(request, data)
    ply = write.body.ply

    def make(access: MatchAccess) -> Sequence[LogEvent]:
        seat = access.caller.seat
        return [TakenBack(ply) if seat is None else TakebackAsked(seat, ply)]

    return await write.standing(make, scene)


@post("/matches/{match:str}/takeback/answer", {200: responses.Standing}, right=TO_LOG)
async def answer_takeback(
    request: AnyRequest, data: JSONBody[TakebackAnswer], scene: Drawn = False
) -> JSONAnswer:
    """Grant or decline another seat's request to take back. One seat's answer is enough.

    The host answers for a seat, by default for the first seat that did not make the request.
    """
    write = begin(request, data)
    body = write.body

    def make(access: MatchAccess) -> Sequence[LogEvent]:
        own = access.caller.seat
        if own is not None and body.seat not in (None, own):
            raise Problem(403, f"this token is for seat {own}", path="$.seat")
        return [_given(access.record, own or body.seat, body.grant)]

    return await write.standing(make, scene)


@post("/matches/{match:str}/redo", {200: responses.Standing}, right=TO_LOG)
async def redo(
    request: AnyRequest, data: JSONBody[RedoRequest], scene: Drawn = False
) -> JSONAnswer:
    """Enter again the next event that was taken back, unless any other event was entered since.

    After a correction, enter the next event that fell and is legal now. The holder of a seat enters
    its own events again.
    """
    write = begin(request, data)
    return await write.standing(
        lambda access: [plan_redo(access.record, access.caller.seat)], scene
    )


@post("/matches/{match:str}/amendments", {200: AmendmentResult}, right=ToLog("amend"))
async def amend(
    request: AnyRequest, data: JSONBody[LineAmendment], dry_run: FromQuery[bool] = False
) -> JSONAnswer:
    """Replace, insert or delete an event of the line, and report which later events stay legal.

    Several texts, like a forgotten round, are played there one after the other. With `dry_run`
    nothing is stored. Illegal later events are cut from the line; the log keeps them.
    """
    write = await begin_dry_run(request, data) if dry_run else begin(request, data)
    body, book = write.body, write.live.book
    if bool(body.texts) == (body.how == "deleted"):
        wrong = "give texts to replace or insert, and none to delete"
        raise Problem(400, wrong, path="$.texts")
    if dry_run:
        return JSONAnswer(await write.dry_run(partial(_rehearsed, book, body)))
    made = list[amendments.Correction]()

    def make(access: MatchAccess) -> Sequence[LogEvent]:
        made.append(_correction(access.record, body))
        return made[-1].edits

    def report(after: MatchAccess) -> AmendmentResult:
        # A retry amends again at the original version, so the last amendment made is the stored
        # one.
        names = names_of(book, after.record)
        return _amendment(after.record, made[-1].report(names), stored=True)

    return await write.answer(make, report)


@post(
    "/matches/{match:str}/adjustments", {200: responses.Standing}, right=ToLog("set the position")
)
async def adjust(
    request: AnyRequest, data: JSONBody[PositionAdjustment], scene: Drawn = False
) -> JSONAnswer:
    """Set the position to the one on the table, even against the rules, for a reason."""
    write = begin(request, data)
    body, book = write.body, write.live.book

    def make(access: MatchAccess) -> Sequence[LogEvent]:
        with blaming("$.reason"):
            return [adjustments.adjustment(book, access.record, body.position, body.reason)]

    return await write.standing(make, scene)


@post("/matches/{match:str}/rulings", {200: responses.Standing}, right=ToLog("rule"))
async def rule(request: AnyRequest, data: JSONBody[Ruling], scene: Drawn = False) -> JSONAnswer:
    """End the match: a seat won, it is drawn, or it is abandoned."""
    write = begin(request, data)
    body = write.body
    with blaming("$.reason"):
        check_text("the reason", body.reason, adjustments.MAX_REASON)
    event = Ruled(body.result, body.winner, body.reason.strip())
    return await write.standing(lambda _: [event], scene)


@get("/matches/{match:str}/position", {200: PositionText}, problems=(409,), sends=("ETag",))
@reads_book
def write_position(
    visit: TheMatchAccess, ply: FromQuery[int | None] = None, version: FromQuery[int | None] = None
) -> Response[bytes]:
    """Write the position after a ply as text; 400 if anything is sealed."""
    then = visit.at(version)
    here = then.ply(ply)
    text = adjustments.write_position_at(then, here)
    body = PositionText(then.id, then.match.version, here, text)
    return answer(body, headers=current(visit.record))


def _given(record: MatchRecord, seat: int | None, grant: bool) -> LogEvent:
    asked = record.match.asked
    if asked is None:
        none = Violation("turn", "no seat has asked for a take-back")
        raise Refused(none, record.match, seat)
    others = (each for each in seats(record) if each != asked.seat)
    declined = TakebackDeclined(seat or next(others))
    violation = record.match.check(declined)
    if violation is not None:
        raise Refused(violation, record.match, seat)
    return TakenBack(asked.ply) if grant else declined


def _correction(record: MatchRecord, body: LineAmendment) -> amendments.Correction:
    if body.how == "deleted":
        return amendments.plan_deletion(record, body.ply)
    change = amendments.plan_replacement if body.how == "replaced" else amendments.plan_insertion
    return change(record, body.ply, *body.texts)


def _rehearsed(book: Book, body: LineAmendment, access: MatchAccess) -> AmendmentResult:
    record = access.record
    report = _correction(record, body).report(names_of(book, record))
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
