"""The referee's API: enter events or dry-run them, and read the log."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Any, Final, NamedTuple

import msgspec
from litestar import Response, Router, get, post
from litestar.params import FromPath, FromQuery, QueryParameter
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from domain.entry.stood import WORD as STOOD
from domain.entry.tokens import Token, as_stood, split, write
from domain.events import Moved, Ply, State
from domain.game import Game
from replay.book import Book
from replay.errors import Outdated, Refused, Stale, Usage
from replay.reading import timeline
from replay.reading.timeline import LogEntry
from replay.record import dice
from replay.record.match_record import MatchRecord
from replay.record.match_summary import describe_standing
from replay.referee import entering
from replay.tags.names import names_of
from service.api.log_writes import find_logged
from service.api.presenters import answer, current, legal_tokens
from service.app_state import AppState
from service.http.access import (
    AnyRequest,
    Caller,
    MatchAccess,
    TheBook,
    TheMatchAccess,
)
from service.http.book_reads import read_book, reads_book
from service.http.encoded import JSONAnswer
from service.http.idempotency import derive_id, once, retry_key
from service.http.preconditions import (
    check_room,
    demand,
    expected_version,
    refusal,
    stale,
)
from service.http.problems import Problem
from service.live.event_stream import NDJSON
from service.models import responses
from service.models.requests import Entries, Entry, decode, read
from service.openapi.operations import documented

ENTRIES: Final = msgspec.json.Decoder(Entries)

Legal = Annotated[
    bool, QueryParameter(description="Answer the legal moves after the events, too, by seat.")
]

RETRY_UNCACHED: Final = (Problem, Refused, Stale, Outdated, Usage)
"""What refuses events at a remembered visit: if that is out of date, they may be right."""

Judging = Callable[[Book, MatchRecord, Sequence[entering.Entry]], entering.JudgedEvents]


class Asked(NamedTuple):
    """A request to enter events: at the expected version, under these ids, where given."""

    entries: Sequence[Entry]
    expected: int | None
    ids: Sequence[bytes]


@post(
    "/matches/{match:str}/events",
    **documented(
        {200: responses.Entered | responses.DryRun, 409: responses.Refusal, 412: responses.Stale},
        body=Entries,
        auth="writer",
        headers=("If-Match", "Idempotency-Key"),
        sends=("ETag",),
    ),
)
async def enter_events(
    request: AnyRequest,
    match: FromPath[str],
    dry_run: FromQuery[bool] = False,
    legal: Legal = False,
) -> JSONAnswer:
    """Enter events, all or none; with `dry_run` only report their result.

    409 with the clause if the rules refuse, 412 with the missed events if the expected version is
    stale.
    """
    if dry_run:
        return JSONAnswer(await _try(request, match, legal))
    visit, asked, after = await enter(request, match)
    return _entered(visit, after, len(asked.entries), legal_tokens(after) if legal else UNSET)


async def enter(request: AnyRequest, match: str) -> tuple[MatchAccess, Asked, MatchRecord]:
    """Enter the events of a request; return its visit, what it asked, and the match after them.

    Raises `Problem`.
    """
    live: AppState = request.app.state.live
    known = live.visits.recall(request, match)
    if known is not None:
        try:
            asked = await _read(request, known)
            return known, asked, await _append(live, known, asked)
        except RETRY_UNCACHED:
            pass
    visit, asked = await _look_up(request, match)
    try:
        after = await once(
            asked.ids, lambda: _find(live, visit, asked), lambda: _append(live, visit, asked)
        )
    except (Stale, Refused) as error:
        raise await _refused(live, visit, error, asked.entries) from None
    return visit, asked, after


async def _try(request: AnyRequest, match: str, legal: bool) -> responses.DryRun:
    """Judge the events of a request without storing them. Raises `Problem` 400 with `legal`."""
    live: AppState = request.app.state.live
    visit, asked = await _look_up(request, match)
    if legal:
        wrong = "a dry run tells no legal moves; leave out legal, or dry_run"
        raise Problem(400, wrong, path="legal")
    try:
        return _tried(visit, await _judge(live, visit, asked, entering.dry_run))
    except (Stale, Refused) as error:
        raise await _refused(live, visit, error, asked.entries) from None


async def _look_up(request: AnyRequest, match: str) -> tuple[MatchAccess, Asked]:
    live: AppState = request.app.state.live
    visit = await live.visits.look_up(request, match)
    visit.writer()
    return visit, await _read(request, visit)


async def _read(request: AnyRequest, visit: MatchAccess) -> Asked:
    body = await read(request, ENTRIES)
    ids = _ids(request, visit.caller, body.events)
    expected = expected_version(request, body.expected, visit.record.match.version)
    return Asked(body.events, expected, ids)


async def _judge(
    live: AppState, visit: MatchAccess, asked: Asked, judging: Judging
) -> entering.JudgedEvents:
    events = _events(visit, asked.entries)
    check_room(live.settings, visit.record, len(events))
    demand(visit.record, asked.expected)
    if visit.record.header.dice == "service":  # their seed is read
        return await read_book(live.book, lambda: judging(live.book, visit.record, events))
    return judging(live.book, visit.record, events)


async def _append(live: AppState, visit: MatchAccess, asked: Asked) -> MatchRecord:
    """Append the events and return the match with them."""
    book, record = live.book, visit.record
    judged = await _judge(live, visit, asked, entering.judge)
    actor = visit.caller.actor
    write = entering.append(book, record, judged, actor=actor, ids=asked.ids, epoch=visit.epoch)
    appended = await live.commits.wait(write)
    if appended.repeated:  # the match is read again
        return await read_book(book, lambda: book.publish(record, judged.stretches, appended))
    return book.publish(record, judged.stretches, appended)


async def _find(live: AppState, visit: MatchAccess, asked: Asked) -> MatchRecord | None:
    """Return the match as an earlier request with these ids left it, if there was one."""
    # An entry without a seat means the seat that was in turn then.
    return await read_book(
        live.book,
        lambda: find_logged(
            live.book,
            visit.record.id,
            asked.ids,
            lambda then: _events(replace(visit, record=then), asked.entries),
        ),
    )


@get(
    "/matches/{match:str}/events",
    **documented({200: {"application/json": responses.Log, NDJSON: LogEntry}}, sends=("ETag",)),
)
@reads_book
def read_events(
    request: AnyRequest, book: TheBook, visit: TheMatchAccess, after: FromQuery[int] = 0
) -> Response[bytes]:
    """List the log after a version, as the caller may see it: JSON, or NDJSON on request."""
    record = visit.record
    events = tuple(timeline.log(record, visit.viewer, after, names_of(book, record)))
    if NDJSON in request.headers.get("accept", ""):
        lines = b"".join(msgspec.json.encode(one) + b"\n" for one in events)
        return Response(lines, media_type=NDJSON, headers=current(visit.record))
    log = responses.Log(visit.record.id, visit.record.match.version, events)
    return answer(log, headers=current(visit.record))


def _events(visit: MatchAccess, entries: Sequence[Entry]) -> list[entering.Entry]:
    return [_event(visit, entry, index) for index, entry in enumerate(entries)]


def _event(visit: MatchAccess, entry: Entry, index: int) -> entering.Entry:
    """Return the entry as a token or an event that its author may enter."""
    path, author = f"$.events[{index}]", visit.caller
    if (entry.token is not None) + (entry.move is not UNSET) + entry.roll != 1:
        raise Problem(400, "an event has either a token, a move or a roll", path=path)
    if entry.position is not None and not entry.stood:
        raise Problem(400, "a position goes with a move that stood", path=f"{path}.position")
    if entry.stood and entry.token is None:
        raise Problem(400, "a move that stood is a token", path=f"{path}.stood")
    if entry.token is not None:
        token = split(as_stood(entry.token, entry.position) if entry.stood else entry.token)
        if entry.seat is not None:
            raise Problem(400, "a token carries its seat in front: 1:resign", path=f"{path}.seat")
        if author.seat is not None:
            _allow(author.seat, token.seat, token.body, path)
        return Token(author.seat, token.body) if author.seat else token
    seat = entry.seat or author.seat or visit.record.state.in_turn
    if author.seat is not None:
        _allow(author.seat, seat, "", path)
    if seat is None:
        raise Problem(400, "say whose move it is", path=f"{path}.seat")
    if entry.move is UNSET:
        return dice.RollRequest(seat)
    move = decode(visit.record.game.decode, bytes(entry.move), f"{path}.move")
    return Moved(seat, move)


def _allow(own: int, seat: int | None, body: str, path: str) -> None:
    """Raise `Problem` 403 for what the player of a seat may not enter."""
    if body.startswith("ruled="):
        raise Problem(403, "only the host may rule", path=path)
    if body.startswith(STOOD):
        raise Problem(403, "only the host may record that a move stood", path=path)
    if seat not in (None, own):
        raise Problem(403, f"this token is for seat {own}, not seat {seat}", path=path)


def _ids(request: AnyRequest, author: Caller, entries: Sequence[Entry]) -> list[bytes]:
    """Return the ids of the events: from the `Idempotency-Key`, or the entries' own."""
    key = retry_key(request)
    own = [entry.id for entry in entries if entry.id is not None]
    if key is None and not own:
        return []
    if key is not None and own:
        wrong = "an Idempotency-Key goes without ids of the events"
        raise Problem(400, wrong, path="Idempotency-Key")
    if own and len(set(own)) != len(entries):
        raise Problem(400, "either each event has an id of its own, or none", path="$.events")
    named = own or [f"{number}:{key}" for number in range(len(entries))]
    return [derive_id(author, name) for name in named]


def _entered(
    visit: MatchAccess,
    then: MatchRecord,
    count: int,
    legal: dict[str, tuple[str, ...]] | UnsetType,
) -> JSONAnswer:
    """Answer the last `count` events of the line, as appended.

    The sentences call seats by their numbers: a move waits for no reading of names.
    """
    line = then.match.line
    last, state = len(line), line[-1].state
    entered = timeline.entries(then, visit.caller.seat, last - count)
    body = responses.Entered(
        then.id,
        True,
        then.match.version,
        last,
        tuple(entered),
        state.awaiting(),
        describe_standing(state),
        state.outcome.to_dict() if state.outcome else None,
        legal,
    )
    return JSONAnswer(body, then.match.version)


async def _refused(
    live: AppState, visit: MatchAccess, error: Stale | Refused, entries: Sequence[Entry]
) -> Problem:
    def build() -> Problem:
        if isinstance(error, Stale):
            return stale(live.book, error, visit)
        return refusal(live.book, visit.record, error, entries[error.index].token)

    return await read_book(live.book, build)


def _tried(visit: MatchAccess, judged: entering.JudgedEvents) -> responses.DryRun:
    """Answer events that were judged and not stored.

    Their consequences must not reveal sealed moves; if they would, a single event is only checked.
    """
    record, state = visit.record, judged.match.state
    sealed = set(record.state.position.sealed) - {visit.viewer}
    plies = judged.match.line[len(record.match.line) :]
    if sealed and len(plies) > 1:
        raise Problem(400, "while something is sealed, try one event at a time", path="$.events")
    tried = (judgement(record.game, ply, tell=not sealed) for ply in plies)
    return responses.DryRun(
        record.id,
        False,
        record.match.version,
        tuple(tried),
        None if sealed else state.awaiting(),
        state.outcome.to_dict() if state.outcome and not sealed else None,
        None if sealed else position_text(state),
    )


def position_text(state: State) -> str | None:
    """Return a position as text; `None` in games without such texts, and while it is quiet."""
    known = state.game.text is not None and not state.quiet
    return state.game.write_position(state.position) if known else None


def judgement(game: Game[Any], ply: Ply, *, tell: bool) -> responses.Judgement:
    """Return the verdict on an event that was judged; `tell` its consequences."""
    return responses.Judgement(
        write(game, ply.event),
        getattr(ply.event, "seat", None),
        "; ".join(effect.words() for effect in ply.effects) if tell else "",
        ply.effects if tell else None,
    )


ENTERING: Final = Router("/", route_handlers=[enter_events])
ROUTER: Final = Router("/", route_handlers=[read_events])
