"""Verify stored matches: hash the log again, and referee it again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from domain.events import Moved
from domain.game import Violation
from domain.match import Match
from replay import codec
from replay.book import Book
from replay.errors import Damaged, Usage
from replay.recorded import Cut, Header, leave_parent, unplayed
from replay.store.protocol import Stream
from replay.store.verify import verify_chain

UNTOLD: Final = "what was sealed here was revealed later, and is not here"


class Verdict(Struct, frozen=True):
    """What verifying a match found: nothing, or the first place where something is off.

    `version` is that of the event, 0 for the header, `None` for what is at no event.
    """

    match: str
    ok: bool
    events: int
    head: str
    version: int | None = None
    fault: str | None = None

    def told(self) -> str:
        """Say it to a person in a line."""
        if self.ok:
            return f"{self.events} events verified, head {self.head}"
        place = "" if self.version is None else f"version {self.version}: "
        return f"DAMAGED at {place}{self.fault}"


def verify_all(book: Book) -> Iterator[Verdict]:
    """Verify every match of the book, the trash included."""
    for trashed in (False, True):
        for stream in book.store.matches(trashed=trashed):
            yield verify_match(book, stream)


def verify_match(book: Book, stream: Stream) -> Verdict:
    """Check a match's hashes and its notes', its commitments, and every event by the rules."""
    notes = book.store.notes(stream.id)
    for each in (stream, notes):
        flaw = each and verify_chain(book.store, each.id)
        if flaw:
            what = flaw.what if each is stream else f"in the annotations, {flaw.what}"
            return _verdict(stream, flaw.version, what)
    try:
        start = unplayed(stream)
        return _referee(book, stream, start.match, start.header)
    except (Damaged, Usage) as error:
        return _verdict(stream, 0, str(error))


def _referee(book: Book, stream: Stream, match: Match, header: Header) -> Verdict:
    cuts, withheld = dict(header.cuts), dict[int, int]()
    for stored in book.store.read(stream.id):
        try:
            if match.version in cuts:
                match = leave_parent(match, Cut(match.version, cuts[match.version]))
            if not codec.commitment_holds(stored):
                return _verdict(
                    stream, stored.version, "the sealed move is not the one committed to"
                )
            event = codec.decode(match.game, stored)
            if codec.is_withheld(stored) and isinstance(event, Moved):
                withheld[event.seat] = stored.version
                violation = _unawaited(match, event)
            else:
                violation = match.check(event)
            if violation is not None:
                return _verdict(stream, stored.version, f"{violation.message} ({violation.clause})")
            match = match.evolve(event)
        except Exception as error:  # a log that was tampered with can upset anything
            for seat in match.state.position.sealed:
                if seat in withheld:
                    return _verdict(stream, withheld[seat], UNTOLD)
            return _verdict(stream, stored.version, f"it cannot be read or judged: {error}")
    try:
        book.read(stream)  # also finds what was revealed but is not here
    except Damaged as error:
        return _verdict(stream, None, str(error))
    return _verdict(stream)


def _unawaited(match: Match, event: Moved) -> Violation | None:
    """Judge a sealed move whose content is not here: its seat must be awaited with such a move."""
    tag = event.move.__struct_config__.tag
    if match.state.outcome is None:
        for one in match.state.position.awaiting():
            if one.seat == event.seat and tag in one.moves:
                return None
    return Violation("turn", f"seat {event.seat} is not awaited with a {event.move.what}")


def _verdict(stream: Stream, version: int | None = None, fault: str | None = None) -> Verdict:
    head = stream.head_hash.hex()
    return Verdict(stream.public_id, fault is None, stream.head, head, version, fault)
