"""Find the match that fits one or two scoresheets."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Final, Literal

from litestar import Response
from litestar.params import JSONBody
from msgspec import Meta, Struct

from domain.reconstruction.scoresheet import MAX_SCORESHEETS
from replay.book import Book
from replay.errors import Usage
from replay.formats.import_bounds import Bounds
from replay.formats.ply.writer import export_lines
from replay.formats.reconstructing import Pin, Reconstructed, choose, find_match
from replay.formats.scoresheets import WrittenScoresheet, read_scoresheets, scoresheet_of
from service.api.presenters import answer
from service.app_state import TheAppState
from service.http import text_limits
from service.http.access import AnyRequest, open_match, visit_of
from service.http.book_reads import read_book
from service.http.caching import NO_STORE
from service.http.cookies import check_origin
from service.http.problems import Problem
from service.http.rights import NONE
from service.openapi.operations import post
from service.workers.process import LONG_LIMIT

BYTES_PER_REQUEST: Final = 256
"""The bytes of scoresheets that cost one request; a hundred plies cost about five."""
COST: Final = 5
"""The cost of a reconstruction besides, in requests."""


class OfMatch(Struct, frozen=True, forbid_unknown_fields=True):
    """A match as a scoresheet, by its id."""

    match: Annotated[str, Meta(pattern="^[0-9a-z]{1,40}$")]


class PinnedPosition(Struct, frozen=True, forbid_unknown_fields=True):
    """A position that the table knows, after a ply or at the end."""

    ply: Annotated[int, Meta(ge=0, le=1_000_000)] | Literal["end"]
    """The ply that the position follows, or `end`."""
    position: Annotated[str, Meta(min_length=1, max_length=2000)]


class ReconstructionRequest(Struct, frozen=True, forbid_unknown_fields=True):
    r"""One scoresheet or two, as text records, texts of other programs, or matches.

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


@post(
    "/records/reconstruct",
    {200: Reconstructed},
    right=NONE,
    problems=(401, 403, 404, 503),
    bounds=text_limits.BOUNDS,
)
async def reconstruct_match(
    request: AnyRequest, data: JSONBody[ReconstructionRequest], live: TheAppState
) -> Response[bytes]:
    """Find the match that fits one or two scoresheets, and the questions they leave open.

    `--` in a record stands for moves that nobody wrote down, the comment `{[%unsure]}` marks an
    entry whose writer was not sure. A ply that is not `certain` has `choices`. Nothing is stored. A
    private match needs its token.
    """
    check_origin(request)
    for each in data.scoresheets:
        if isinstance(each, OfMatch):
            record = await open_match(request, each.match)
            await read_book(live.book, partial(visit_of, request, live.book, record))
    size = sum(len(each) if isinstance(each, str) else 1000 for each in data.scoresheets)
    found = await live.workers.do(
        request,
        reconstruct_scoresheets,
        data,
        text_limits.bounds(live.settings),
        cost=COST + size // BYTES_PER_REQUEST,
        seconds=LONG_LIMIT,
    )
    return answer(found, headers=NO_STORE)


def reconstruct_scoresheets(
    book: Book, body: ReconstructionRequest, bounds: Bounds
) -> Reconstructed:
    """Read scoresheets, and find their match. Raises `Problem` 400."""
    written = list[WrittenScoresheet]()
    for number, each in enumerate(body.scoresheets):
        try:
            written.append(_read(book, each, bounds, f"scoresheet {number + 1}"))
        except Usage as error:
            raise Problem(400, str(error), path=f"$.scoresheets[{number}]") from None
    pins = (Pin(None if pin.ply == "end" else pin.ply, pin.position) for pin in body.pins)
    try:
        return find_match(written, pins, body.result).answer
    except Usage as error:
        raise Problem(400, str(error)) from None


def _read(book: Book, given: str | OfMatch, bounds: Bounds, name: str) -> WrittenScoresheet:
    if isinstance(given, OfMatch):
        return scoresheet_of(export_lines(book, book.open(given.match)))
    return choose([*read_scoresheets(given, bounds)], None, name)
