"""Legal moves, hints for a move entered step by step, and a search for forgotten moves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Final

from litestar import Response
from litestar.params import FromQuery, QueryParameter
from msgspec import UNSET, Struct

from domain.entry import move_text
from domain.entry.taps import Choice
from replay import rules_text
from replay.book import Book
from replay.corrections.missing_moves import Gap, GapWay, SearchBounds, find_gap
from replay.reading import hints
from replay.referee.guarded import UNTRIED
from replay.tags.names import names_of
from service.api.presenters import answer, awaited_seats, current
from service.app_state import TheAppState
from service.http.access import AnyRequest, TheBook, TheMatchAccess
from service.http.book_reads import reads_book
from service.http.caching import ASK_AGAIN
from service.http.problems import Problem, blaming
from service.http.rights import WRITER
from service.models import responses
from service.openapi.operations import get

ASeat = Annotated[int | None, QueryParameter(ge=1, le=9, description="Of this seat only.")]
AllMoves = Annotated[bool, QueryParameter(name="all", description="Describe secret moves too.")]
Beginning = Annotated[
    str, QueryParameter(max_length=200, description="The beginning of a move's text, like `c1>`.")
]
Picks = Annotated[
    str,
    QueryParameter(
        max_length=200, description="The taps in order, with commas: squares, sizes, `c1,S,c3`."
    ),
]

BOUNDS: Final = SearchBounds(length=4, nodes=20_000, seconds=2.0)
"""Only writers can search, and only briefly: a search occupies a processor."""
COST: Final = 20
"""The cost of a search, in requests."""


class FoundGap(Struct, frozen=True):
    """The shortest ways from a ply to the position on the table; empty if no way was found.

    All ways of up to `searched` events were tried; `stopped` names the limit, `nodes` or `seconds`,
    that ended the search early.
    """

    match: str
    version: responses.Version
    ply: responses.Ply
    ways: tuple[GapWay, ...]
    """The ways that were found, the shortest first."""
    searched: int
    """The number of events up to which all ways were tried."""
    stopped: str | None
    """The limit that ended the search early; null if no limit was reached."""


@get("/matches/{match:str}/legal", {200: responses.LegalMoves}, sends=("ETag",))
async def list_legal(
    visit: TheMatchAccess, seat: ASeat = None, whole: AllMoves = False, picks: Picks = ""
) -> Response[bytes]:
    """List the legal moves as texts, by seat and by piece.

    Secret moves are too many to list; `all` describes them by pattern, with a sample. Moves of a
    free board are too many as well; `picks` lists the moves that contain the taps. A list is empty
    if it would reveal a secret of its seat, like a hand of cards.
    """
    record = visit.record
    seats = [each for each in awaited_seats(record) if seat in (None, each)]
    there = {str(each): hints.legal_choices(record, each, visit.viewer) for each in seats}
    body = responses.LegalMoves(
        record.id,
        record.match.version,
        record.state.awaiting(),
        {each: tuple(sorted(move.text for move in moves)) for each, moves in there.items()},
        {each: _by_piece(moves) for each, moves in there.items()},
        {each: tuple(hints.sealable_moves(record, int(each), visit.viewer)) for each in there}
        if whole
        else UNSET,
        {each: hints.begun_choices(record, int(each), picks, visit.viewer) for each in there}
        if picks
        else UNSET,
    )
    return answer(body, headers=current(record))


@get("/matches/{match:str}/hints", {200: responses.Hint}, sends=("ETag",))
@reads_book
def hint(
    book: TheBook,
    visit: TheMatchAccess,
    prefix: Beginning = "",
    picks: Picks = "",
    seat: ASeat = None,
) -> Response[bytes]:
    """Return whether the beginning of a move is illegal, and why, or how it can continue."""
    record = visit.record
    whose, viewer = seat or visit.viewer, visit.viewer
    if picks:
        found = hints.picked(record, whose, picks, viewer)
    else:
        found = hints.entry(record, whose, prefix, viewer)
    violation = found.violation
    text = move_text.write(record.game, found.event) if found.event else None
    body = responses.Hint(
        record.id,
        record.match.version,
        found.verdict,
        text,
        found.continuations,
        violation.clause if violation else None,
        rules_text.words(record.game, violation.clause) if violation else None,
        violation.words(names_of(book, record)) if violation else None,
        violation.squares if violation else (),
    )
    return answer(body, headers=current(record))


@get(
    "/matches/{match:str}/gap", {200: FoundGap}, right=WRITER, problems=(409, 503), sends=("ETag",)
)
async def find_the_gap(
    request: AnyRequest,
    live: TheAppState,
    visit: TheMatchAccess,
    to: Annotated[
        str,
        QueryParameter(max_length=2000, description="The position; ? stands for an unknown field."),
    ],
    ply: FromQuery[int | None] = None,
) -> Response[bytes]:
    """Search the moves that lead from a ply of the record to the position on the table.

    The search covers up to four events and takes at most two seconds.
    """
    if visit.record.header.legal == "withheld":
        raise Problem(409, UNTRIED.words(), "hidden")
    record, here = visit.record, visit.record.ply(ply)
    with blaming("to"):
        found = await live.workers.do(
            request, search_gap, record.id, record.match.version, here, to, cost=COST
        )
    body = FoundGap(
        record.id, record.match.version, here, found.ways, found.searched, found.stopped
    )
    return answer(body, headers=ASK_AGAIN)


def _by_piece(moves: Sequence[Choice]) -> dict[str, tuple[str, ...]]:
    """Return texts by their first pick: a square or a size."""
    found: dict[str, list[str]] = {}
    for move in moves:
        first = move.fields[0].text if move.fields else move.text
        found.setdefault(first, []).append(move.text)
    return {first: tuple(sorted(there)) for first, there in sorted(found.items())}


def search_gap(book: Book, match: str, version: int, ply: int, to: str) -> Gap:
    """Search the missing moves from a ply of a match at a version to the position `to`."""
    return find_gap(book.open(match).at_version(version), ply, to, BOUNDS)
