"""The referee's API: enter events or dry-run them, and read the log."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Annotated

import msgspec
from litestar import Response
from litestar.enums import HttpMethod
from litestar.params import FromQuery, JSONBody, QueryParameter
from litestar.response import Template
from msgspec import UNSET

from domain.entry.move_text import SplitText, UnsureText, as_stood, of_seat, split
from domain.entry.stood import WORD as STOOD
from domain.events import Moved
from domain.log_edits import Filled
from replay.access.authors import authors
from replay.book import Book
from replay.reading import timeline
from replay.reading.brought_in import brought_in
from replay.reading.timeline import LogEntry
from replay.record import dice
from replay.record.match_summary import standing_of
from replay.referee import dry_run, entering
from replay.referee.guarded import try_for
from replay.referee.scoresheet_pairs import is_scoresheet
from replay.tags.names import names_of
from replay.tags.people_changes import corrections, since
from service.api.log_writes import begin, begin_dry_run
from service.api.presenters import answer, current, legal_texts
from service.http.access import KEPT, AnyRequest, MatchAccess, TheBook, TheMatchAccess
from service.http.book_reads import read_book, reads_book
from service.http.caching import NO_STORE, JSONAnswer
from service.http.preconditions import check_room
from service.http.problems import SOON, Problem, answer_problem
from service.http.rights import TO_LOG
from service.live.event_stream import NDJSON
from service.models import responses
from service.models.bodies import decode
from service.models.renamed import FormerName
from service.models.requests import EventEntries, EventEntry
from service.openapi.operations import Route, get, post
from service.pages.frame import frame_since
from service.pages.layout import fragment

Legal = Annotated[
    bool, QueryParameter(description="Answer the legal moves after the events, too, by seat.")
]


@post(
    "/matches/{match:str}/events", {200: responses.EnteredEvents | responses.DryRun}, right=TO_LOG
)
async def enter_events(
    request: AnyRequest,
    data: JSONBody[EventEntries],
    dry_run: FromQuery[bool] = False,
    legal: Legal = False,
) -> JSONAnswer:
    """Enter events, all or none; with `dry_run` only report their result.

    409 with the clause if the rules refuse, 412 with the missed events if the expected version is
    stale.
    """
    if dry_run:
        return JSONAnswer(await _try(request, data, legal))
    write = begin(request, data)
    after = await write.append(partial(_events, write.live.book, write.body.events))
    return _entered(after, len(write.body.events), legal)


def _reload(request: AnyRequest, _: FormerName) -> Response[bytes]:
    """Answer a page of another version: it keeps its moves, and the page after it sends them."""
    wrong = "this page is of another version of Plybook; reload it"
    return answer_problem(
        request, Problem(503, wrong, "page-outdated", headers={"Retry-After": str(SOON)})
    )


@Route(
    "/m/{match:str}/events",
    http_method=HttpMethod.POST,
    status_code=200,
    include_in_schema=False,
    guards=[TO_LOG],
    exception_handlers={FormerName: _reload},
)
async def enter_on_board(
    request: AnyRequest, book: TheBook, data: JSONBody[EventEntries]
) -> Template:
    """Enter events as `POST /matches/{match}/events` does, and return the board after them.

    The page shows the version that it expects, so unchanged places are left out.
    """
    write = begin(request, data)
    after = await write.append(partial(_events, write.live.book, write.body.events))
    shown = await read_book(book, lambda: frame_since(book, after, after.record, write.expected))
    return fragment("frame.html", {"frame": shown}, NO_STORE)


async def _try(request: AnyRequest, data: EventEntries, legal: bool) -> responses.DryRun:
    """Judge the events of a request without storing them. Raises `Problem` 400 with `legal`."""
    write = await begin_dry_run(request, data)
    if legal:
        wrong = "a dry run cannot list the legal moves; leave out legal or dry_run"
        raise Problem(400, wrong, path="legal")

    def judge(access: MatchAccess) -> responses.DryRun:
        events = _events(write.live.book, write.body.events, access)
        check_room(write.live.settings, access.record, len(events))
        judge = partial(entering.dry_run, write.live.book, access.record, events)
        return _tried(access, try_for(access.viewer, access.record, judge))

    return await write.dry_run(judge)


@get(
    "/matches/{match:str}/events",
    {200: {"application/json": responses.Log, NDJSON: LogEntry}},
    sends=("ETag",),
    opt=KEPT,
)
@reads_book
def read_events(
    request: AnyRequest, book: TheBook, visit: TheMatchAccess, after: FromQuery[int] = 0
) -> Response[bytes]:
    """List the log after a version, as the caller may see it: JSON, or NDJSON on request."""
    record, names = visit.record, names_of(book, visit.record)
    known = authors(book, record) if visit.caller.may_write else {}
    claimed = brought_in(book, record)
    events = tuple(timeline.log(record, visit.viewer, after, names, claimed, known))
    if NDJSON in request.headers.get("accept", ""):
        lines = b"".join(msgspec.json.encode(one) + b"\n" for one in events)
        return Response(lines, media_type=NDJSON, headers=current(visit.record))
    people = tuple(since(corrections(book, record, visit.caller.reader), after))
    log = responses.Log(visit.record.id, visit.record.match.version, events, people)
    return answer(log, headers=current(visit.record))


def _events(book: Book, entries: Sequence[EventEntry], access: MatchAccess) -> list[entering.Entry]:
    own, record = access.caller.seat, access.record
    if record.header.unjudged and is_scoresheet(book, record):
        own = None
    return [_event(access, entry, index, own) for index, entry in enumerate(entries)]


def _event(access: MatchAccess, entry: EventEntry, index: int, own: int | None) -> entering.Entry:
    """Return the entry as text or as an event that its author may enter.

    It is of the seat `own`; a scoresheet has moves of all seats.
    """
    path, author = f"$.events[{index}]", access.caller
    _check_parts(entry, path)
    if entry.text is not None:
        text = split(as_stood(entry.text, entry.position) if entry.stood else entry.text)
        of_its_seat = of_seat(text, entry.seat)
        if of_its_seat is None:
            wrong = f"the text is of seat {text.seat}; leave out seat, or use {text.seat}"
            raise Problem(400, wrong, path=f"{path}.seat")
        if author.seat is not None:
            _allow(own, of_its_seat.seat, text.body, path)
        kind = UnsureText if entry.unsure else SplitText
        return kind(own or of_its_seat.seat, text.body)
    seat = entry.seat or own or access.record.state.in_turn
    if author.seat is not None:
        _allow(own, seat, "", path)
    if seat is None:
        raise Problem(400, "say whose move it is", path=f"{path}.seat")
    if entry.move is UNSET:
        return dice.RollRequest(seat)
    move = decode(access.record.game.decode, bytes(entry.move), f"{path}.move")
    return Moved(seat, move, True if entry.unsure else UNSET)


def _check_parts(entry: EventEntry, path: str) -> None:
    """Raise `Problem` 400 for parts of an entry that do not go together."""
    if (entry.text is not None) + (entry.move is not UNSET) + entry.roll != 1:
        raise Problem(400, "give an event either a text, a move or a roll", path=path)
    if entry.position is not None and not entry.stood:
        raise Problem(400, "give a position only with stood", path=f"{path}.position")
    if entry.stood and entry.text is None:
        raise Problem(400, "with stood, give the move as text", path=f"{path}.stood")
    if entry.unsure and (entry.roll or entry.stood):
        raise Problem(400, "only a move or a dash can be unsure", path=f"{path}.unsure")


def _allow(own: int | None, seat: int | None, body: str, path: str) -> None:
    """Raise `Problem` 403 for an entry that only the host, or another seat, may make."""
    if body.startswith("ruled="):
        raise Problem(403, "only the host may rule", path=path)
    if body.startswith(STOOD):
        raise Problem(403, "only the host may record that a move stood", path=path)
    if None is not own != seat is not None:
        raise Problem(403, f"this token is for seat {own}, not seat {seat}", path=path)


def _entered(after: MatchAccess, count: int, legal: bool) -> JSONAnswer:
    """Answer the last `count` events of the line, as appended.

    The sentences call seats by their numbers, so that no move waits for names to be read.
    """
    then = after.record
    line = then.match.line
    last, state = len(line), line[-1].state
    filled = isinstance(then.events[-1], Filled)
    standing = standing_of(state)
    entered = timeline.entries(then, after.caller.seat, last - count)
    body = responses.EnteredEvents(
        then.id,
        True,
        then.match.version,
        last,
        tuple(entered),
        standing.awaiting,
        standing.words(),
        state.outcome.to_dict() if state.outcome else None,
        legal_texts(after) if legal else UNSET,
        (filled and tuple(timeline.filled_since(then, then.match.version - 1))) or UNSET,
    )
    return JSONAnswer(body, then.match.version)


def _tried(access: MatchAccess, judged: entering.JudgedEvents) -> responses.DryRun:
    """Answer events that were judged and not stored.

    Their consequences must not reveal sealed moves; if they would, a single event is only checked.
    """
    record, state = access.record, judged.match.state
    sealed = set(record.state.position.sealed) - {access.viewer}
    plies = judged.match.line[len(record.match.line) :]
    if sealed and len(plies) > 1:
        raise Problem(400, "while a move is sealed, try one event at a time", path="$.events")
    tried = (dry_run.judgement(record.game, ply, effects=not sealed) for ply in plies)
    return responses.DryRun(
        record.id,
        False,
        record.match.version,
        tuple(tried),
        None if sealed else state.awaiting(),
        state.outcome.to_dict() if state.outcome and not sealed else None,
        None if sealed else dry_run.position_text(state),
    )
