"""Verify a match: its hashes, its rules and its dice.

The events that a fork shares are judged by its parent's dice and clock, when the parent is
verified.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from domain.entry import move_text
from domain.events import Moved
from domain.log_edits import SeedRevealed
from domain.match import LogEvent, Match
from domain.names import count
from domain.position import Violation
from replay.book import Book
from replay.errors import Damaged, DamagedMatch, UnknownRuleset, Usage
from replay.fields import Hash
from replay.kept_book import KeptBook
from replay.match_batches import work_on
from replay.record import codec, dice
from replay.record.match_record import Cut, Header, MatchRecord, begin_record, leave_parent
from replay.record.sealed_moves import opened
from replay.referee.referee import Referee
from replay.store.people_chain import cited
from replay.store.stream_verification import StreamFault, people_fault, read_verified
from replay.store.types import KeptPeople, StoredEvent, Stream
from replay.store.validation import notes_header


class DiceAudit:
    """Recomputes the rolls of a match from its seed, if that is known.

    `fault` is an error of the commitment; `unproven` is true if a roll could not be recomputed.
    """

    def __init__(self, start: MatchRecord, log: Sequence[StoredEvent], held: bytes | None) -> None:
        self.header = start.header
        self.fault = self._commitment_fault(held)
        self.unproven = False
        revealed = [*_revealed_seeds(start, log)]
        self._is_revealed, seeds = bool(revealed), (held, *revealed)
        self._seed = next((seed for seed in seeds if seed and self._is_committed(seed)), None)

    def check(self, match: Match, event: LogEvent) -> str | None:
        """Return the fault of a roll, or of a revealed seed, or `None`."""
        if isinstance(event, SeedRevealed) and not self._is_committed(bytes.fromhex(event.seed)):
            return "the revealed seed does not match its commitment"
        if self.header.dice == "table" or not isinstance(event, Moved) or not event.move.chance:
            return None
        if self._seed is None:
            self.unproven = True
            return None
        right = dice.rolled(self._seed, self.header, match, event.seat, type(event.move))
        if right == event:
            return None
        if not self._is_revealed:  # the right events are secret until then
            return "the dice do not follow from the seed"
        given, should = (move_text.write(match.game, each) for each in (event, right))
        return f"the dice do not follow from the seed: {given} should be {should}"

    def _commitment_fault(self, held: bytes | None) -> str | None:
        if self.header.dice == "service" and self.header.commitment is None:
            return "the service rolls the dice, but the header commits to no seed"
        if held is not None and not self._is_committed(held):
            return "the seed in this book does not match its commitment"
        return None

    def _is_committed(self, seed: bytes) -> bool:
        return dice.commitment(seed) == self.header.commitment


def _revealed_seeds(start: MatchRecord, log: Sequence[StoredEvent]) -> Iterator[bytes]:
    """Yield the seeds that the log reveals; unreadable events are reported elsewhere."""
    for stored in log:
        if stored.type == "seed revealed":
            with contextlib.suppress(Damaged, ValueError):
                event = codec.decode(start.game, stored)
                if isinstance(event, SeedRevealed):
                    yield bytes.fromhex(event.seed)


UNTOLD: Final = "the move sealed here was revealed later, but its content is missing"
UNPROVEN: Final = (
    "its dice cannot be recomputed: the seed is not revealed yet, and is not in this book"
)


class Verified(Struct, frozen=True):
    """The result of verifying a match, with the first defect, if any.

    `version` is that of the event, 0 for the header, null if the defect is not in an event. `note`
    names parts that could not be recomputed, such as dice whose seed is missing.
    """

    match: str
    ok: bool
    """Whether every check succeeded."""
    events: int
    """How many events were verified."""
    head: Hash
    """The hash of the last event of the log."""
    version: int | None
    """The version of the defective event; null if no event is defective."""
    fault: str | None
    """The defect in words; null for a valid match."""
    note: str | None
    """A remark; may be empty or null."""
    people_head: Hash | None = None
    """The hash of the last change of names; null if names never changed."""

    def words(self) -> str:
        """Describe the verdict on a match in a line."""
        if self.ok:
            but = f"; {self.note}" if self.note else ""
            people = f", people {self.people_head}" if self.people_head else ""
            return f"{count(self.events, 'event')} verified, head {self.head}{people}{but}"
        return f"DAMAGED at {self.defect}"

    @property
    def defect(self) -> str:
        """The first defect with its place."""
        place = "" if self.version is None else f"version {self.version}: "
        return f"{place}{self.fault}"


def verify_streams(book: Book, streams: Iterable[Stream]) -> Iterator[Verified]:
    """Verify matches and yield their verdicts in order; for many, use several processes.

    The hashes are enough for a match whose game is not installed.
    """
    return work_on(book, streams, partial(verify_match, unrefereed=True))


def verify_match(
    book: Book, stream: Stream, *, unrefereed: bool = False, copied: bool = False
) -> Verified:
    """Verify the hashes of a match and its notes, its commitments, and every event by the rules.

    Flags and fouls are judged by the recorded times, and rolls by the seed, if it is revealed or in
    this book. With `unrefereed` the hashes are enough for a match whose game is not installed. A
    match in a book that is `copied` from an archive must be readable, too, unless the content of a
    sealed move is missing.
    """
    notes = book.store.notes(stream.id)
    log = read_verified(book.store, stream.id)
    if isinstance(log, StreamFault):
        return _verdict(stream, log.version, log.what)
    noted = read_verified(book.store, notes.id) if notes else None
    if isinstance(noted, StreamFault):
        return _verdict(stream, noted.version, f"in the annotations, {noted.what}")
    try:
        start = begin_record(stream)
        misplaced = _misplaced(start) or (notes and _misplaced_notes(stream, notes))
        return misplaced or _with_people(book, stream, _referee(book, start, log, copied))
    except UnknownRuleset as error:
        if not unrefereed:
            return _verdict(stream, 0, str(error))
        unreadable = _unreadable(KeptBook(book), stream) if copied else None
        return unreadable or replace(_verdict(stream), note=f"hashes only, not refereed: {error}")
    except DamagedMatch as error:
        return _verdict(stream, 0, error.what)
    except Usage as error:
        return _verdict(stream, 0, str(error))


def _misplaced(start: MatchRecord) -> Verified | None:
    """Return the fault of a header that does not fit its place in the store, or `None`."""
    stream, header = start.stream, start.header
    if header.id != stream.public_id and not stream.is_carrier:
        return _verdict(stream, 0, f"this is the header of another match, {header.id}")
    if _fork_address(stream) != _header_fork_address(header):
        return _verdict(stream, 0, "it is stored at another fork than its header names")
    return None


def _misplaced_notes(stream: Stream, notes: Stream) -> Verified | None:
    """Return the fault of annotations that are stored with the wrong match, or `None`."""
    if (notes.header, notes.public_id) != (notes_header(stream.public_id), stream.public_id):
        return _verdict(stream, None, "the annotations belong to another match")
    if _fork_address(notes) != (None, None):
        return _verdict(stream, None, "the annotations are stored as a fork")
    return None


def _with_people(book: Book, stream: Stream, verdict: Verified) -> Verified:
    """Add to a verdict the faults of the events of people, and the questions they leave open."""
    people = book.store.people(stream.id)
    fault = people_fault(stream.origin, people) or _citation_fault(book, stream, people)
    if fault and verdict.ok:
        return _verdict(stream, None, fault)
    notes = "; ".join(filter(None, (verdict.note, *_left_open(people))))
    return replace(verdict, note=notes or None, people_head=people.head.hash.hex() or None)


def _citation_fault(book: Book, stream: Stream, people: KeptPeople) -> str | None:
    """Return the fault of a fork that cites people whom its parent never had, or `None`."""
    hash_ = cited(people.events)
    while hash_ is not None and stream.parent is not None:
        stream = book.store.stream(stream.parent)
        there = {each.hash for each in book.store.people(stream.id).events}
        if there:
            return None if hash_ in there else f"it cites people that {stream.public_id} never had"
    return None


def _left_open(people: KeptPeople) -> Iterator[str]:
    """Say which names are older than their events, and which texts are withheld."""
    if people.names and not people.events:
        yield "who played is not in the record before the next change of a name"
    if people.events and people.events[0].event == "found":
        day = datetime.fromtimestamp(people.events[0].at / 1000, UTC)
        yield f"who played is not in the record before {day:%Y-%m-%d}"
    if missing := sum(not each.salt for each in people.texts):
        yield f"{count(missing, 'former name or reason', 'former names and reasons')} not here"


def _fork_address(stream: Stream) -> tuple[int | None, int | None]:
    """Return the version and the ply at which a stream leaves its parent, as stored."""
    return stream.fork_version, stream.fork_ply


def _header_fork_address(header: Header) -> tuple[int | None, int | None]:
    """Return the version and the ply at which a match leaves its parent, by its header."""
    return (header.fork.version, header.fork.ply) if header.fork else (None, None)


def _referee(book: Book, start: MatchRecord, log: Sequence[StoredEvent], copied: bool) -> Verified:
    stream = start.stream
    rolls = DiceAudit(start, log, book.seed(start))
    if rolls.fault is not None:
        return _verdict(stream, 0, rolls.fault)
    audit = _Audit(start, rolls)
    for stored in log:
        try:
            fault = audit.take(stored)
        except Exception as error:  # a log that was tampered with can cause any error
            if (missing_secret := audit.missing_secret()) is not None:
                return _verdict(stream, missing_secret, UNTOLD)
            fault = f"it cannot be read or judged: {error}"
        if fault is not None:
            return _verdict(stream, stored.version, fault)
    # The hashes do not prove that a copy can be read, so look for missing secrets.
    to_read = audit.unknown is None if copied else audit.withheld
    unreadable = _unreadable(book, stream) if to_read else None
    return unreadable or replace(_verdict(stream), note=_note(audit, rolls))


def _unreadable(book: Book, stream: Stream) -> Verified | None:
    """Return the fault of a match that cannot be read, or `None`."""
    try:
        book.read(stream)
    except DamagedMatch as error:
        return _verdict(stream, None, error.what)
    return None


def _note(audit: _Audit, rolls: DiceAudit) -> str | None:
    """Name the parts that could not be recomputed, or return `None`."""
    if audit.unknown is not None:
        after = f"after the sealed move of version {audit.unknown}"
        return f"nothing can be judged {after}, as its content is not here"
    if (missing := audit.missing_secret()) is not None:
        return f"version {missing} is still sealed, and its content is not here"
    return UNPROVEN if rolls.unproven else None


class _Audit:
    """Replays a log under a referee; the shared events of a fork are not judged."""

    def __init__(self, start: MatchRecord, rolls: DiceAudit) -> None:
        header = start.header
        self._start = start
        self._rolls = rolls
        self._cuts = dict(header.cuts)
        self._fork = header.fork.version if header.fork else None
        self._shared = replace(header, dice="table", clock=None)
        self.withheld: dict[int, int] = {}
        """The last version of each seat whose secret is missing."""
        self.unknown: int | None = None
        """The version of a move whose missing secret decides the rest of the match."""
        whose = header if self._fork is None else self._shared
        self._referee = Referee(whose, start.match, start.times)

    def take(self, stored: StoredEvent) -> str | None:
        """Advance by the next event, or return its fault."""
        referee = self._fork_referee()
        if not codec.commitment_holds(stored):
            return "the sealed move does not match its commitment"
        event = codec.decode(self._start.game, stored)
        if self.unknown is not None:
            return None
        if codec.is_withheld(stored) and isinstance(event, Moved):
            self.withheld[event.seat] = stored.version
            violation = _check_awaited(referee.match, event)
        elif isinstance(event, Moved) and self._is_unknown_hand(referee.match, event.seat):
            violation = _check_awaited(referee.match, event)
        else:
            violation = referee.check(event, stored.at)
        if violation is not None:
            return f"{violation.message} ({violation.clause})"
        fault = None
        if referee.header is self._start.header:
            fault = self._rolls.check(referee.match, event)
        if fault is None:
            sealed = referee.match.state.position.sealed
            referee.take(event, stored.at)
            if codec.is_withheld(stored) and self._is_opened(sealed, referee.match):
                self.unknown = stored.version
        return fault

    def _is_opened(self, sealed: Iterable[int], after: Match) -> bool:
        """Return whether a secret that is missing is needed after a move."""
        return opened((seat for seat in sealed if seat in self.withheld), after)

    def _is_unknown_hand(self, match: Match, seat: int) -> bool:
        """Return whether a secret that is missing here decides which moves of a seat are legal."""
        return seat in self.withheld and seat in match.state.position.guarded

    def missing_secret(self) -> int | None:
        """Return the version of a pending sealed move whose secret is missing."""
        sealed = self._referee.match.state.position.sealed
        return next((self.withheld[seat] for seat in sealed if seat in self.withheld), None)

    def _fork_referee(self) -> Referee:
        """Return a referee for the events after a fork, with the fork's own dice and clock."""
        match = self._referee.match
        if match.version in self._cuts:
            cut = Cut(match.version, self._cuts[match.version])
            own = match.version == self._fork
            header = self._start.header if own else self._shared
            self._referee = Referee(header, leave_parent(match, cut), self._start.times)
        return self._referee


def _check_awaited(match: Match, event: Moved) -> Violation | None:
    """Check a move whose legality cannot be known: its seat must be awaited for such a move."""
    tag = event.move.__struct_config__.tag
    if match.state.outcome is None:
        for awaited in match.state.position.awaiting():
            if awaited.seat == event.seat and tag in awaited.moves:
                return None
    return Violation("turn", f"no {event.move.what} of seat {event.seat} is awaited")


def _verdict(stream: Stream, version: int | None = None, fault: str | None = None) -> Verified:
    head = stream.head_hash.hex()
    return Verified(stream.public_id, fault is None, stream.head, head, version, fault, None)
