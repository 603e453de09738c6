"""Find the match that fits one or two scoresheets."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from typing import Annotated, Final, Literal, NamedTuple, TypeVar

from litestar import Response
from litestar.params import JSONBody
from msgspec import Meta, Struct, structs

from domain.names import count
from domain.reconstruction.scoresheet import MAX_SCORESHEETS
from replay.access import capability_tokens, visibility
from replay.book import Book
from replay.errors import Usage
from replay.formats.import_bounds import Bounds
from replay.formats.ply.model import Record
from replay.formats.ply.reader import read_records
from replay.formats.ply.writer import export_lines, write_record
from replay.formats.reconstructing import (
    FoundMatch,
    Pin,
    Reconstructed,
    choose,
    find_match,
    name_match,
)
from replay.formats.scoresheets import (
    WrittenScoresheet,
    read_scoresheets,
    scoresheet_of,
)
from replay.record.match_record import MatchRecord
from service.api.creation import HEADERS, creation_request
from service.api.imports import store
from service.api.presenters import answer
from service.app_state import AppState, TheAppState
from service.http import text_limits
from service.http.access import AnyRequest, Caller, MatchAccess, open_match, own_key, visit_of
from service.http.book_reads import read_book
from service.http.caching import NO_STORE
from service.http.cookies import check_origin
from service.http.problems import Problem
from service.http.rights import ANYBODY
from service.models import responses
from service.models.bodies import read_bytes
from service.openapi.operations import post
from service.workers.process import LONG_LIMIT

BYTES_PER_REQUEST: Final = 256
"""The bytes of scoresheets that cost one request; a hundred plies cost about five."""
COST: Final = 5
"""The cost of a reconstruction besides, in requests."""
LEAST_SHOWN: Final = (visibility.PRIVATE, visibility.UNLISTED, visibility.PUBLIC)
T = TypeVar("T")


class OfMatch(Struct, frozen=True, forbid_unknown_fields=True):
    """A match as a scoresheet, by its id; a private match may need its own `token`."""

    match: Annotated[str, Meta(pattern="^[0-9a-z]{1,40}$")]
    token: Annotated[str, Meta(max_length=200)] | None = None
    """A token of the match, if that of the request is another one."""


class PinnedPosition(Struct, frozen=True, forbid_unknown_fields=True):
    """A position that the table knows, after a ply or at the end."""

    ply: Annotated[int, Meta(ge=0, le=1_000_000)] | Literal["end"]
    """The ply that the position follows, or `end`."""
    position: Annotated[str, Meta(min_length=1, max_length=2000)]


class ReconstructionRequest(Struct, frozen=True, forbid_unknown_fields=True):
    r"""One scoresheet or two, as text records, texts of other programs, or matches.

    With `save` the match is stored, if no question is left.

    Example: {"scoresheets": ["[Game \"poptrix\"]\n\n1. M@c1 2. -- 3. c1>L@c3 *\n"]}
    """

    scoresheets: Annotated[
        tuple[str | OfMatch, ...], Meta(min_length=1, max_length=MAX_SCORESHEETS)
    ]
    """One or two texts with one record each, or matches by their ids."""
    pins: Annotated[tuple[PinnedPosition, ...], Meta(max_length=100)] = ()
    """Positions that the table knows."""
    result: Annotated[str, Meta(max_length=20)] | None = None
    """The result that the table knows: `+1`, `=` or `*`."""
    said: Annotated[dict[int, Annotated[str, Meta(max_length=400)]], Meta(max_length=1000)] = {}
    """Answers to questions: by ply, the text of the move that was played."""
    save: bool = False
    """Whether the match is stored."""


class StoredReconstruction(Reconstructed, frozen=True):
    """A reconstruction, the match that it was stored as, and the tokens of the match."""

    match: str
    tokens: responses.Tokens | None
    """The tokens of the new match."""


class FoundRecord(NamedTuple):
    """A reconstruction, and its match as a text record; empty if questions are left."""

    answer: Reconstructed
    text: str


@post(
    "/records/reconstruct",
    {200: Reconstructed, 201: StoredReconstruction},
    right=ANYBODY,
    problems=(401, 403, 404, 409, 503),
    headers=HEADERS,
    bounds=text_limits.BOUNDS,
)
async def reconstruct_match(
    request: AnyRequest, data: JSONBody[ReconstructionRequest], live: TheAppState
) -> Response[bytes]:
    """Find the match that fits one or two scoresheets, and the questions they leave open.

    `--` in a record stands for moves that nobody wrote down, the comment `{[%unsure]}` marks an
    entry whose writer was not sure. A ply that is not `certain` has `choices`; `said` answers it.
    Nothing is stored without `save`: with it and no question left, the match is stored with the ids
    of the matches it was found from as tags, and is as visible as the least visible of them. 400 if
    a question is left. A private match needs its token.
    """
    visits = await visit_scoresheets(request, live, data)
    found = await in_worker(request, live, data, _answer)
    if not data.save:
        return answer(found.answer, headers=NO_STORE)
    if not found.text:
        left = count(found.answer.questions, "question") if found.answer.complete else "no line"
        wrong = f"{left} left open: nothing is stored until all plies are certain"
        raise Problem(400, wrong, path="$.said")
    return answer(await _store(request, live, found, visits), 201, NO_STORE)


async def visit_scoresheets(
    request: AnyRequest, live: AppState, body: ReconstructionRequest
) -> list[MatchAccess]:
    """Look up the matches among scoresheets. Raises `Problem` 401 and 403 without the right."""
    check_origin(request)
    visits = list[MatchAccess]()
    for each in body.scoresheets:
        if isinstance(each, OfMatch):
            record = await open_match(request, each.match)
            visits.append(await read_book(live.book, partial(_visit, request, live, record, each)))
    return visits


def _visit(request: AnyRequest, live: AppState, record: MatchRecord, named: OfMatch) -> MatchAccess:
    role = named.token and capability_tokens.role_of(live.book, record, named.token)
    return MatchAccess(record, Caller(*role)) if role else visit_of(request, live.book, record)


async def in_worker(
    request: AnyRequest,
    live: AppState,
    body: ReconstructionRequest,
    tell: Callable[[FoundMatch], T],
) -> T:
    """Reconstruct a match in a worker, and return what is told of it. Raises `Problem`."""
    size = sum(len(each) if isinstance(each, str) else 1000 for each in body.scoresheets)
    return await live.workers.do(
        request,
        _reconstruct,
        body,
        text_limits.bounds(live.settings),
        tell,
        cost=COST + size // BYTES_PER_REQUEST,
        seconds=LONG_LIMIT,
    )


def _reconstruct(
    book: Book, body: ReconstructionRequest, bounds: Bounds, tell: Callable[[FoundMatch], T]
) -> T:
    """Read scoresheets, and find their match. Raises `Problem` 400."""
    written = list[WrittenScoresheet]()
    for number, each in enumerate(body.scoresheets):
        try:
            written.append(_read(book, each, bounds, f"scoresheet {number + 1}"))
        except Usage as error:
            raise Problem(400, str(error), path=f"$.scoresheets[{number}]") from None
    pins = (Pin(None if pin.ply == "end" else pin.ply, pin.position) for pin in body.pins)
    try:
        return tell(find_match(written, pins, body.result, body.said))
    except Usage as error:
        raise Problem(400, str(error)) from None


def _answer(found: FoundMatch) -> FoundRecord:
    text = "" if found.answer.questions or found.answer.fault else write_record(found.record())
    return FoundRecord(found.answer, text)


async def _store(
    request: AnyRequest, live: AppState, found: FoundRecord, visits: Sequence[MatchAccess]
) -> StoredReconstruction:
    """Store a reconstructed match, and name it in those of its matches that the caller hosts."""
    book = live.book
    key = await read_book(book, lambda: own_key(request, book))
    this = creation_request(request, await read_bytes(request))._replace(key=key)
    record = await asyncio.to_thread(lambda: next(read_records(found.text)))
    assert isinstance(record, Record)
    text_limits.check_record(live.settings, record)
    shown = {visibility.visibility_of(book, visit.record) for visit in visits}
    least = next((each for each in LEAST_SHOWN if each in shown), visibility.UNLISTED)
    facts = {visibility.FACT: least} if least != visibility.UNLISTED else {}
    with live.limits.opening(request):
        stored = await store(book, record, this, facts)
    own = [each.record for each in visits if each.caller.role == capability_tokens.HOST]
    await asyncio.to_thread(lambda: name_match(book, str(stored.match), own))
    return StoredReconstruction(
        **structs.asdict(found.answer), match=str(stored.match), tokens=stored.tokens
    )


def _read(book: Book, given: str | OfMatch, bounds: Bounds, name: str) -> WrittenScoresheet:
    if isinstance(given, OfMatch):
        return scoresheet_of(export_lines(book, book.open(given.match)), given.match)
    return choose([*read_scoresheets(given, bounds)], None, name)
