"""Judge moves without a match, and judge a match whose moves were only recorded."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Annotated, Any, Final

from litestar import Response
from litestar.params import FromPath, JSONBody
from msgspec import Meta, Struct

from domain.entry.move_text import legal_texts
from domain.game import Game
from domain.match import Match
from domain.position import Awaited
from replay.errors import Usage
from replay.fields import Seat
from replay.record.match_record import MatchRecord
from replay.referee import dry_run
from replay.referee.referee import RefusedEvent, describe, near
from replay.referee.unjudged import BrokenPly, OpenDash, find_dash, first_broken, plan_judgement
from replay.tags.names import names_of
from service.api.log_writes import begin
from service.api.presenters import answer, current
from service.app_state import TheAppState
from service.http.access import AnyRequest, TheBook, TheMatchAccess, find_game
from service.http.caching import NO_STORE, JSONAnswer
from service.http.problems import Problem
from service.http.rights import NONE, ToLog
from service.http.text_limits import MAX_MOVES
from service.models import responses
from service.models.requests import Notation, Version
from service.openapi.operations import get, post

CHARGED: Final = 20
"""The number of moves that costs as much as one request."""


class JudgementRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """The wish to judge a match, at the `expected` version.

    Example: {"expected": 0}
    """

    expected: Version | None = None


class Line(Struct, frozen=True, forbid_unknown_fields=True):
    """Move texts to judge in order, from the start of the game or from a position.

    Example: {"texts": ["M@c1", "S@c6"]}
    """

    texts: Annotated[tuple[Notation, ...], Meta(max_length=MAX_MOVES)] = ()
    """The texts of the line, in their order."""
    position: Annotated[str, Meta(min_length=1, max_length=2000)] | None = None
    """The text of the position to begin with; the game's start if omitted."""


class JudgeRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Lines of one game to judge, each independently. All have the same options and seats.

    Example: {"lines": [{"texts": ["M@c1", "S@c6"]}]}
    """

    lines: Annotated[tuple[Line, ...], Meta(min_length=1, max_length=100)]
    """The lines to judge."""
    options: dict[str, str | int] = {}
    seats: Seat | None = None
    """How many seats play; as many as the game needs if omitted."""


class JudgedLine(Struct, frozen=True):
    """The legal events of a line, and the position, the legal moves and the outcome after them.

    `refused` is the first event that a rule forbids; those after it are not judged. `position` is
    null in games without a text of positions. `legal` does not list secret moves.
    """

    events: tuple[responses.Judgement, ...]
    refused: RefusedEvent | None
    """The first event that a rule forbids; null if all are legal."""
    position: str | None
    awaiting: tuple[Awaited, ...]
    legal: tuple[responses.EventText, ...]
    """The moves that are legal after the line, as texts."""
    outcome: responses.Outcome | None


class JudgedLines(Struct, frozen=True):
    """The lines in the order of the request."""

    game: str
    lines: tuple[JudgedLine, ...]
    """The verdicts, in the order of the lines."""


class MatchJudgement(Struct, frozen=True):
    """Whether the moves of a match are `judged`, the first that breaks a rule, and an open dash."""

    match: str
    version: responses.Version
    plies: responses.Plies
    judged: bool
    """Whether the referee has judged the moves."""
    broken: BrokenPly | None
    """The first event that breaks a rule; null if no event is known to break one."""
    dash: OpenDash | None
    """The first dash that is open; null without one. Amend its ply to fill it."""


@post("/games/{slug:str}/judge", {200: JudgedLines}, right=NONE)
async def judge_moves(
    request: AnyRequest, data: JSONBody[JudgeRequest], slug: FromPath[str], live: TheAppState
) -> Response[bytes]:
    """Judge moves from the start of a game or from a position, and list the legal moves then.

    The service stores nothing. A refusal is an answer of its line, not a problem of the request.
    """
    game = find_game(slug)
    count = sum(len(line.texts) for line in data.lines)
    if count > MAX_MOVES:
        raise Problem(400, f"a request may have at most {MAX_MOVES} moves", path="$.lines")
    live.limits.charge(request, (count + len(data.lines)) // CHARGED)
    lines = await asyncio.to_thread(lambda: tuple(_judged(game, data)))
    return answer(JudgedLines(game.slug, lines), headers=NO_STORE)


@post("/matches/{match:str}/judgement", {200: MatchJudgement}, right=ToLog("judge the moves"))
async def judge_match(request: AnyRequest, data: JSONBody[JudgementRequest]) -> JSONAnswer:
    """Judge the moves of an unjudged match, once, and name the first that breaks a rule.

    Amend that move, and the later moves are judged again. 409 for a fork of a match that is not
    judged yet.
    """
    write = begin(request, data)
    book = write.live.book
    return await write.answer(
        lambda access: plan_judgement(book, access.record),
        lambda after: _judgement(book, after.record),
    )


@get("/matches/{match:str}/judgement", {200: MatchJudgement}, sends=("ETag",))
def read_judgement(book: TheBook, visit: TheMatchAccess) -> Response[bytes]:
    """Name the first move that breaks a rule, if the moves are judged, and the open dash."""
    record = visit.record
    return answer(_judgement(book, record), headers=current(record))


def _judged(game: Game[Any], body: JudgeRequest) -> Iterator[JudgedLine]:
    options = {name: str(value) for name, value in body.options.items()}
    for index, line in enumerate(body.lines):
        try:
            begun = dry_run.start(game, options, body.seats, line.position)
        except Usage as error:
            raise Problem(400, str(error), path=f"$.lines[{index}]") from None
        yield _judged_line(begun, line)


def _judged_line(begun: Match, line: Line) -> JudgedLine:
    match, refused = dry_run.judge(begun, line.texts)
    state = match.state
    wrong = line.texts[refused.index] if refused else None
    return JudgedLine(
        tuple(dry_run.judgement(match.game, ply) for ply in match.line),
        describe(refused, wrong, near=near(refused, wrong)) if refused else None,
        dry_run.position_text(state),
        state.awaiting(),
        tuple(legal_texts(match.game, state)),
        state.outcome.to_dict() if state.outcome else None,
    )


def _judgement(book: TheBook, record: MatchRecord) -> MatchJudgement:
    match, judged = record.match, not record.match.start.unjudged
    broken = first_broken(match, names_of(book, record)) if judged else None
    dash = find_dash(record)
    return MatchJudgement(record.id, match.version, len(match.line), judged, broken, dash)
