"""The way from a refused move to the page that records it as one that stood."""

from __future__ import annotations

from typing import Annotated, Final
from urllib.parse import urlencode

from litestar import Router, get
from litestar.params import FromQuery, QueryParameter
from litestar.response import Redirect, Template

from domain.entry import stood, taps, tokens
from domain.events import broken_clause
from domain.names import Names
from domain.position import Violation
from replay.access import capability_tokens
from replay.record.match_record import MatchRecord
from replay.referee.spelling import respell
from service.http.access import TheBook, TheMatchAccess
from service.http.addresses import prefix
from service.http.book_reads import reads_book
from service.http.problems import Problem
from service.pages.layout import page
from service.pages.words import player_names

UNSEATED: Final = Violation("form", "say whose move it was: put the seat in front, like 1:")
Short = Annotated[str, QueryParameter(max_length=200)]


@get("/m/{match:str}/stood")
@reads_book
def choose_move(
    book: TheBook,
    visit: TheMatchAccess,
    token: Short = "",
    picks: Short = "",
    seat: FromQuery[int | None] = None,
) -> Template | Redirect:
    """Go on to the position after a move that stood, or ask the host which move it was."""
    if visit.caller.role != capability_tokens.HOST:
        raise Problem(403, "only who keeps the score of this match can record that a move stood")
    record = visit.record
    said = tokens.split(respell(record.game, token))
    whose = said.seat or seat or record.state.in_turn
    if token and whose:
        broken = broken_clause(record.state, whose, said.body)
        if not isinstance(broken, Violation):
            return _arrange(record, whose, said.body)
        return _ask(record, player_names(book, record), whose, picks, broken)
    return _ask(record, player_names(book, record), whose, picks, UNSEATED if token else None)


def _arrange(record: MatchRecord, seat: int, body: str) -> Redirect:
    """Go to the position editor, which begins with the position that the game proposes."""
    query = {"version": str(record.match.version), "stood": f"{seat}:{body}"}
    base = stood.proposed(record.state, seat, body)
    if base is not None:
        query["base"] = base
    return Redirect(f"{prefix()}/m/{record.id}/adjust?{urlencode(query)}", status_code=303)


def _ask(
    record: MatchRecord,
    names: Names,
    seat: int | None,
    picks: str,
    wrong: Violation | None = None,
) -> Template:
    picked = picks.split(",") if picks else []
    found = taps.forbidden(record.game, record.state, seat, picked) if seat else None
    data = {
        "match": record.id,
        "player": names.title(seat) if seat else "",
        "seat": seat,
        "picked": picked,
        "moves": found.tokens if found and picked else (),
        "onward": found.onward if found else (),
        "example": record.game.moves[0].example,
        "wrong": wrong.words(names) if wrong else "",
    }
    return page(
        "stood.html",
        "We played it anyway · Plybook",
        data,
        styles=("adjust.css",),
        status=409 if wrong else 200,
    )


ROUTER: Final = Router("/", route_handlers=[choose_move], include_in_schema=False)
