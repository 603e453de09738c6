"""Reconstruct matches in a worker: the scoresheets of a request, the rights to them, the work."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Annotated, Final, Literal, TypeVar

from msgspec import Meta, Struct

from domain.reconstruction.scoresheet import MAX_SCORESHEETS
from replay.access import capability_tokens, visibility
from replay.book import Book
from replay.errors import Usage
from replay.formats.import_bounds import Bounds
from replay.formats.ply.model import Record
from replay.formats.ply.writer import export_lines
from replay.formats.reconstructing import FoundMatch, Pin, choose, find_match
from replay.formats.scoresheets import (
    WrittenScoresheet,
    on_paper,
    read_scoresheets,
    scoresheet_of,
)
from replay.record.match_record import MatchRecord
from service.http import text_limits
from service.http.access import (
    AnyRequest,
    Caller,
    MatchAccess,
    bearer_token,
    open_match,
    opens_something,
    visit_of,
)
from service.http.book_reads import read_book
from service.http.cookies import check_origin
from service.http.problems import Problem
from service.settings import Settings
from service.workers.pool import Workers
from service.workers.process import LONG_LIMIT

BYTES_PER_REQUEST: Final = 256
"""The bytes of scoresheets that cost one request; a hundred plies cost about five."""
COST: Final = 5
"""The cost of a reconstruction besides, in requests."""
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


async def visit_scoresheets(
    request: AnyRequest, book: Book, body: ReconstructionRequest
) -> list[MatchAccess]:
    """Look up the matches among scoresheets. Raises `Problem` 401 and 403 without the right."""
    check_origin(request)
    visits = list[MatchAccess]()
    for each in body.scoresheets:
        if isinstance(each, OfMatch):
            record = await open_match(request, each.match)
            visits.append(await read_book(book, partial(_visit, request, book, record, each)))
    return visits


def _visit(request: AnyRequest, book: Book, record: MatchRecord, named: OfMatch) -> MatchAccess:
    """Look up a match with its own token, or with that of the request, or as a spectator."""
    if named.token and (role := capability_tokens.role_of(book, record, named.token)):
        return MatchAccess(record, Caller(*role))
    try:
        return visit_of(request, book, record)
    except Problem:  # the token may be that of the other match
        token = bearer_token(request.headers.get("authorization", ""))
        if visibility.is_private(book, record) or not opens_something(book, token):
            raise
        return MatchAccess(record, Caller())


async def in_worker(
    request: AnyRequest,
    workers: Workers,
    settings: Settings,
    body: ReconstructionRequest,
    tell: Callable[[FoundMatch], T],
) -> T:
    """Reconstruct a match in a worker, and return what is told of it. Raises `Problem`."""
    size = sum(len(each) if isinstance(each, str) else 1000 for each in body.scoresheets)
    return await workers.do(
        request,
        _reconstruct,
        body,
        text_limits.bounds(settings),
        tell,
        cost=COST + size // BYTES_PER_REQUEST,
        seconds=LONG_LIMIT,
    )


def _reconstruct(
    book: Book, body: ReconstructionRequest, bounds: Bounds, tell: Callable[[FoundMatch], T]
) -> T:
    """Read scoresheets, and find their match. Raises `Problem` 400."""
    written = list[WrittenScoresheet]()
    matches = [each.match for each in body.scoresheets if isinstance(each, OfMatch)]
    records = {match: export_lines(book, book.open(match)) for match in matches}
    for number, each in enumerate(body.scoresheets):
        try:
            written.append(_read(records, each, bounds, f"scoresheet {number + 1}"))
        except Usage as error:
            raise Problem(400, str(error), path=f"$.scoresheets[{number}]") from None
    pins = (Pin(None if pin.ply == "end" else pin.ply, pin.position) for pin in body.pins)
    try:
        return tell(find_match(written, pins, body.result, body.said))
    except Usage as error:
        raise Problem(400, str(error)) from None


def _read(
    records: Mapping[str, Record], given: str | OfMatch, bounds: Bounds, name: str
) -> WrittenScoresheet:
    """Read a scoresheet; moves without a game are of the match beside it."""
    if isinstance(given, OfMatch):
        return scoresheet_of(records[given.match], given.match)
    for record in records.values():
        given = on_paper(given, record)
    return choose([*read_scoresheets(given, bounds)], None, name)
