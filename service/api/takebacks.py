"""Take-backs: the host cuts the line at once; a seat asks, and another answers. And redo."""

from __future__ import annotations

from typing import Any, Final

import msgspec
from litestar import Response, Router, post

from domain.edits import TakebackAsked, TakebackDeclined, TakenBack
from domain.match import LogEvent
from domain.position import Violation
from replay.corrections.takebacks import plan_redo
from replay.errors import Refused
from replay.record.match_record import MatchRecord
from service.api.log_writes import HEADERS, LogWrite
from service.http.access import AnyRequest, TheBook, TheMatchAccess, TheSettings
from service.http.problems import Problem
from service.models import responses
from service.models.requests import Granting, Redoing, TakingBack, read
from service.openapi.operations import documented

TAKING_BACK: Final = msgspec.json.Decoder(TakingBack)
GRANTING: Final = msgspec.json.Decoder(Granting)
REDOING: Final = msgspec.json.Decoder(Redoing)

STANDING: Final[dict[int, Any]] = {
    200: responses.Standing,
    409: responses.Refusal,
    412: responses.Stale,
}


@post(
    "/matches/{match:str}/takeback",
    **documented(STANDING, body=TakingBack, auth="writer", headers=HEADERS, sends=("ETag",)),
)
async def take_back(
    request: AnyRequest, book: TheBook, settings: TheSettings, visit: TheMatchAccess
) -> Response[bytes]:
    """Take back to a ply. The host cuts the line at once; a seat asks the others.

    A seat's request lapses with the next event. The log keeps the events taken back.
    """
    author = visit.writer()
    body = await read(request, TAKING_BACK)
    wanted = TakenBack(body.ply) if author.seat is None else TakebackAsked(author.seat, body.ply)
    write = LogWrite(request, book, settings, visit, body.expected)
    return await write.standing(lambda _: [wanted])


@post(
    "/matches/{match:str}/takeback/answer",
    **documented(STANDING, body=Granting, auth="writer", headers=HEADERS, sends=("ETag",)),
)
async def answer_takeback(
    request: AnyRequest, book: TheBook, settings: TheSettings, visit: TheMatchAccess
) -> Response[bytes]:
    """Grant or decline another seat's request to take back. One seat's answer is enough.

    The host answers for a seat, by default for the first that did not ask itself.
    """
    author = visit.writer()
    body = await read(request, GRANTING)
    if author.seat is not None and body.seat not in (None, author.seat):
        raise Problem(403, f"this token is for seat {author.seat}", path="$.seat")
    seat = author.seat or body.seat
    write = LogWrite(request, book, settings, visit, body.expected)
    return await write.standing(lambda record: [_given(record, seat, body.grant)])


@post(
    "/matches/{match:str}/redo",
    **documented(STANDING, body=Redoing, auth="writer", headers=HEADERS, sends=("ETag",)),
)
async def redo(
    request: AnyRequest, book: TheBook, settings: TheSettings, visit: TheMatchAccess
) -> Response[bytes]:
    """Enter again the next event that was taken back, as long as nothing else was entered.

    The holder of a seat enters its own events again.
    """
    author = visit.writer()
    body = await read(request, REDOING)
    write = LogWrite(request, book, settings, visit, body.expected)
    return await write.standing(lambda record: [plan_redo(record, author.seat)])


def _given(record: MatchRecord, seat: int | None, grant: bool) -> LogEvent:
    asked = record.match.asked
    if asked is None:
        none = Violation("turn", "nobody has asked to take anything back")
        raise Refused(none, record.match, seat)
    others = (each for each in range(1, record.match.seats + 1) if each != asked.seat)
    declined = TakebackDeclined(seat or next(others))
    violation = record.match.check(declined)
    if violation is not None:
        raise Refused(violation, record.match, seat)
    return TakenBack(asked.ply) if grant else declined


ROUTER: Final = Router("/", route_handlers=[take_back, answer_takeback, redo])
