"""Legal moves, and hints for a move entered step by step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Final

from litestar import Response, Router, get
from litestar.params import QueryParameter
from msgspec import UNSET

from domain.entry import tokens
from domain.entry.taps import Choice
from replay import rules_text
from replay.reading import hints
from replay.tags.names import names_of
from service.api.presenters import answer, awaited_seats, current
from service.http.access import TheBook, TheMatchAccess
from service.http.book_reads import reads_book
from service.models import responses
from service.openapi.operations import documented

ASeat = Annotated[int | None, QueryParameter(ge=1, le=9, description="Of this seat only.")]
AllMoves = Annotated[bool, QueryParameter(name="all", description="Describe secret moves too.")]
Beginning = Annotated[
    str, QueryParameter(max_length=200, description="The beginning of a token, like `c1>`.")
]
Picks = Annotated[
    str,
    QueryParameter(
        max_length=200,
        description="What was tapped, in order, with commas: squares, sizes, `c1,S,c3`.",
    ),
]


@get("/matches/{match:str}/legal", **documented({200: responses.LegalMoves}, sends=("ETag",)))
async def list_legal(
    visit: TheMatchAccess, seat: ASeat = None, whole: AllMoves = False
) -> Response[bytes]:
    """List the legal moves as tokens, by seat and by piece.

    Secret moves are too many to list; `all` describes them by pattern, with a sample.
    """
    record = visit.record
    seats = [each for each in awaited_seats(record) if seat in (None, each)]
    there = {str(each): hints.legal_choices(record, each) for each in seats}
    body = responses.LegalMoves(
        record.id,
        record.match.version,
        record.state.awaiting(),
        {each: tuple(sorted(move.token for move in moves)) for each, moves in there.items()},
        {each: _by_piece(moves) for each, moves in there.items()},
        {str(each): tuple(hints.secret_moves(record, each)) for each in seats} if whole else UNSET,
    )
    return answer(body, headers=current(record))


@get("/matches/{match:str}/hints", **documented({200: responses.Hint}, sends=("ETag",)))
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
    whose = seat or visit.viewer
    found = hints.picked(record, whose, picks) if picks else hints.entry(record, whose, prefix)
    violation = found.violation
    token = tokens.write(record.game, found.event) if found.event else None
    body = responses.Hint(
        record.id,
        record.match.version,
        found.verdict,
        token,
        found.continuations,
        violation.clause if violation else None,
        rules_text.words(record.game, violation.clause) if violation else None,
        violation.words(names_of(book, record)) if violation else None,
        violation.squares if violation else (),
    )
    return answer(body, headers=current(record))


def _by_piece(moves: Sequence[Choice]) -> dict[str, tuple[str, ...]]:
    """Return tokens by their first pick: a square or a size."""
    found: dict[str, list[str]] = {}
    for move in moves:
        first = move.fields[0].text if move.fields else move.token
        found.setdefault(first, []).append(move.token)
    return {first: tuple(sorted(there)) for first, there in sorted(found.items())}


ROUTER: Final = Router("/", route_handlers=[list_legal, hint])
