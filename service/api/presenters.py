"""Build answers shared by several routes, from the record as the caller may see it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import msgspec
from litestar import Response

from replay.access.visibility import read_visibility
from replay.book import Book
from replay.reading import hints, timeline
from replay.record import clock
from replay.record.match_record import MatchRecord
from replay.record.match_summary import describe_standing
from replay.tags.names import names_in, names_of, seats
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
    """Return the header that names up to 100 matches left out of an answer, if there are any.

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


def legal_tokens(visit: MatchAccess) -> dict[str, tuple[str, ...]]:
    """Return the legal moves by seat, as `GET /matches/{match}/legal` does."""
    record = visit.record
    return {
        str(seat): tuple(
            sorted(move.text for move in hints.legal_choices(record, seat, visit.viewer))
        )
        for seat in awaited_seats(record)
    }


def about(book: Book, visit: MatchAccess, record: MatchRecord, ply: int) -> responses.Standing:
    """Return the state of play of a match after a ply."""
    here = timeline.point(record, ply, visit.viewer)
    header, match = record.header, record.match
    facts = book.facts(record)
    names = names_in(facts, seats(record))
    return responses.Standing(
        match=record.id,
        game=record.game.slug,
        name=record.game.name,
        rules=header.rules,
        kind=header.kind,
        options=header.options,
        seats=match.seats,
        players={str(seat): name for seat, name in names.players.items()},
        visibility=read_visibility(facts),
        dice=_dice(record),
        clock=_clock(record),
        legal=header.legal,
        tries=header.tries,
        start=header.position,
        created=header.created,
        version=match.version,
        ply=ply,
        plies=len(match.line),
        turn=here.turn,
        standing=describe_standing(match.at(ply), names),
        awaiting=here.awaiting,
        quiet=match.at(ply).quiet,
        offered=here.offered,
        asked=match.asked.ply if match.asked else None,
        asked_by=match.asked.seat if match.asked else None,
        outcome=here.outcome.read().to_dict() if here.outcome else None,
        scene=here.scene,
        head=record.stream.head_hash.hex(),
        you=responses.You(visit.caller.role, visit.caller.seat),
    )


def _dice(record: MatchRecord) -> responses.Dice:
    header = record.header
    return responses.Dice(header.dice, header.commitment, record.match.seed)


def _clock(record: MatchRecord) -> responses.ClockState | None:
    limits = record.header.clock
    if limits is None:
        return None
    times = record.times or clock.start_times(limits, record.match.seats)
    there = clock.clocks(limits, times)
    return responses.ClockState(
        limits.move,
        limits.total,
        limits.increment,
        limits.programming,
        limits.control,
        there.since,
        there.seats,
    )
