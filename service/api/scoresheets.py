"""Two scoresheets that players keep apart: one is done, or both are opened."""

from __future__ import annotations

from litestar import Response
from litestar.params import JSONBody
from msgspec import Struct

from replay.access import capability_tokens
from replay.annotations.editing import annotate
from replay.annotations.notation import Wording
from replay.book import Book
from replay.errors import Usage
from replay.record.match_record import MatchRecord
from replay.referee.scoresheet_pairs import (
    ScoresheetState,
    finish,
    other_scoresheet,
    scoresheet_state,
)
from service.api.presenters import answer
from service.http.access import TheBook, TheMatchAccess
from service.http.caching import NO_STORE
from service.http.conditions import demand_condition
from service.http.problems import Problem
from service.http.rights import WRITER
from service.models.requests import Reason
from service.openapi.operations import post


class DoneRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """The wish to finish a scoresheet; with a `reason` the host opens both at once.

    Example: {}
    """

    reason: Reason = ""
    """Why both are opened before both are done; a comment of each keeps it."""


@post(
    "/matches/{match:str}/done",
    {200: ScoresheetState},
    right=WRITER,
    problems=(409,),
)
def finish_scoresheet(
    data: JSONBody[DoneRequest], book: TheBook, visit: TheMatchAccess
) -> Response[bytes]:
    """Finish one of two scoresheets that players keep apart: no more is written into it.

    Both open, to all who know their addresses, when both are done, an hour after the first, or when
    their host gives a `reason`. A repetition answers how they stand. 409 for any other match.
    """
    demand_condition()
    if not data.reason:
        return answer(finish(book, visit.record), headers=NO_STORE)
    if visit.caller.role != capability_tokens.HOST:
        raise Problem(403, "only the host may open both scoresheets")
    state = scoresheet_state(book, visit.record)
    if state and not state.open:
        _tell(book, visit.record, data.reason)
    return answer(finish(book, visit.record, now=True), headers=NO_STORE)


def _tell(book: Book, record: MatchRecord, reason: str) -> None:
    """Comment on the last event of both scoresheets with the reason. Raises `Problem` 400."""
    other = other_scoresheet(book, record)
    words = f"Both scoresheets were opened before both were done: {reason}"
    try:
        for each in (record, *([book.read(other)] if other else [])):
            annotate(book, each, each.ply(), Wording(comment=words))
    except Usage as error:
        raise Problem(400, str(error), path="$.reason") from None
