"""Led replay: one page of a match turns the pages of all other pages that follow it."""

from __future__ import annotations

from litestar import Response
from litestar.params import JSONBody
from msgspec import structs

from replay.annotations.editing import places
from replay.annotations.notation import Wording
from service.api.presenters import answer
from service.api.streams import Led, led
from service.app_state import TheAppState
from service.http.access import TheMatchAccess
from service.http.caching import NO_STORE
from service.http.conditions import demand_condition
from service.http.problems import blaming
from service.http.rights import WRITER
from service.live.leads import LedPlace, PageLead
from service.openapi.operations import put


class NewLead(LedPlace, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The place that followers shall see.

    Example: {"id": "5f1c", "version": 0, "ply": 0}
    """

    over: bool = False
    """Whether the page leads no more."""


@put("/matches/{match:str}/lead", {200: Led}, right=WRITER)
def lead_replay(
    data: JSONBody[NewLead], live: TheAppState, visit: TheMatchAccess
) -> Response[bytes]:
    """Turn the pages for all followers of the match: their streams have `led`. Nothing is stored.

    Callers who may comment may lead; the newest lead wins. Repeat it within 30 seconds to go on
    leading.
    """
    demand_condition()
    then = visit.at(data.version)
    ply = then.ply(data.ply)
    if data.marks:
        with blaming("$.marks"):
            _wording(data).said(0, places(then, ply))
    stream, actor = visit.record.stream.id, visit.caller.actor
    lead = PageLead(**structs.asdict(data), stream=stream, actor=actor)
    live.leads.tell(lead)
    return answer(led(live.book, visit.record, None if data.over else lead), headers=NO_STORE)


def _wording(lead: NewLead) -> Wording:
    arrows, circles = (
        tuple(mark.where for mark in lead.marks if mark.kind == kind)
        for kind in ("arrow", "circle")
    )
    return Wording(arrows=arrows, circles=circles)
