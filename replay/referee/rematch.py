"""Play once more: the same people, the same rules, sides swapped on request.

The tokens of a match open its rematch too, each for the seat that its holder has there, so players
need no new invitation.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from domain.names import is_role
from domain.position import Violation
from replay.access import visibility
from replay.access.credentials import derived_id
from replay.book import Book
from replay.errors import Refused, Usage
from replay.fields import Seat
from replay.record.match_creation import MatchCredentials
from replay.record.match_record import MatchRecord
from replay.referee import evenings
from replay.referee.opening import open_match
from replay.store.types import Capability, Stream
from replay.tags.names import names_of, seats

NEXT: Final = "rematch.next"
"""The fact of a match that names its rematch."""
OF: Final = "rematch.of"
"""The fact of a rematch that names the match before it."""
BY: Final = "rematch.by"
"""The fact of a rematch: the seat in the match before that wanted it; empty for the host."""
SWAPPED: Final = "rematch.swapped"
"""The fact of a rematch in which every player has the next seat."""

MAX_MATCHES: Final = 100
"""The most matches of a series that are counted."""

GOING_ON: Final = Violation("turn", "the match is not over; ask for a rematch when it is")
ANALYSIS: Final = Violation("turn", "this is a variation; only the match itself can have a rematch")


class OpenedRematch(Struct, frozen=True):
    """The rematch of a match, and the seat that wanted it."""

    match: str
    by: Seat | None
    """The seat that wanted it; null for the host."""
    swapped: bool
    """Whether each player has the next seat."""


class Series(Struct, frozen=True):
    """The results of a chain of rematches, by the seats of its last match."""

    won: dict[int, int]
    drawn: int

    @property
    def played(self) -> int:
        """The number of matches that ended."""
        return sum(self.won.values()) + self.drawn


def open_rematch(
    book: Book, record: MatchRecord, *, seat: int | None = None, swap: bool = False
) -> OpenedRematch:
    """Open the rematch that a seat or the host wants, or return the rematch that is open already.

    With `swap` every player moves on to the next seat. Raises `Refused` before the match is over,
    and for a variation.
    """
    if record.header.kind == "variation":
        raise Refused(ANALYSIS, record.match, seat)
    if record.state.outcome is None:
        raise Refused(GOING_ON, record.match, seat)
    there = find_rematch(book, record)
    if there is not None:
        return there
    keys = tuple(_moved_keys(book, record, swap))
    stream = _unused(book, record)
    if isinstance(stream, str):
        try:
            stream = _open(book, record, MatchCredentials(stream, keys), seat, swap).stream
        except Usage:  # another request was faster
            stream = _unused(book, record)
            if isinstance(stream, str):
                raise
    book.store.set_metadata(record.stream.id, {NEXT: stream.public_id}).result()
    return _described(book, stream)


def find_rematch(book: Book, record: MatchRecord) -> OpenedRematch | None:
    """Return the rematch of a match, or `None` if it was not opened or was deleted."""
    named = book.store.metadata(record.stream.id).get(NEXT)
    stream = book.find_existing(named) if named else None
    return None if stream is None or stream.trashed else _described(book, stream)


def count_series(book: Book, record: MatchRecord) -> Series:
    """Count each player's wins in a match and in the matches before it."""
    won = dict.fromkeys(seats(record), 0)
    drawn = 0
    for match, person in _chain(book, record):
        outcome = match.state.outcome
        if outcome is None or outcome.abandoned:
            continue
        drawn += not outcome.winners
        for winner in outcome.winners:
            won[person[winner]] += 1
    return Series(won, drawn)


def _chain(book: Book, record: MatchRecord) -> Iterator[tuple[MatchRecord, dict[int, int]]]:
    """Yield the match and the matches before it, with the last seats of its players by seat."""
    person = {seat: seat for seat in seats(record)}
    for _ in range(MAX_MATCHES):
        yield record, person
        facts = book.store.metadata(record.stream.id)
        stream = book.find_existing(facts[OF]) if OF in facts else None
        if stream is None or stream.trashed:
            return
        record = book.read(stream)
        if record.match.seats != len(person):
            return
        if SWAPPED in facts:
            person = {seat: person[_next_seat(seat, len(person))] for seat in person}


def _open(
    book: Book, record: MatchRecord, credentials: MatchCredentials, seat: int | None, swap: bool
) -> MatchRecord:
    header, count = record.header, record.match.seats
    names = names_of(book, record).players
    players = {_next_seat(each, count) if swap else each: name for each, name in names.items()}
    kept = {each: name for each, name in players.items() if is_role(name)}  # as imported
    facts = {
        **{f"Seat{each}": name for each, name in kept.items()},
        OF: record.id,
        **({BY: str(seat)} if seat else {}),
        **({SWAPPED: "yes"} if swap else {}),
    }
    return open_match(
        book,
        record.game,
        players={each: name for each, name in sorted(players.items()) if each not in kept},
        seats=count,
        options={name: str(value) for name, value in header.options.items()},
        dice=header.dice,
        clock=header.clock,
        unjudged=header.unjudged,
        legal=header.legal,
        tries=header.tries,
        comments=header.comments,
        shown=visibility.visibility_of(book, record),
        tags=evenings.table_tags(book.store.metadata(record.stream.id)),
        more=facts,
        evening=evenings.evening_of(book, record),
        credentials=credentials,
    )


def _moved_keys(book: Book, record: MatchRecord, swap: bool) -> Iterator[Capability]:
    """Yield the tokens of a match with the seats that they are for in its rematch."""
    count = record.match.seats
    for digest, role, seat in book.store.keys(record.stream.id):
        moved = _next_seat(seat, count) if swap and seat is not None else seat
        yield digest, role, moved


def _next_seat(seat: int, count: int) -> int:
    return seat % count + 1


def _unused(book: Book, record: MatchRecord) -> Stream | str:
    """Return the rematch that was opened, or the id for a new rematch.

    The id is derived from the match's id, so that only one of several concurrent requests opens a
    rematch. If a match with this id was deleted, or is not a rematch, the next id is tried.
    """
    name = record.id
    for _ in range(MAX_MATCHES):
        name = derived_id(b"rematch " + name.encode())
        stream = book.find_existing(name)
        if stream is None:
            return name
        if not stream.trashed and _is_rematch(book, stream, record.stream):
            return stream
    raise Usage("too many rematches of this match were deleted; open a new match")


def _is_rematch(book: Book, stream: Stream, before: Stream) -> bool:
    """Return whether a match is a rematch that this book opened, and not an imported record."""
    tokens, those_before = (
        {digest for digest, _, _ in book.store.keys(each.id)} for each in (stream, before)
    )
    of = book.store.metadata(stream.id).get(OF)
    return of == before.public_id and not tokens.isdisjoint(those_before)


def _described(book: Book, stream: Stream) -> OpenedRematch:
    facts = book.store.metadata(stream.id)
    by = facts.get(BY, "")
    return OpenedRematch(stream.public_id, int(by) if by.isdecimal() else None, SWAPPED in facts)
