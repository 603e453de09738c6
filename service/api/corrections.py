"""Corrections: take back, redo, amend, set the position, rule; and the position as text."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from litestar import Response, get, post
from litestar.params import FromQuery, JSONBody
from msgspec import Struct, structs

from domain.events import Ruled
from domain.log_edits import TakebackAsked, TakebackDeclined, TakenBack
from domain.match import LogEvent
from domain.position import Violation
from replay.book import Book
from replay.corrections import adjustments, amendments
from replay.corrections.takebacks import plan_redo
from replay.errors import Refused
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
from service.models.requests import Adjusting, Amending, Granting, Redoing, Ruling, TakingBack
from service.openapi.operations import documented


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


@post("/matches/{match:str}/takeback", **documented({200: responses.Standing}, right=TO_LOG))
async def take_back(
    request: AnyRequest, data: JSONBody[TakingBack], scene: Drawn = False
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


@post("/matches/{match:str}/takeback/answer", **documented({200: responses.Standing}, right=TO_LOG))
async def answer_takeback(
    request: AnyRequest, data: JSONBody[Granting], scene: Drawn = False
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


@post("/matches/{match:str}/redo", **documented({200: responses.Standing}, right=TO_LOG))
async def redo(request: AnyRequest, data: JSONBody[Redoing], scene: Drawn = False) -> JSONAnswer:
    """Enter again the next event that was taken back, as long as nothing else was entered.

    After a correction, enter the next event that fell and is legal now. The holder of a seat enters
    its own events again.
    """
    write = begin(request, data)
    return await write.standing(
        lambda access: [plan_redo(access.record, access.caller.seat)], scene
    )


@post(
    "/matches/{match:str}/amendments",
    **documented({200: AmendmentResult}, right=ToLog("amend")),
)
async def amend(
    request: AnyRequest, data: JSONBody[Amending], dry_run: FromQuery[bool] = False
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
        # A retry amends again at the original version; the last amendment is the stored one.
        names = names_of(book, after.record)
        return _amendment(after.record, made[-1].report(names), stored=True)

    return await write.answer(make, report)


@post(
    "/matches/{match:str}/adjustments",
    **documented({200: responses.Standing}, right=ToLog("set the position")),
)
async def adjust(
    request: AnyRequest, data: JSONBody[Adjusting], scene: Drawn = False
) -> JSONAnswer:
    """Set the position to the one on the table, even against the rules, for a reason."""
    write = begin(request, data)
    body, book = write.body, write.live.book

    def make(access: MatchAccess) -> Sequence[LogEvent]:
        with blaming("$.reason"):
            return [adjustments.adjustment(book, access.record, body.position, body.reason)]

    return await write.standing(make, scene)


@post("/matches/{match:str}/rulings", **documented({200: responses.Standing}, right=ToLog("rule")))
async def rule(request: AnyRequest, data: JSONBody[Ruling], scene: Drawn = False) -> JSONAnswer:
    """End the match: a seat won, it is drawn, or it is abandoned."""
    write = begin(request, data)
    body = write.body
    with blaming("$.reason"):
        check_text("the reason", body.reason, adjustments.MAX_REASON)
    event = Ruled(body.result, body.winner, body.reason.strip())
    return await write.standing(lambda _: [event], scene)


@get(
    "/matches/{match:str}/position",
    **documented({200: PositionText}, problems=(409,), sends=("ETag",)),
)
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


def _correction(record: MatchRecord, body: Amending) -> amendments.Correction:
    if body.how == "deleted":
        return amendments.plan_deletion(record, body.ply)
    change = amendments.plan_replacement if body.how == "replaced" else amendments.plan_insertion
    return change(record, body.ply, *body.texts)


def _rehearsed(book: Book, body: Amending, access: MatchAccess) -> AmendmentResult:
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
