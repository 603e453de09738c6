"""Import the missing matches and events of an archive into a book, all or none."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from typing import BinaryIO

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from replay.annotations.current import read_notes
from replay.annotations.events import clean_note
from replay.book import Book
from replay.branches import forks
from replay.errors import AmbiguousMatch, DamagedMatch, Diverged, Refused, UnknownMatch, Usage
from replay.formats.archive.reader import Archive, read_archive, verdicts
from replay.formats.import_bounds import UNBOUNDED, Bounds
from replay.formats.reader_warning import ReaderWarning
from replay.kept_book import KeptBook, is_kept, needs
from replay.reading.brought_in import FACT, mark
from replay.record import dice
from replay.record.codec import is_withheld
from replay.record.match_creation import MatchCredentials, new_match_id
from replay.record.match_record import Header, MatchRecord, header_of
from replay.record.match_summary import summary_of
from replay.record.sealed_moves import sealing
from replay.referee.entering import pending
from replay.store import validation
from replay.store.people_chain import NEEDS_REASON, fold, merged, with_names
from replay.store.sql.store import Store
from replay.store.types import (
    Author,
    Creation,
    KeptPeople,
    NewEvent,
    PersonEvent,
    StoredEvent,
    Stream,
    Summary,
)
from replay.tags.match_tags import is_imported
from replay.tags.names import ROLES


class ArchiveImport(Struct, frozen=True, omit_defaults=True):
    """The result for a match: the numbers of new events and notes.

    `people` counts new changes of who played, `new` says that the match is new. `note` says that
    the match is kept without being refereed, because its game is not installed, or what is odd
    about the authors and times of its events.
    """

    match: str
    new: bool
    events: int
    notes: int
    note: str | None = None
    people: int = 0
    warnings: tuple[ReaderWarning, ...] = ()

    def words(self) -> str:
        """Describe what the import of a match from an archive added."""
        if not (self.new or self.events or self.notes or self.people):
            return "already in the book; nothing is new"
        more = f"events: {self.events}, annotations: {self.notes}"
        more += f", changes of who played: {self.people}" if self.people else ""
        more += f"; {self.note}" if self.note else ""
        return more if self.new else f"already in the book; new {more}"


class _Change(Struct, frozen=True):
    """The changes for a match of an archive; `there` is the match in the book, if any.

    `brought_in` is the fact about them, `summary` the match's summary after them. A match without
    its game has no summary, but a `note`. `people` combines the people of both copies; `kept` are
    the people in the book.
    """

    stream: Stream
    there: Stream | None
    events: Sequence[NewEvent]
    notes: Sequence[NewEvent]
    brought_in: dict[str, str]
    summary: Summary | None
    people: KeptPeople
    kept: KeptPeople
    note: str | None = None

    @property
    def adds(self) -> bool:
        """Whether the match in the book changes."""
        return bool(self.events or self.notes) or self.people != self.kept

    def outcome(self) -> ArchiveImport:
        """Return the result for the match."""
        new = self.there is None
        people = 0 if new else len(self.people.events) - len(self.kept.events)
        counts = len(self.events), len(self.notes)
        return ArchiveImport(self.stream.public_id, new, *counts, self.note, people)


def import_archive(
    book: Book,
    file: BinaryIO,
    credentials: Callable[[MatchRecord], MatchCredentials] | None = None,
    bounds: Bounds = UNBOUNDED,
    *,
    again: bool = False,
    check: Callable[[Stream], object] = bool,
    dry_run: bool = False,
) -> list[ArchiveImport]:
    """Import the matches of an archive into the book, and return the result for each.

    `credentials` makes the credentials of a new match. With `again`, a match that the book already
    has is copied under a new id, with its forks. `check` gets each match of the book that the
    archive would continue, and raises an error to refuse it. With `dry_run` everything is checked,
    and nothing is stored.

    The import stores nothing unless every line verifies (`BadLine`), continues the book's matches
    (`Diverged`) and can be read (`Usage` while a move is sealed). A match is stored whole; if a
    match of the book grows meanwhile (`Stale`), repeat the import. Tags of a match that the book
    already has stay unchanged. Its players change with the events of people that the book lacks;
    erased ones do not come back, which a warning says.
    """
    with closing(read_archive(file, bounds)) as archive:
        list(verdicts(archive))
        copies: dict[str, str] = {}
        changes = [_change(book, archive, each, again, copies) for each in archive.matches]
        for change in changes:
            if change.there is not None and change.adds:
                check(change.there)
        for change in changes if not dry_run else ():
            if change.there is not None:
                _append(book.store, change.there, change)
        if not dry_run:
            _create(book, archive, changes, credentials or _id_only)
        told = [
            (
                *(each for each in archive.warnings if each.record == number),
                *_stay_erased(archive, number, change),
            )
            for number, change in enumerate(changes, 1)
        ]
    return [
        replace(change.outcome(), warnings=warnings)
        for change, warnings in zip(changes, told, strict=True)
    ]


def _change(
    book: Book, archive: Archive, stream: Stream, again: bool, copies: dict[str, str]
) -> _Change:
    """Return the changes for a match; `copies` has the ids of the matches that are copied."""
    store, now = book.store, book.now()
    header, there = header_of(stream), _find(store, stream.public_id)
    if again and (there is not None or (header.fork and header.fork.match in copies)):
        copies[header.id], there = new_match_id(), None
    events = archive.store.read(stream.id, stream.fork_version or 0)
    notes = read_notes(archive.store, stream)
    kept, people = KeptPeople(), archive.store.people(stream.id)
    if there is not None:
        if there.origin != stream.origin:
            raise Diverged(f"{there.public_id} has diverged: in the book it has a different header")
        events = _more_events(there, store.read(there.id, there.fork_version or 0), events)
        notes = _more_notes(there, read_notes(store, there), notes)
        kept = store.people(there.id)
        people = merged(there.public_id, kept, people)
    record = _read(archive, stream)
    copied = _copied(stream, header, copies)
    new = [each.as_new() for each in events], [each.as_new() for each in notes]
    facts = mark(events, now, book.store.metadata(there.id) if there else {})
    if is_kept(record):
        return _Change(copied, there, *new, facts, None, people, kept, needs(record))
    _check_readable(archive, record, {event.version for event in events})
    if there is None:
        _check_fork(archive, record)
    else:
        if events:
            _check_added(archive, record, events[0].version - 1, now)
        _check_named(archive, record, people.events[len(kept.events) :])
    note = None if there else doubts(events, people.events, now)
    summary = summary_of(record)
    return _Change(copied, there, *new, facts, summary, people, kept, note)


def _read(archive: Archive, stream: Stream) -> MatchRecord:
    """Return a verified match. Raises `Usage` if sealed moves decide how the match goes on."""
    try:
        return KeptBook(Book(archive.store)).read(stream)
    except DamagedMatch:
        log = archive.store.read(stream.id)
        sealed = next((each.version for each in log if is_withheld(each)), None)
        raise _still_sealed(archive, stream, sealed) from None


def _still_sealed(archive: Archive, stream: Stream, version: int | None) -> Usage:
    return Usage(
        f"line {archive.line(stream, version)}: this move is still sealed, so"
        f" {stream.public_id} cannot be imported; export it again once the move is revealed"
    )


def _copied(stream: Stream, header: Header, copies: Mapping[str, str]) -> Stream:
    """Return the stream of a copy, or the stream itself. Raises `Usage` if it cannot be copied."""
    if header.id not in copies:
        return stream
    if header.dice == "service":
        raise Usage(f"{header.id} cannot be copied: its dice follow from its id; fork it")
    fork = header.fork
    if fork is not None:
        fork = replace(fork, match=copies.get(fork.match, fork.match))
    header = replace(header, id=copies[header.id], fork=fork)
    return replace(stream, public_id=header.id, header=msgspec.json.encode(header))


def _find(store: Store, public_id: str) -> Stream | None:
    try:
        found = store.find(public_id)
    except (UnknownMatch, AmbiguousMatch):
        return None
    return found if found.public_id == public_id else None


def _more_events(
    stream: Stream, known: Sequence[StoredEvent], events: Sequence[StoredEvent]
) -> list[StoredEvent]:
    """Return the events that follow the known events. Raises `Diverged`."""
    more = list(events[len(known) :])
    for own_event, other in zip(known, events, strict=False):
        if own_event.hash != other.hash:
            raise Diverged(
                f"{stream.public_id} has diverged: the book and the archive have different events"
                f" at version {own_event.version}"
            )
        if more and is_withheld(own_event) and other.sealed is not None:
            raise Diverged(
                f"the book has version {own_event.version} of {stream.public_id} without its"
                " sealed move, which has since been revealed;"
                " delete the match with --purge, and import again"
            )
    return more


def _more_notes(
    stream: Stream, known: Sequence[StoredEvent], notes: Sequence[StoredEvent]
) -> list[StoredEvent]:
    """Return the notes that the book lacks; both copies may have been annotated."""
    contents = {note.id: _content(note) for note in known}
    for note in notes:
        if contents.get(note.id, _content(note)) != _content(note):
            raise Diverged(f"annotation {note.id.hex()} of {stream.public_id} differs in the book")
    return [note for note in notes if note.id not in contents]


def _content(note: StoredEvent) -> tuple[str, str, int, bytes]:
    """Return the parts that identify a note in two books, even if one book has cleaned it."""
    new, _ = clean_note(note.as_new())
    return new.type, new.actor, new.at, new.data


def _check_readable(archive: Archive, record: MatchRecord, versions: set[int]) -> None:
    """Refuse a match that could not be played on, because a secret is missing."""
    for ply in pending(record):
        if ply.version in versions:
            raise _still_sealed(archive, record.stream, ply.version)


def _check_fork(archive: Archive, record: MatchRecord) -> None:
    """Refuse a fork at a secret: the book may have what the archive lacks."""
    begun = record.at_version(record.shared)
    try:
        forks.check_open(begun, begun.ply())
    except Refused as refused:
        raise Usage(f"line {archive.line(record.stream, 0)}: {refused}") from None


def _check_added(archive: Archive, record: MatchRecord, known: int, now: int) -> None:
    """Judge the events after the known events of a match as if its host entered them.

    The archive must prove what the book keeps secret, or a refusal would reveal that: the hands
    and programs sealed so far, and the dice. Raises `Usage`.
    """
    before = record.at_version(known)
    sealed = (sealing(before.match.line, seat) for seat in before.state.position.sealed)
    if any(ply and is_withheld(record.entry(ply.version)) for ply in sealed):
        line = archive.line(record.stream, known + 1)
        raise Usage(f"line {line}: moves or hands are sealed here; enter this at {record.id}")
    last = before.at
    for event, stored in zip(record.events[known:], record.log[known:], strict=True):
        fault = None
        if record.header.dice == "service" and dice.is_rolled(event) and not record.match.seed:
            fault = f"{dice.BY_HAND.message}, or export again once the seed is revealed"
        elif record.header.clock and not last <= stored.at <= now:
            fault = "its time is before the event before it, or still to come; the clock counts"
        if fault:
            raise Usage(f"line {archive.line(record.stream, stored.version)}: {fault}")
        last = stored.at


def _check_named(archive: Archive, record: MatchRecord, events: Sequence[PersonEvent]) -> None:
    """Judge the events of people that the book lacks like those of its host. Raises `Usage`."""
    for each in events:
        at = record.at_version(min(each.after_version, record.match.version))
        if not each.reason and each.event in NEEDS_REASON and at.state.outcome is not None:
            line, what = archive.line(record.stream, 0), f"change {each.number} of who played"
            raise Usage(f"line {line}: {what} came after the end, and lacks a reason")


def _stay_erased(archive: Archive, number: int, change: _Change) -> list[ReaderWarning]:
    """Return the warning about texts that the book has erased and the archive still has, if any."""
    erased = fold(change.people.events).erased
    theirs = archive.store.people(change.stream.id).texts
    if not any(each.salt and each.number in erased for each in theirs):
        return []
    told = f"a player of {change.stream.public_id} was erased in this book, and stays so"
    return [ReaderWarning(number, archive.line(change.stream, 0), 1, told)]


def doubts(events: Sequence[StoredEvent], people: Sequence[PersonEvent], now: int) -> str | None:
    """Say what is odd about the authors and times of events and of people, or return `None`."""
    odd = sorted({each.actor for each in events if not ROLES.fullmatch(each.actor)})
    found = [f"{odd[0]!r} is no seat and not the scorekeeper"] if odd else []
    times = [each.at for each in events] + [each.at for each in people]
    if any(at > now for at in times):
        found.append("some of its times are still to come")
    return "; ".join(found) or None


def _append(store: Store, stream: Stream, change: _Change) -> None:
    if change.people != change.kept:
        facts = with_names(store.metadata(stream.id), change.people.names)
        if change.kept.names.items() - change.people.names.items():
            facts = {name: facts[name] for name in facts if not is_imported([name])}
        store.copy_people(stream.id, facts, change.people).result()
    if change.events:
        # First, so that no crash leaves them unmarked; it says nothing if they are not stored.
        store.set_metadata(stream.id, change.brought_in).result()
        store.append(stream.id, stream.head, change.events, change.summary).result()
    if change.notes:
        notes = store.notes(stream.id)
        if notes is None:
            store.create(validation.notes_of(stream), change.notes).result()
        else:
            store.append(notes.id, notes.head, change.notes).result()


def _id_only(record: MatchRecord) -> MatchCredentials:
    return MatchCredentials(record.id)


def _create(
    book: Book,
    archive: Archive,
    changes: Sequence[_Change],
    credentials: Callable[[MatchRecord], MatchCredentials],
) -> None:
    """Create the missing matches, all or nothing."""
    source = KeptBook(Book(archive.store))
    known = {change.stream.id: change.there.id for change in changes if change.there is not None}
    places: dict[int, int] = {}
    creations: list[Creation] = []
    for change in changes:
        if change.there is None:
            stream = change.stream
            places[stream.id] = len(creations)
            fork_of = places.get(stream.parent or 0)
            facts, own = archive.store.metadata(stream.id), credentials(source.read(stream))
            facts = {name: facts[name] for name in facts if name != FACT} | change.brought_in
            same = archive.store.stream(stream.id).public_id == stream.public_id
            creations.append(
                Creation(
                    stream.as_new(known.get(stream.parent or 0)),
                    change.events,
                    facts,
                    change.notes,
                    fork_of,
                    own.held,
                    own.keys,
                    change.summary,
                    author=Author(at=book.now()),
                    people=change.people if same else None,
                )
            )
    if creations:
        book.store.create_all(creations).result()
