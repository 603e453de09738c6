"""Build answers shared by several routes, from the record as the caller may see it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Final

import msgspec
from litestar import Response
from litestar.params import QueryParameter

from replay.book import Book
from replay.library.match_state import describe
from replay.reading import hints
from replay.record.match_record import MatchRecord
from replay.tags.names import names_of
from service.http.access import MatchAccess
from service.http.caching import ASK_AGAIN
from service.models import responses

MAX_NAMED: Final = 100
"""The most matches that a header names."""


def answer(value: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response[bytes]:
    """Answer a value as JSON."""
    return Response(
        msgspec.json.encode(value),
        status_code=status,
        media_type="application/json",
        headers=headers,
    )


def current(record: MatchRecord) -> dict[str, str]:
    """Return the headers of an answer about the current match, with its version as the tag."""
    return ASK_AGAIN | {"ETag": f'"{record.match.version}"'}


def left_out(matches: Sequence[str]) -> dict[str, str]:
    """Return the header that names up to 100 matches left out of an answer; empty if none are.

    A damaged book can have any text as an id, which a header could not hold.
    """
    named = ", ".join(ascii(match)[1:-1] for match in matches[:MAX_NAMED])
    return {"Left-Out": named} if matches else {}


def players(book: Book, record: MatchRecord) -> dict[str, str]:
    """Return the known names of the players by seat."""
    return {str(seat): name for seat, name in names_of(book, record).players.items()}


def awaited_seats(record: MatchRecord) -> list[int]:
    """Return the seats that must or may act, each once."""
    return list(dict.fromkeys(one.seat for one in record.state.awaiting()))


def legal_texts(visit: MatchAccess) -> dict[str, tuple[str, ...]]:
    """Return the legal moves by seat, as `GET /matches/{match}/legal` does."""
    record = visit.record
    return {
        str(seat): hints.seat_texts(record, seat, visit.viewer) for seat in awaited_seats(record)
    }


Drawn = Annotated[bool, QueryParameter(description="Answer the drawing, too.")]
"""Whether an answer about a match has its scene."""


def about(
    book: Book, visit: MatchAccess, record: MatchRecord, ply: int, *, scene: bool = False
) -> responses.Standing:
    """Return the state of play of a match after a ply."""
    told = describe(book, record, ply, visit.viewer, scene=scene)
    return responses.Standing(**told, you=responses.You(visit.caller.role, visit.caller.seat))
